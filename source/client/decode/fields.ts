/** A decoded record, with the fields that the decoder does not know, for the detail view. */
export interface DecodedRecord<T> {
  readonly value: T;
  /** Unrecognised fields of the record, as sent. */
  readonly unknown: Readonly<Record<string, unknown>>;
  /** Raw body of the answer; set only when the record was requested by its id. */
  readonly answer?: string;
}
/** Decodes the fields of JSON records, in camelCase and snake_case. */
export type JsonRecord = Readonly<Record<string, unknown>>;

/** The result of decoding JSON: the value, or the path and reason of the failure. */
export type Decoded<T> =
  | { readonly ok: true; readonly value: T }
  | {
      readonly ok: false;
      /** Path in the answer, such as `files[0].path`; empty for the answer itself. */
      readonly field: string;
      /** Predicate of the sentence "FIELD …", such as `is missing`. */
      readonly problem: string;
    };

/** Returns a successful result. */
export function decodeSuccess<T>(value: T): Decoded<T> {
  return { ok: true, value };
}

export function isRecord(value: unknown): value is JsonRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns the path of `key` below `at`: `files` and 0 give `files[0]`, then `files[0].path`. */
export function joinFieldPath(at: string, key: string | number): string {
  if (typeof key === 'number') return `${at}[${key}]`;
  return at === '' ? key : `${at}.${key}`;
}

/** Returns the error of a required value that is missing or has the wrong type. */
export function decodeFailure(field: string, value: unknown, expected: string): Decoded<never> {
  const problem = value === undefined ? 'is missing' : `is not ${expected}`;
  return { ok: false, field, problem };
}

/** The type of a field. */
export interface FieldType<T> {
  /** Noun for the message "is not EXPECTED". */
  readonly expected: string;
  /** Returns the value, or undefined when it has another type. */
  decode(value: unknown): T | undefined;
}

export const text: FieldType<string> = {
  expected: 'a string',
  decode: (value) => (typeof value === 'string' ? value : undefined),
};

/** Text that is not empty: an id, a name, a path. */
export const nonEmptyText: FieldType<string> = {
  expected: 'a string',
  decode: (value) => (typeof value === 'string' && value !== '' ? value : undefined),
};

const withoutZone = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d(?::\d\d(?:[.,]\d+)?)?)$/;

/**
 * A timestamp in ISO 8601. One without a zone gets the Z of UTC, which all timestamps of the service
 * are in (contract, part 2): without it, `Date` would read it in the zone of this machine.
 */
export const timestampText: FieldType<string> = {
  expected: 'a string',
  decode(value) {
    if (typeof value !== 'string' || value === '') return undefined;
    if (value.endsWith('Z')) return value;
    const [, day, time] = withoutZone.exec(value) ?? [];
    return time === undefined ? value : `${day}T${time.replace(',', '.')}Z`;
  },
};

export const finiteNumber: FieldType<number> = {
  expected: 'a number',
  decode: (value) => (typeof value === 'number' && Number.isFinite(value) ? value : undefined),
};

export const booleanField: FieldType<boolean> = {
  expected: 'true or false',
  decode: (value) => (typeof value === 'boolean' ? value : undefined),
};

const spellingsCache = new Map<string, readonly string[]>();

/** Returns a field's name in both cases, such as `createdAt` and `created_at`. */
function spellings(name: string): readonly string[] {
  let names = spellingsCache.get(name);
  if (names === undefined) {
    const snake = name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
    const camel = name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
    names = [...new Set([name, camel, snake])];
    spellingsCache.set(name, names);
  }
  return names;
}

const emptyRecord: JsonRecord = Object.freeze({});

/** Decodes the fields of one record and tracks the ones that are not decoded. */
export interface FieldDecoder {
  /**
   * Decodes an optional field: the first of `names`, in either case, with a value of this kind;
   * undefined when there is none. A value of another kind stays in {@link unknown}, so that the
   * detail view shows it; null counts as absent.
   */
  optional<T>(kind: FieldType<T>, ...names: readonly string[]): T | undefined;
  /** Decodes a required field; the error of a missing one names the first of `names`. */
  required<T>(kind: FieldType<T>, ...names: readonly [string, ...string[]]): Decoded<T>;
  /** Decodes a required field for each key of `shape`. */
  requireAll<S extends object>(shape: { readonly [K in keyof S]: FieldType<S[K]> }): Decoded<S>;
  /** Returns the fields that were not decoded, as sent. */
  unknown(): JsonRecord;
}

/**
 * Starts decoding a record.
 * @param at path of the record in the answer.
 */
export function createFieldDecoder(record: JsonRecord, at: string): FieldDecoder {
  return new RecordFields(record, at);
}

/** A class with plain loops, because it runs for every field of every log line and list item. */
class RecordFields implements FieldDecoder {
  readonly #record: JsonRecord;
  readonly #at: string;
  readonly #decodedKeys: string[] = [];

  constructor(record: JsonRecord, at: string) {
    this.#record = record;
    this.#at = at;
  }

  optional<T>(kind: FieldType<T>, ...names: readonly string[]): T | undefined {
    const record = this.#record;
    for (const name of names) {
      for (const key of spellings(name)) {
        const sent = Object.hasOwn(record, key) ? record[key] : undefined;
        if (sent === undefined) continue;
        const value = kind.decode(sent);
        if (value !== undefined || sent === null) this.#decodedKeys.push(key);
        if (value !== undefined) return value;
      }
    }
    return undefined;
  }

  required<T>(kind: FieldType<T>, ...names: readonly [string, ...string[]]): Decoded<T> {
    const value = this.optional(kind, ...names);
    if (value !== undefined) return decodeSuccess(value);
    const record = this.#record;
    const name = names.flatMap(spellings).find((key) => Object.hasOwn(record, key)) ?? names[0];
    return decodeFailure(joinFieldPath(this.#at, name), record[name], kind.expected);
  }

  requireAll<S extends object>(shape: { readonly [K in keyof S]: FieldType<S[K]> }): Decoded<S> {
    const values: Partial<S> = {};
    for (const name in shape) {
      const value = this.required(shape[name], name);
      if (!value.ok) return value;
      values[name] = value.value;
    }
    return decodeSuccess(values as S);
  }

  unknown(): JsonRecord {
    let rest: [string, unknown][] | undefined;
    for (const key of Object.keys(this.#record)) {
      if (!this.#decodedKeys.includes(key)) (rest ??= []).push([key, this.#record[key]]);
    }
    return rest === undefined ? emptyRecord : Object.fromEntries(rest);
  }
}
