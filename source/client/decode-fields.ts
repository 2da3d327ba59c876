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
  const taken: string[] = [];

  // Plain loops: this runs for every field of every line of a log.
  const take = <T>(kind: Kind<T>, ...names: readonly string[]): T | undefined => {
    for (const name of names) {
      for (const key of spellings(name)) {
        const sent = Object.hasOwn(record, key) ? record[key] : undefined;
        if (sent === undefined) continue;
        const value = kind.read(sent);
        if (value !== undefined || sent === null) taken.push(key);
        if (value !== undefined) return value;
      }
    }
    return undefined;
  };

  const need = <T>(kind: Kind<T>, ...names: readonly [string, ...string[]]): Decoded<T> => {
    const value = take(kind, ...names);
    if (value !== undefined) return decoded(value);
    const wrong = names.flatMap(spellings).find((key) => Object.hasOwn(record, key)) ?? names[0];
    return misread(below(at, wrong), record[wrong], kind.expected);
  };

  return {
    take,
    need,
    needAll<S extends object>(shape: { readonly [K in keyof S]: Kind<S[K]> }): Decoded<S> {
      const values: [string, unknown][] = [];
      for (const [name, kind] of Object.entries<Kind<unknown>>(shape)) {
        const value = need(kind, name);
        if (!value.ok) return value;
        values.push([name, value.value]);
      }
      return decoded(Object.fromEntries(values) as S);
    },
    unknown: () => {
      const rest = Object.keys(record).filter((key) => !taken.includes(key));
      return rest.length === 0
        ? nothing
        : Object.fromEntries(rest.map((key) => [key, record[key]]));
    },
  };
}
