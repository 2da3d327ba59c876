import { waitForFilter } from '../../store/log/reader/filter-end.ts';
import type { Tail } from '../../store/deck/opened.ts';

/** `seq` under the cursor; undefined while the log is followed. */
export function logCursor({ view }: Pick<Tail, 'view'>): number | undefined {
  const position = view.position.getState();
  return position.kind === 'frozen' ? position.cursor : undefined;
}

/** Puts the cursor on a line. One out of sight comes up with some lines before it, and more behind. */
export function showAmongOthers({ entries, view }: Tail, seq: number, rows: number): void {
  const index = entries.indexOf(seq);
  const top = view.top();
  const start = top === undefined ? entries.length : entries.indexOf(top.seq);
  const isInSight = index >= start && index < start + rows;
  const first = entries.at(Math.max(0, index - Math.floor(rows / 4)));
  view.goTo(seq, isInSight || first === undefined ? undefined : { seq: first.seq, skipped: 0 });
}

/** Whether older lines than those at hand can be fetched. */
export function hasOlder({ log }: Pick<Tail, 'log'>): boolean {
  const { older } = log.state.getState();
  return older === 'more' || older === 'loading';
}

/**
 * Where a filter hides the line under the cursor, another one is drawn there: once the filter has
 * looked at all, keys act on that one too. A reader who moves on meanwhile is left alone.
 */
export async function settleCursor({ view, filter }: Pick<Tail, 'view' | 'filter'>): Promise<void> {
  const position = view.position.getState();
  if (position.kind === 'following' || view.selection() !== undefined) return;
  const end = await waitForFilter(filter, new AbortController().signal);
  if (end === 'done' && view.position.getState() === position) view.move(0);
}
