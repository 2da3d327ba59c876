/** Steps between the matches of a search, also through lines that are not loaded. */
import { keyName } from '../../../store/prompts/key-names.ts';
import type { Deck } from '../../../store/deck/deck.ts';
import { fetchOlderLines } from '../../../store/log/reader/older.ts';
import type { LogSearch, SearchDirection } from '../../../store/log/reader/search.ts';
import { formatCount } from '../../text/amount.ts';
import { linesOfSearch, type UnreadWalk } from '../../../store/log/reader/walk-unread.ts';
import { readUnread, walkMessage, type WalkWork } from './beyond-memory.ts';
import { hasOlderLines, logCursor } from '../place.ts';
import type { Tail } from '../../../store/log/tail.ts';
import { gapAfterWalk, nearestUnreadGap } from './unread-gap.ts';

type Handles = Pick<Deck, 'clock' | 'screen' | 'messages'>;

/** Lines fetched at most before the search stops and waits for another key. */
export const maxSearchedLines = 200_000;

/** The end of a step among the loaded lines; `cancelled` when another key has ended it. */
type StepEnd = 'none' | 'moved' | 'cancelled';

/**
 * Moves the cursor to the nearest match. Searches the rest of the loaded lines and the gaps of unread
 * ones between them, then fetches older lines until one matches.
 */
export async function seekMatch(
  deck: Handles,
  tail: Tail,
  direction: SearchDirection,
): Promise<void> {
  const { log, search } = tail;
  let from = logCursor(tail);
  for (;;) {
    const gap = nearestUnreadGap(tail, from, direction);
    if ((await searchLoaded(tail, direction, gap?.seq)) !== 'none') return;
    if (gap === undefined) break;
    const work = beginWork(tail);
    const walk = await readMatch(deck, tail, work, { gap, side: direction });
    if (work.signal.aborted) return;
    work.seek.end();
    if (walk?.end !== 'none') {
      if (walk?.end === 'found' || walk?.end === 'hinted')
        await stepToMatchBefore(search, direction, gapAfterWalk(tail, from, direction)?.seq);
      return sayWalk(deck, walk, direction);
    }
    from = gap.seq;
  }
  if (direction === 'newer') return deck.messages.say('No newer match.');
  const initialCount = log.entries.length;
  const { seek, signal } = beginWork(tail);
  const finish = (sentence: string | undefined): void => {
    if (signal.aborted) return;
    seek.end();
    if (sentence !== undefined) deck.messages.say(sentence);
  };
  for (;;) {
    const count = log.entries.length;
    if (count - initialCount >= maxSearchedLines) {
      return finish(
        `Stopped after ${formatCount(maxSearchedLines)} lines. ${keyName('log.older-match', 'N')} continues.`,
      );
    }
    if (hasOlderLines(tail)) {
      seek.report(`Searched ${formatCount(count)} lines. Esc stops.`);
    }
    const result = await fetchOlderLines(log, deck.clock, signal);
    if (result === 'left') return finish(undefined);
    if (result === 'full') return stepBeyondMemory(deck, tail, { seek, signal });
    if (result !== 'grown') return finish(notFoundMessage(result, 'match', false));
    if ((await stepToMatchBefore(search, 'older', undefined)) !== 'none') return finish(undefined);
  }
}

/** Begins a search that Esc and any movement stop. */
function beginWork({ reading, search }: Tail): WalkWork {
  const controller = new AbortController();
  const seek = reading.seek.begin(() => {
    controller.abort();
    search.cancelPending();
  });
  return { seek, signal: controller.signal };
}

/** Moves the cursor to the nearest loaded match before a gap, while Esc can stop that. */
async function searchLoaded(
  tail: Tail,
  direction: SearchDirection,
  gap: number | undefined,
): Promise<StepEnd> {
  const seek = tail.reading.seek.begin(() => tail.search.cancelPending());
  const end = await stepToMatchBefore(tail.search, direction, gap);
  seek.end();
  return end;
}

/** Moves the cursor to a match that memory had no room for. */
async function stepBeyondMemory(deck: Handles, tail: Tail, work: WalkWork): Promise<void> {
  const oldest = tail.entries.seqAt?.(0);
  const walk = await readMatch(deck, tail, work);
  if (work.signal.aborted) return;
  // The step moves the reader, which would stop the work.
  work.seek.end();
  if (walk?.end === 'found' || walk?.end === 'hinted')
    await stepToMatchBefore(tail.search, 'older', gapAfterWalk(tail, oldest, 'older')?.seq);
  sayWalk(deck, walk, 'older');
}

/** Reads lines that are not loaded until one matches. */
async function readMatch(
  deck: Handles,
  tail: Tail,
  work: WalkWork,
  through?: Parameters<typeof readUnread>[4],
): Promise<UnreadWalk | undefined> {
  const { query } = tail.search.state.getState();
  const wanted = query && linesOfSearch(query, deck.clock, tail.namesOf);
  return wanted && readUnread(deck, tail, wanted, work, through);
}

function sayWalk(deck: Handles, walk: UnreadWalk | undefined, side: SearchDirection): void {
  const key = side === 'older' ? keyName('log.older-match', 'N') : keyName('log.newer-match', 'n');
  const message = walk && walkMessage(deck, walk, 'match', key, side);
  if (message !== undefined) deck.messages.say(message);
}

/** Steps to the nearest match before a gap. Resolves to `cancelled` when the search was cancelled. */
function stepToMatchBefore(
  search: LogSearch,
  direction: SearchDirection,
  gap: number | undefined,
): Promise<StepEnd> {
  const { query } = search.state.getState();
  const step = search.next(direction, gap);
  if (step !== 'looking') return Promise.resolve(step);
  return new Promise((resolve) => {
    const stop = search.state.subscribe((now) => {
      if (now.query === query && now.looking !== undefined) return;
      stop();
      resolve(now.query === query && now.missed === direction ? 'none' : 'cancelled');
    });
  });
}

/**
 * Returns the message for a search without result.
 * @param isAll whether the search covered all loaded lines.
 */
export function notFoundMessage(result: string, kind: 'error' | 'match', isAll: boolean): string {
  const none = isAll ? `No ${kind}` : `No older ${kind}`;
  switch (result) {
    case 'failed':
      return `${none} loaded. Older lines could not be fetched.`;
    default:
      return `${none}.`;
  }
}
