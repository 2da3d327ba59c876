import type { Deck } from '../../store/deck/deck.ts';
import { openView } from '../../store/deck/screen-steps.ts';
import { rowUnderCursor } from '../command/row-under-cursor.ts';

/** Opens the details of the grant under the cursor. */
export function openGrant(deck: Deck): void {
  const id = rowUnderCursor(deck);
  if (id === undefined) return;
  deck.screen.setState((screen) => openView(screen, { kind: 'grant', id }));
}
