import type { DecodedRecord } from '../../client/decode/fields.ts';
import { memoizeLast } from './memoize-last.ts';

type Rows<T> = readonly DecodedRecord<T>[];

const byId = memoizeLast<Rows<{ readonly id: string }>, void, ReadonlyMap<string, unknown>>(
  (rows) => {
    const map = new Map<string, unknown>();
    // The first row wins for a repeated id, as it does for the cursor.
    for (const row of rows) if (!map.has(row.value.id)) map.set(row.value.id, row);
    return map;
  },
);

/** Returns the row with this id, in constant time because every frame calls it. */
export function rowWithId<T extends { readonly id: string }>(
  rows: Rows<T>,
  id: string | undefined,
): DecodedRecord<T> | undefined {
  return id === undefined ? undefined : (byId(rows).get(id) as DecodedRecord<T> | undefined);
}

/** Returns the ids of rows; memoized. */
export const idsOf = memoizeLast<Rows<{ readonly id: string }>, void, readonly string[]>((rows) =>
  rows.map(({ value }) => value.id),
);
