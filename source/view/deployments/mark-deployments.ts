import type { Deck } from '../../store/deck/deck.ts';
import { moveCursor } from '../../store/lists/cursor.ts';
import { toggledMark } from '../../store/lists/marks.ts';
import { listIds } from '../../store/deck/rows.ts';
import { deploymentUnderCursor } from '../command/row-under-cursor.ts';

/** `Space`: marks the row under the cursor, or takes its mark away, and goes on to the next. */
export function toggleDeploymentMark(deck: Deck): void {
  const id = deploymentUnderCursor(deck);
  if (id === undefined) return;
  const ids = listIds(deck, 'deployments');
  deck.screen.setState(({ deploymentMarks, cursors }) => ({
    deploymentMarks: toggledMark(deploymentMarks, id),
    cursors: { ...cursors, deployments: moveCursor(ids, cursors.deployments, 1) },
  }));
}
