/** The printed form of a kind of record: columns of a table, fields of JSON, and its id. */
import type { DecodedRecord } from '../../client/decode/fields.ts';

/** A column of a table. Values are raw text; printing makes it safe. */
export interface RecordColumn<T> {
  /** Title in upper case. */
  readonly title: string;
  /** Returns the value for programs; undefined where the service doesn't tell it. */
  readonly value: (record: T) => string | undefined;
  /** Returns the value for a person, such as an age in place of a time; by default the same. */
  readonly shown?: (record: T, now: number) => string | undefined;
  readonly align?: 'left' | 'right';
  /** True for a column that narrow terminals cut; never one that another command takes: an id, a name, a path. */
  readonly isShrinkable?: boolean;
  /** True for a column that terminals leave out where cutting is not enough, the last one first. */
  readonly isOptional?: boolean;
}

/** A title and a value of a single record. */
export interface RecordDetail {
  /** Title in upper case. */
  readonly title: string;
  /** Value for programs; undefined where the service doesn't tell it. */
  readonly value: string | undefined;
  /** Value for a person; by default the same. */
  readonly shown?: string | undefined;
}

/** The ways to print records of a kind. */
export interface RecordView<T> {
  readonly columns: readonly RecordColumn<T>[];
  /** Returns the rows of a single record; by default one for each column. */
  readonly details?: (record: T, now: number) => readonly RecordDetail[];
  /** Fields that the contract names, which may be missing from a record. */
  readonly fields: readonly string[];
  readonly json: (record: T) => Readonly<Record<string, unknown>>;
  /** Returns the text that `--quiet` prints: an id. */
  readonly id: (record: T) => string;
}

/**
 * Returns a decoded record as JSON: what the service sent, under the names of the contract. A field
 * that the service left out is left out.
 */
export function recordJson<T extends object>({
  value,
  unknown,
}: DecodedRecord<T>): Readonly<Record<string, unknown>> {
  const known = Object.entries(value).filter(([, field]) => field !== undefined);
  return { ...Object.fromEntries(known), ...unknown };
}

/** The records with some of their fields, or the first name that no record has. */
export type PickedFields =
  | { readonly ok: true; readonly records: readonly Readonly<Record<string, unknown>>[] }
  | { readonly ok: false; readonly name: string; readonly known: readonly string[] };

/** Picks fields of JSON records; a name is known from the contract or from a record. */
export function pickFields(
  records: readonly Readonly<Record<string, unknown>>[],
  names: readonly string[],
  contractFields: readonly string[],
): PickedFields {
  const known = new Set([...contractFields, ...records.flatMap((record) => Object.keys(record))]);
  const wrong = names.find((name) => !known.has(name));
  if (wrong !== undefined) return { ok: false, name: wrong, known: [...known] };
  const picked = records.map((record) =>
    Object.fromEntries(names.filter((name) => name in record).map((name) => [name, record[name]])),
  );
  return { ok: true, records: picked };
}

/** Returns the rows of a single record. */
export function detailsOf<T>(record: T, view: RecordView<T>, now: number): readonly RecordDetail[] {
  if (view.details !== undefined) return view.details(record, now);
  return view.columns.map(({ title, value, shown = value }) => ({
    title,
    value: value(record),
    shown: shown(record, now),
  }));
}
