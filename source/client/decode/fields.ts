export type JsonRecord = Readonly<Record<string, unknown>>;

/** A reading of JSON: the value, or where and why it could not be read. */
export type Decoded<T> =
  | { readonly ok: true; readonly value: T }
  | {
      readonly ok: false;
      /** Place in the answer, e.g. `files[0].path`; empty for the answer itself. */
      readonly field: string;
      /** Completes the sentence "FIELD …", e.g. `is missing`. */
      readonly problem: string;
    };

export function decoded<T>(value: T): Decoded<T> {
  return { ok: true, value };
}

export function isRecord(value: unknown): value is JsonRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The place of `key` below `at`: `files` and 0 give `files[0]`, that and `path` `files[0].path`. */
export function below(at: string, key: string | number): string {
  if (typeof key === 'number') return `${at}[${key}]`;
  return at === '' ? key : `${at}.${key}`;
}

/** A required value that is not what it should be. */
export function misread(field: string, value: unknown, expected: string): Decoded<never> {
  const problem = value === undefined ? 'is missing' : `is not ${expected}`;
  return { ok: false, field, problem };
}

/** What a field may hold. `read` gives undefined for what does not fit. */
export interface Kind<T> {
  /** In a sentence: "is not EXPECTED". */
  readonly expected: string;
  read(value: unknown): T | undefined;
}

export const text: Kind<string> = {
  expected: 'a text',
  read: (value) => (typeof value === 'string' ? value : undefined),
};

/** Text that can stand for something: an id, a name, a path. */
export const filled: Kind<string> = {
  expected: 'a text',
  read: (value) => (typeof value === 'string' && value !== '' ? value : undefined),
};

export const amount: Kind<number> = {
  expected: 'a number',
  read: (value) => (typeof value === 'number' && Number.isFinite(value) ? value : undefined),
};

export const flag: Kind<boolean> = {
  expected: 'true or false',
  read: (value) => (typeof value === 'boolean' ? value : undefined),
};

const spellingsOf = new Map<string, readonly string[]>();

/** A field's name in both cases: `createdAt` and `created_at` are one field. */
function spellings(name: string): readonly string[] {
  let known = spellingsOf.get(name);
  if (known === undefined) {
    const snake = name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
    const camel = name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
    known = [...new Set([name, camel, snake])];
    spellingsOf.set(name, known);
  }
  return known;
}

const nothing: JsonRecord = Object.freeze({});

/** Reads the fields of one record and knows which of them nobody asked for. */
export interface Fields {
  /**
   * The first of `names` (in either case) that holds a value of this kind; undefined when none
   * does. A value of another kind stays among the unknown ones, so that it is shown and not lost;
   * null is as good as absent.
   */
  take<T>(kind: Kind<T>, ...names: readonly string[]): T | undefined;
  /** The same for a field that must be there; an error names the first of `names`. */
  need<T>(kind: Kind<T>, ...names: readonly [string, ...string[]]): Decoded<T>;
  /** A field for each key of `shape`, all of which must be there. */
  needAll<S extends object>(shape: { readonly [K in keyof S]: Kind<S[K]> }): Decoded<S>;
  /** What was not taken, as sent. */
  unknown(): JsonRecord;
}

/** @param at where the record stands in the answer. */
export function fieldsOf(record: JsonRecord, at: string): Fields {
  return new RecordFields(record, at);
}

/** A class and plain loops: this runs for every field of every line of a log, and of long lists. */
class RecordFields implements Fields {
  readonly #record: JsonRecord;
  readonly #at: string;
  readonly #taken: string[] = [];

  constructor(record: JsonRecord, at: string) {
    this.#record = record;
    this.#at = at;
  }

  take<T>(kind: Kind<T>, ...names: readonly string[]): T | undefined {
    const record = this.#record;
    for (const name of names) {
      for (const key of spellings(name)) {
        const sent = Object.hasOwn(record, key) ? record[key] : undefined;
        if (sent === undefined) continue;
        const value = kind.read(sent);
        if (value !== undefined || sent === null) this.#taken.push(key);
        if (value !== undefined) return value;
      }
    }
    return undefined;
  }

  need<T>(kind: Kind<T>, ...names: readonly [string, ...string[]]): Decoded<T> {
    const value = this.take(kind, ...names);
    if (value !== undefined) return decoded(value);
    const record = this.#record;
    const wrong = names.flatMap(spellings).find((key) => Object.hasOwn(record, key)) ?? names[0];
    return misread(below(this.#at, wrong), record[wrong], kind.expected);
  }

  needAll<S extends object>(shape: { readonly [K in keyof S]: Kind<S[K]> }): Decoded<S> {
    const values: Partial<S> = {};
    for (const name in shape) {
      const value = this.need(shape[name], name);
      if (!value.ok) return value;
      values[name] = value.value;
    }
    return decoded(values as S);
  }

  unknown(): JsonRecord {
    let rest: [string, unknown][] | undefined;
    for (const key of Object.keys(this.#record)) {
      if (!this.#taken.includes(key)) (rest ??= []).push([key, this.#record[key]]);
    }
    return rest === undefined ? nothing : Object.fromEntries(rest);
  }
}
