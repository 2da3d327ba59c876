import type { LogLine } from '../../store/log/reader/view.ts';
import type { LogRange } from '../../store/log/reader/slices.ts';
import type { Deck } from '../../store/deck/deck.ts';
import type { Tail } from '../../store/deck/opened.ts';
import type { Entry } from '../../tail/arena/entries.ts';
import { formatCount } from '../text/amount.ts';

/** The log that is in front, where there is anything in it. */
export function filledTail(deck: Pick<Deck, 'opened'>): Tail | undefined {
  const { tail } = deck.opened.getState();
  return tail === undefined || tail.entries.length === 0 ? undefined : tail;
}

/** What is selected, else the entry under the cursor. A log that is followed stands still for it. */
export function chosenRange(tail: Tail): LogRange | undefined {
  const entry = chosenEntry(tail);
  const selected = tail.view.selection();
  return selected ?? (entry === undefined ? undefined : { first: entry.seq, last: entry.seq });
}

/** The entry under the cursor. A log that is followed stands still for it. */
export function chosenEntry({ entries, view }: Tail): Entry<LogLine> | undefined {
  if (view.position.getState().kind === 'following') view.move(0);
  const position = view.position.getState();
  if (position.kind === 'following') return undefined;
  return entries.at(Math.min(entries.indexOf(position.cursor), entries.length - 1));
}

/** All that is shown, from the oldest entry at hand to the newest. */
export function shownRange({ entries }: Tail): LogRange | undefined {
  const first = entries.at(0);
  const last = entries.at(entries.length - 1);
  return first === undefined || last === undefined
    ? undefined
    : { first: first.seq, last: last.seq };
}

/** Entries of a range that are there. */
export function countIn({ entries }: Tail, { first, last }: LogRange): number {
  const end = entries.indexOf(last);
  const isThere = entries.at(end)?.seq === last;
  return Math.max(0, end + (isThere ? 1 : 0) - entries.indexOf(first));
}

/** `12 lines selected`, or that a filter hides them, for the row above the keys; undefined while nothing is. */
export function selectionText(deck: Pick<Deck, 'opened'>): string | undefined {
  const { tail } = deck.opened.getState();
  const range = tail?.view.selection();
  if (tail === undefined || range === undefined) return undefined;
  const count = countIn(tail, range);
  return count === 0 ? 'No selected line is shown' : `${linesText(count)} selected`;
}

/** Says that a filter hides all that is selected; false where it does not. */
export function saysHidden(deck: Pick<Deck, 'messages'>, tail: Tail, range: LogRange): boolean {
  if (countIn(tail, range) > 0) return false;
  deck.messages.say('No selected line is shown. Esc ends the selection.');
  return true;
}

export function linesText(count: number): string {
  return count === 1 ? '1 line' : `${formatCount(count)} lines`;
}

/** Ends a selection of the log in front; gives whether there was one. */
export function endSelection(deck: Pick<Deck, 'screen' | 'opened'>): boolean {
  const { focus, main, overlay } = deck.screen.getState();
  if (overlay !== undefined || focus !== 'main' || main.kind !== 'logs') return false;
  const { tail } = deck.opened.getState();
  if (tail?.view.selection() === undefined) return false;
  tail.view.toggleSelection();
  return true;
}
