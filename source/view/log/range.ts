import type { LogRange } from '../../store/log/reader/slices.ts';
import type { Deck } from '../../store/deck/deck.ts';
import type { Entry } from '../../tail/arena/entries.ts';
import { formatCount } from '../text/amount.ts';
import type { LogLine } from '../../contract/logs.ts';
import type { Tail } from '../../store/log/tail.ts';

/** Returns the opened log, or undefined if it is empty. */
export function nonEmptyTail(deck: Pick<Deck, 'opened'>): Tail | undefined {
  const { tail } = deck.opened.getState();
  return tail === undefined || tail.entries.length === 0 ? undefined : tail;
}

/** Returns the selection, or else the entry under the cursor; freezes a followed log. */
export function selectedOrCursorRange(tail: Tail): LogRange | undefined {
  const entry = cursorEntry(tail);
  const selected = tail.view.selection();
  return selected ?? (entry === undefined ? undefined : { first: entry.seq, last: entry.seq });
}

/** Returns the entry under the cursor; freezes a followed log. */
export function cursorEntry({ entries, view }: Tail): Entry<LogLine> | undefined {
  if (view.position.getState().kind === 'following') view.move(0);
  const position = view.position.getState();
  if (position.kind === 'following') return undefined;
  return entries.at(Math.min(entries.indexOf(position.cursor), entries.length - 1));
}

/** Returns the range from the oldest to the newest shown entry. */
export function shownRange({ entries }: Tail): LogRange | undefined {
  const first = entries.at(0);
  const last = entries.at(entries.length - 1);
  return first === undefined || last === undefined
    ? undefined
    : { first: first.seq, last: last.seq };
}

/** Returns the number of shown entries in a range. */
export function countEntries({ entries }: Tail, { first, last }: LogRange): number {
  const end = entries.indexOf(last);
  const isThere = entries.at(end)?.seq === last;
  return Math.max(0, end + (isThere ? 1 : 0) - entries.indexOf(first));
}

/** Returns `12 lines selected` for the row above the keys; undefined without a selection. */
export function selectionText(deck: Pick<Deck, 'opened'>): string | undefined {
  const { tail } = deck.opened.getState();
  const range = tail?.view.selection();
  if (tail === undefined || range === undefined) return undefined;
  const count = countEntries(tail, range);
  return count === 0 ? 'No selected line is shown' : `${lineCountText(count)} selected`;
}

/** Reports that the filter hides the whole range; returns whether it does. */
export function reportHiddenRange(
  deck: Pick<Deck, 'messages'>,
  tail: Tail,
  range: LogRange,
): boolean {
  if (countEntries(tail, range) > 0) return false;
  deck.messages.say('No selected line is shown. Esc deselects.');
  return true;
}

export function lineCountText(count: number): string {
  return count === 1 ? '1 line' : `${formatCount(count)} lines`;
}

/** Removes the selection of the focused log; returns whether there was one. */
export function endSelection(deck: Pick<Deck, 'screen' | 'opened'>): boolean {
  const { focus, main, overlay } = deck.screen.getState();
  if (overlay !== undefined || focus !== 'main' || main.kind !== 'logs') return false;
  const { tail } = deck.opened.getState();
  if (tail?.view.selection() === undefined) return false;
  tail.view.toggleSelection();
  return true;
}
