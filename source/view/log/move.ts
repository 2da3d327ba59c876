import type { Deck } from '../../store/deck/deck.ts';
import { isFiltered } from '../../store/log/reader/filter.ts';
import { isUnread } from '../../tail/log/time-walk.ts';
import { isReadingOlder, readOlderShown } from './steps/seek-step.ts';
import { clearStepMessage } from './steps/step-message.ts';
import { cursorSeq, type LogPosition } from '../../store/log/reader/view.ts';
import type { Tail } from '../../store/log/tail.ts';

/** Distance in entries from the oldest loaded line at which older ones are prefetched. */
const prefetchDistance = 200;
const prefetchLines = 1000;
/** Lines fetched per key at the top of a filtered log, since few of them may match. */
const filteredPrefetchLines = 5000;

/** Moves the cursor by `step` rows of lines, and prefetches older lines near the top. */
export function moveInLog(
  deck: Pick<Deck, 'clock' | 'screen' | 'messages' | 'opened'>,
  step: number,
): void {
  const { tail } = deck.opened.getState();
  if (tail === undefined || scrollTallLine(tail, step)) return;
  moveByEntries(deck, tail, entriesOfStep(tail, step), step < 0);
}

/** Scrolls within a wrapped line that is taller than the window. Returns false at its end. */
function scrollTallLine({ view, reading }: Tail, step: number): boolean {
  const position = view.position.getState();
  const top = view.top();
  const { hidden = 0 } = reading.laidOut ?? {};
  if (position.kind === 'following' || top?.seq !== position.cursor || !Number.isFinite(step))
    return false;
  const skipped = Math.max(0, Math.min(top.skipped + step, hidden));
  if (hidden === 0 || skipped === top.skipped) return false;
  view.recordTop({ seq: top.seq, skipped });
  // A copy of the position has the window drawn at once.
  view.restore({ ...position });
  return true;
}

function moveByEntries(
  deck: Pick<Deck, 'clock' | 'screen' | 'messages'>,
  tail: Tail,
  step: number,
  isUp: boolean,
): void {
  // A movement would stop the reading that its key has started.
  if (isUp && isReadingOlder(tail)) return;
  clearStepMessage(deck);
  const before = tail.view.position.getState();
  tail.view.move(step);
  const position = tail.view.position.getState();
  const index = position.kind === 'frozen' ? tail.entries.indexOf(position.cursor) : undefined;
  if (isFiltered(tail.filter)) {
    // With few matches the cursor is always near the top, so only a step beyond it fetches more.
    const isAtTop = index === 0 || tail.entries.length === 0;
    if (isUp && isAtTop) readAbove(deck, tail);
  } else if (index !== undefined && index < prefetchDistance) tail.log.olderWanted(prefetchLines);
  if (index !== undefined) readNearGap(tail, index, isUp);
  // Memory has no room for the lines above its oldest one: they are read once the cursor is there.
  if (index === 0 && isUp && !isFiltered(tail.filter))
    if (!hasMoved(before, position) && tail.log.state.getState().older === 'full')
      void readOlderShown(deck, tail);
}

function hasMoved(before: LogPosition, after: LogPosition): boolean {
  return cursorSeq(before) !== cursorSeq(after);
}

/** Reads lines above the first one that the filters show. */
function readAbove(deck: Pick<Deck, 'clock' | 'screen' | 'messages'>, tail: Tail): void {
  if (tail.log.state.getState().older === 'full') void readOlderShown(deck, tail);
  else tail.log.olderWanted(filteredPrefetchLines);
}

/** Reads a page of the lines of an unread gap that the cursor comes near. */
function readNearGap({ entries, filter, log }: Tail, cursor: number, isUp: boolean): void {
  const distance = isFiltered(filter) ? 1 : prefetchDistance;
  const gap = entries.gaps.find((each) => {
    const ahead = isUp ? cursor - entries.indexOf(each.seq) : entries.indexOf(each.seq) - cursor;
    return isUnread(each) && ahead >= 0 && ahead <= distance;
  });
  if (gap !== undefined) void log.readBeside(gap, isUp ? 'older' : 'newer');
}

/** Moves the cursor to the entry with this number, if it is shown; fetches older lines as a step does. */
export function moveToLogLine(
  deck: Pick<Deck, 'clock' | 'screen' | 'messages' | 'opened'>,
  seq: number,
): void {
  const { tail } = deck.opened.getState();
  if (tail === undefined) return;
  const { entries } = tail;
  const index = entries.indexOf(seq);
  if (entries.at(index)?.seq !== seq) return;
  const step = index - cursorIndex(tail);
  moveByEntries(deck, tail, step, step < 0);
}

/** Returns the entries that a step by rows passes, which may be runs of folded lines. */
function entriesOfStep(tail: Tail, step: number): number {
  const { folds, entries, view } = tail;
  if (!folds.state.getState().isOn || !Number.isFinite(step) || entries.length === 0) return step;
  if (step > 0 && view.position.getState().kind === 'following') return step;
  const from = cursorIndex(tail);
  return folds.step(from, step) - from;
}

/** Returns the index of the entry under the cursor; of the last one while following. */
function cursorIndex({ entries, view }: Tail): number {
  const position = view.position.getState();
  const last = entries.length - 1;
  return position.kind === 'frozen' ? Math.min(entries.indexOf(position.cursor), last) : last;
}
