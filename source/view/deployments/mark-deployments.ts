import type { Deck } from '../../store/deck/deck.ts';
import { moveCursor } from '../../store/lists/cursor.ts';
import { deploymentUnderCursor } from '../command/row-under-cursor.ts';

/** `Space`: marks the row under the cursor or removes its mark, and moves to the next row. */
export function toggleDeploymentMark(deck: Pick<Deck, 'screen' | 'lists' | 'opened'>): void {
  const id = deploymentUnderCursor(deck);
  if (id === undefined) return;
  const { cursors } = deck.screen.getState();
  const cursor = moveCursor(deck.lists.deployments.ids(), cursors.deployments, 1);
  deck.screen.lists.toggleMark('deployments', id, cursor);
}
