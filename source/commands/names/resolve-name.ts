/** Resolves a typed name among records, whose names need not be unique. Pure. */

/** A record that can be named. */
export interface NamedRecord {
  readonly id: string;
  readonly name?: string | undefined;
  /** True for one that is only found where no other matches, because names are reused. */
  readonly isClosed?: boolean;
}

/** The records that a text names. */
export type ResolvedName<T> =
  | { readonly kind: 'one'; readonly record: T; readonly isExact: boolean }
  | { readonly kind: 'none' }
  | { readonly kind: 'several'; readonly records: readonly T[]; readonly isExact: boolean };

/**
 * Returns the record with the id `text`, else the ones with the name `text`, else the ones whose name
 * or id starts with it.
 */
export function resolveName<T extends NamedRecord>(
  text: string,
  records: readonly T[],
): ResolvedName<T> {
  if (text === '') return { kind: 'none' };
  const byId = records.filter(({ id }) => id === text);
  if (byId.length > 0) return oneOf(byId, true);
  const byName = records.filter(({ name }) => name === text);
  if (byName.length > 0) return oneOf(byName, true);
  const begins = records.filter(
    ({ id, name }) => id.startsWith(text) || name?.startsWith(text) === true,
  );
  return begins.length > 0 ? oneOf(begins, false) : { kind: 'none' };
}

function oneOf<T extends NamedRecord>(matches: readonly T[], isExact: boolean): ResolvedName<T> {
  const open = matches.filter(({ isClosed = false }) => !isClosed);
  const records = open.length > 0 ? open : matches;
  const [record] = records;
  if (record === undefined) return { kind: 'none' };
  return records.length === 1
    ? { kind: 'one', record, isExact }
    : { kind: 'several', records, isExact };
}
