import type { Deck } from '../../store/deck/deck.ts';
import { moveCursor } from '../../store/lists/cursor.ts';
import { listIds } from '../../store/deck/rows.ts';
import { treeRowUnderCursor } from './subject.ts';

/** `Space`: marks the row under the cursor, or takes its mark away, and goes on to the next. */
export function toggleFileMark(deck: Deck): void {
  const path = treeRowUnderCursor(deck)?.path;
  if (path === undefined) return;
  const ids = listIds(deck, 'files');
  deck.screen.setState(({ marks, cursors }) => {
    const next = new Set(marks);
    if (!next.delete(path)) next.add(path);
    return { marks: next, cursors: { ...cursors, files: moveCursor(ids, cursors.files, 1) } };
  });
}
