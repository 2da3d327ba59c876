import type { HighlightedLines } from '../../store/editor/coloured-texts.ts';
import type { DecodedRecord } from '../../store/lists/listing.ts';
import type { DetailRow } from './detail-rows.ts';

type Rows = readonly DetailRow[];

/**
 * Rows of a long text of a record, made once for the same record and colours: a key asks for all
 * rows several times.
 */
export function rememberedRows<T extends object>(
  make: (read: DecodedRecord<T>, colours: HighlightedLines | undefined) => Rows,
): (read: DecodedRecord<T>, colours: HighlightedLines | undefined) => Rows {
  const known = new WeakMap<
    DecodedRecord<T>,
    { readonly colours: HighlightedLines | undefined; readonly rows: Rows }
  >();
  return (read, colours) => {
    const last = known.get(read);
    if (last !== undefined && last.colours === colours) return last.rows;
    const rows = make(read, colours);
    known.set(read, { colours, rows });
    return rows;
  };
}
