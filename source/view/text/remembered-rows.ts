import type { DetailRow } from './detail-rows.ts';
import type { HighlightedLines } from '../../editor/coloured-lines.ts';
import type { DecodedRecord } from '../../client/decode/fields.ts';

type Rows = readonly DetailRow[];

/**
 * Memoizes the rows of a record by record and colours, because one key needs all rows several times.
 */
export function rememberedRows<T extends object>(
  make: (record: DecodedRecord<T>, colours: HighlightedLines | undefined) => Rows,
): (record: DecodedRecord<T>, colours: HighlightedLines | undefined) => Rows {
  const cache = new WeakMap<
    DecodedRecord<T>,
    { readonly colours: HighlightedLines | undefined; readonly rows: Rows }
  >();
  return (record, colours) => {
    const last = cache.get(record);
    if (last !== undefined && last.colours === colours) return last.rows;
    const rows = make(record, colours);
    cache.set(record, { colours, rows });
    return rows;
  };
}
