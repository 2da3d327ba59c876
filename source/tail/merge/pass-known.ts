import { spanAt } from './coverage.ts';
import type { Known } from './known.ts';
import type { Live, MergeState } from './merge-state.ts';
import { type LogRow, isSameRow } from '../arena/row.ts';

/**
 * Returns how many rows of the stream are known already, because pages had run ahead of it. If the
 * stream sends another line than the expected one, the rows after it join nothing until a page
 * shows their place.
 */
export function passKnown<Line>(
  { live, spans }: MergeState<Line>,
  rows: readonly LogRow<Line>[],
  known: Known<Line>,
): { readonly passed: number; readonly live: Live } {
  if (live.next === undefined || rows.length === 0) return { passed: 0, live };
  const elsewhere: Live = { ...live, from: undefined, next: undefined };
  const index = spanAt(spans, live.next);
  const span = spans[index];
  if (span === undefined) return { passed: 0, live: elsewhere };
  const ahead = known.from(live.next, rows.length + 1).filter(({ place }) => place <= span.to);
  const differs = rows.findIndex((row, at) => {
    const same = ahead[at];
    return same === undefined || !isSameRow(row, same.row);
  });
  const passed = differs < 0 ? rows.length : differs;
  const next = ahead[passed]?.place;
  if (next !== undefined) {
    return { passed, live: differs < 0 ? { ...live, next } : elsewhere };
  }
  const isTop = index === spans.length - 1;
  return { passed, live: isTop ? { ...live, next: undefined } : elsewhere };
}
