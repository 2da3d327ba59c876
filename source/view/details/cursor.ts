import type { Deck } from '../../store/deck/deck.ts';
import { cursorIndex, moveCursor, scrollTo } from '../../store/lists/cursor.ts';
import { type DetailsSubject, detailRows } from './details.ts';

/**
 * Moves the cursor of Details up (negative) or down; infinite steps go to the ends. A page step also
 * scrolls by a page; a single step scrolls only when the cursor would leave the pane.
 */
export function moveInDetails(
  deck: Pick<
    Deck,
    'lists' | 'clock' | 'screen' | 'deployments' | 'files' | 'opened' | 'grants' | 'colours'
  >,
  subject: DetailsSubject,
  step: number,
  viewport: { readonly rows: number },
): void {
  const keys = detailRows(deck, subject, deck.clock.serviceNow()).map(({ key }) => key);
  const { detailCursor, scroll } = deck.screen.getState();
  const cursor = moveCursor(keys, detailCursor, step);
  const last = Math.max(0, keys.length - viewport.rows);
  const isPage = Math.abs(step) > 1;
  const paged = isPage ? Math.max(0, Math.min(scroll.top + step, last)) : scroll.top;
  const top = scrollTo(paged, cursorIndex(keys, cursor), viewport.rows, keys.length);
  deck.screen.view.moveInDetails(cursor, top);
}

/**
 * Returns the first row to draw so that the cursor's row is fully visible: the one closest to `top`.
 * @param heightOf height of a wrapped row in screen rows.
 */
export function topWithCursor(
  top: number,
  cursor: number,
  height: number,
  heightOf: (row: number) => number,
): number {
  let first = Math.max(0, Math.min(top, cursor));
  let used = 0;
  for (let row = first; row <= cursor; row += 1) used += heightOf(row);
  for (; used > height && first < cursor; first += 1) used -= heightOf(first);
  return first;
}
