import type { Deck } from '../../store/deck/deck.ts';
import { cursorIndex, moveCursor, scrollTo } from '../../store/lists/cursor.ts';
import { type DetailsSubject, detailRows } from './details.ts';

/**
 * The cursor of Details a step up (negative) or down; infinite steps go to the ends. A page moves
 * what is seen with the cursor, as in a text; a row only when the cursor would leave the pane.
 */
export function moveInDetails(
  deck: Pick<Deck, 'clock' | 'screen' | 'deployments' | 'opened' | 'files' | 'grants' | 'colours'>,
  subject: DetailsSubject,
  step: number,
  viewport: { readonly rows: number },
): void {
  const keys = detailRows(deck, subject, deck.clock.now()).map(({ key }) => key);
  const { detailCursor, scroll } = deck.screen.getState();
  const cursor = moveCursor(keys, detailCursor, step);
  const last = Math.max(0, keys.length - viewport.rows);
  const isPage = Math.abs(step) > 1;
  const paged = isPage ? Math.max(0, Math.min(scroll.top + step, last)) : scroll.top;
  const top = scrollTo(paged, cursorIndex(keys, cursor), viewport.rows, keys.length);
  deck.screen.view.moveInDetails(cursor, top);
}

/**
 * The row that is drawn first so that the one with the cursor is seen whole: `top`, or as little
 * away from it as can be. @param heightOf rows of the screen that a row takes, wrapped.
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
