import type { Deck } from '../../store/deck/deck.ts';
import { moveCursor } from '../../store/lists/cursor.ts';
import { filePaths } from '../../store/deck/rows.ts';
import { toggleDeploymentMark } from '../deployments/mark-deployments.ts';
import { treeRowUnderCursor } from './subject.ts';

/** `Space`: marks the row under the cursor, or takes its mark away, and goes on to the next. */
export function toggleMark(deck: Pick<Deck, 'screen' | 'deployments' | 'opened' | 'files'>): void {
  if (deck.screen.getState().focus === 'deployments') return toggleDeploymentMark(deck);
  const path = treeRowUnderCursor(deck)?.path;
  if (path === undefined) return;
  const { cursors } = deck.screen.getState();
  const cursor = moveCursor(filePaths(deck), cursors.files, 1);
  deck.screen.lists.toggleMark('files', path, cursor);
}
