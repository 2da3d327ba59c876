/** The cursor in the list of patterns. */
import type { Deck } from '../../../store/deck/deck.ts';
import { cursorIndex, moveCursor, scrollTo } from '../../../store/lists/cursor.ts';
import type { SeenPattern } from '../../../store/log/patterns/log-patterns.ts';
import type { PaneViewport } from '../../command/action.ts';

type Handles = Pick<Deck, 'screen' | 'opened'>;

/** Rows of a pane for the header, and for the facts of the pattern under the cursor. */
export function patternPaneRows(height: number): {
  readonly header: number;
  readonly facts: number;
} {
  return { header: height < 10 ? 0 : 1, facts: height < 6 ? 0 : 2 };
}

/** Returns the patterns that pane 4 lists, in the order of the list. */
export function listedPatterns({ opened, screen }: Handles): readonly SeenPattern[] {
  const { tail } = opened.getState();
  if (tail === undefined) return [];
  const { main } = screen.getState();
  if (main.kind !== 'patterns' || main.isCompared !== true) return tail.patternList.rows();
  const comparison = tail.comparison.state.getState();
  return comparison.kind === 'done' ? comparison.rows : [];
}

export function patternUnderCursor(deck: Handles): SeenPattern | undefined {
  const rows = listedPatterns(deck);
  return rows[cursorIndex(rows.map(patternKey), deck.screen.getState().detailCursor)];
}

export function patternKey({ id }: SeenPattern): string {
  return String(id);
}

/** Moves the cursor up (negative) or down by rows; infinite steps go to the ends. */
export function moveInPatterns(deck: Handles, step: number, { rows }: PaneViewport): void {
  const keys = listedPatterns(deck).map(patternKey);
  const { detailCursor, scroll } = deck.screen.getState();
  const cursor = moveCursor(keys, detailCursor, step);
  deck.screen.view.moveInDetails(cursor, scrollTo(scroll.top, cursor.index, rows, keys.length));
}
