import type { DecodedRecord } from '../../client/client.ts';
import { memoizeLast } from './memoize-last.ts';

type Rows<T> = readonly DecodedRecord<T>[];

const byId = memoizeLast<Rows<{ readonly id: string }>, void, ReadonlyMap<string, unknown>>(
  (rows) => {
    const map = new Map<string, unknown>();
    // Of an id that is listed twice, the first counts, as it does for the cursor.
    for (const row of rows) if (!map.has(row.value.id)) map.set(row.value.id, row);
    return map;
  },
);

/** The row with this id: at once also in a list of thousands, which every frame asks. */
export function rowWithId<T extends { readonly id: string }>(
  rows: Rows<T>,
  id: string | undefined,
): DecodedRecord<T> | undefined {
  return id === undefined ? undefined : (byId(rows).get(id) as DecodedRecord<T> | undefined);
}
