import type { Deck } from '../../store/deck/deck.ts';
import { moveCursor } from '../../store/lists/cursor.ts';
import { filePaths } from '../../store/deck/rows.ts';
import { treeRowUnderCursor } from './subject.ts';

/** `Space`: marks the row under the cursor, or takes its mark away, and goes on to the next. */
export function toggleFileMark(deck: Pick<Deck, 'screen' | 'files'>): void {
  const path = treeRowUnderCursor(deck)?.path;
  if (path === undefined) return;
  const { cursors } = deck.screen.getState();
  const cursor = moveCursor(filePaths(deck), cursors.files, 1);
  deck.screen.lists.toggleMark('files', path, cursor);
}
