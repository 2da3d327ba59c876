import type { Deck } from '../../store/deck/deck.ts';
import { rowUnderCursor } from '../command/row-under-cursor.ts';

/** Opens the details of the grant under the cursor. */
export function openGrant(deck: Pick<Deck, 'screen' | 'lists'>): void {
  const id = rowUnderCursor(deck);
  if (id === undefined) return;
  deck.screen.view.open({ kind: 'grant', id });
}
