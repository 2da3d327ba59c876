import { waitForFilter } from '../../store/log/reader/filter.ts';
import type { Tail } from '../../store/log/tail.ts';

/** Returns the `seq` under the cursor, or undefined while following. */
export function logCursor({ view }: Pick<Tail, 'view'>): number | undefined {
  const position = view.position.getState();
  return position.kind === 'frozen' ? position.cursor : undefined;
}

/** Puts the cursor on a line; scrolls a line outside the window to its upper quarter. */
export function revealLine({ entries, view }: Tail, seq: number, rows: number): void {
  const index = entries.indexOf(seq);
  const top = view.top();
  const start = top === undefined ? entries.length : entries.indexOf(top.seq);
  const isInSight = index >= start && index < start + rows;
  const first = entries.at(Math.max(0, index - Math.floor(rows / 4)));
  view.goTo(seq, isInSight || first === undefined ? undefined : { seq: first.seq, skipped: 0 });
}

/**
 * Moves the cursor to a visible line once the filter has matched all lines. The window draws the
 * cursor there while the filter hides its line. Does nothing if the reader has moved meanwhile.
 */
export async function moveCursorIntoFilter({
  view,
  filter,
}: Pick<Tail, 'view' | 'filter'>): Promise<void> {
  const position = view.position.getState();
  if (position.kind === 'following' || view.selection() !== undefined) return;
  const end = await waitForFilter(filter, new AbortController().signal);
  if (end === 'done' && view.position.getState() === position) view.move(0);
}
