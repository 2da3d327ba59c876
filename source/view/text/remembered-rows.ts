import type { ColouredLines } from '../../store/editor/coloured-texts.ts';
import type { Read } from '../../store/lists/listing.ts';
import type { DetailRow } from './detail-rows.ts';

type Rows = readonly DetailRow[];

/**
 * Rows of a long text of a record, made once for the same record and colours: a key asks for all
 * rows several times.
 */
export function rememberedRows<T extends object>(
  make: (read: Read<T>, colours: ColouredLines | undefined) => Rows,
): (read: Read<T>, colours: ColouredLines | undefined) => Rows {
  const known = new WeakMap<
    Read<T>,
    { readonly colours: ColouredLines | undefined; readonly rows: Rows }
  >();
  return (read, colours) => {
    const last = known.get(read);
    if (last !== undefined && last.colours === colours) return last.rows;
    const rows = make(read, colours);
    known.set(read, { colours, rows });
    return rows;
  };
}
