import { keyName } from '../../store/prompts/key-names.ts';
import type { Deck } from '../../store/deck/deck.ts';
import { fetchOlderLines } from '../../store/log/reader/older.ts';
import type { LogSearch } from '../../store/log/reader/search.ts';
import { formatCount } from '../text/amount.ts';
import { linesOfSearch } from '../../store/log/reader/walk-older.ts';
import type { RunningSeek } from '../../store/log/reader/seek.ts';
import { passedUnreadMessage, walkBeyondMemory, walkMessage } from './beyond-memory.ts';
import { hasOlderLines, logCursor } from './place.ts';
import type { Tail } from '../../store/log/tail.ts';

/** Lines fetched at most before the search stops and waits for another key. */
export const maxSearchedLines = 200_000;

/**
 * Moves the cursor to the nearest older match. Searches the rest of the loaded lines, then fetches
 * older lines until one matches.
 */
export async function seekOlderMatch(
  deck: Pick<Deck, 'clock' | 'screen' | 'messages'>,
  tail: Tail,
): Promise<void> {
  const { log, search, reading } = tail;
  const localSearch = reading.seek.begin(() => search.cancelPending());
  const start = logCursor(tail) ?? Number.POSITIVE_INFINITY;
  const step = await stepToOlderMatch(search);
  localSearch.end();
  if (step !== 'none') return step === 'moved' ? sayPassed(deck, tail, start) : undefined;
  const initialCount = log.entries.length;
  const controller = new AbortController();
  const { signal } = controller;
  const seeking = reading.seek.begin(() => {
    controller.abort();
    search.cancelPending();
  });
  const finish = (sentence: string | undefined): void => {
    if (signal.aborted) return;
    seeking.end();
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
      seeking.report(`Searched ${formatCount(count)} lines. Esc stops.`);
    }
    const result = await fetchOlderLines(log, deck.clock, signal);
    if (result === 'left') return finish(undefined);
    if (result === 'full')
      return finish(await stepBeyondMemory(deck, tail, { seek: seeking, signal }));
    if (result !== 'grown') return finish(notFoundMessage(result, 'match', false));
    if ((await stepToOlderMatch(search)) !== 'none') return finish(undefined);
  }
}

/** Moves the cursor to a match that memory had no room for. Resolves to the message about it. */
async function stepBeyondMemory(
  deck: Pick<Deck, 'clock' | 'screen'>,
  tail: Tail,
  work: { readonly seek: RunningSeek; readonly signal: AbortSignal },
): Promise<string | undefined> {
  const { query } = tail.search.state.getState();
  const wanted = query && linesOfSearch(query, deck.clock);
  if (wanted === undefined) return undefined;
  const walk = await walkBeyondMemory(deck, tail, wanted, work);
  if (walk.end === 'found' || walk.end === 'hinted') {
    // The step moves the reader, which would stop the work.
    work.seek.end();
    await stepToOlderMatch(tail.search);
  }
  return walkMessage(deck, walk, 'match', keyName('log.older-match', 'N'));
}

/** Says which lines a step from `start` to the cursor has passed unread. */
export function sayPassed(deck: Pick<Deck, 'messages'>, tail: Tail, start: number): void {
  const cursor = logCursor(tail);
  const passed = cursor === undefined ? undefined : passedUnreadMessage(tail, start, cursor);
  if (passed !== undefined) deck.messages.say(passed);
}

/** Steps to the nearest older match. Resolves to `cancelled` when the search was cancelled. */
function stepToOlderMatch(search: LogSearch): Promise<'none' | 'moved' | 'cancelled'> {
  const { query } = search.state.getState();
  const step = search.next('older');
  if (step !== 'looking') return Promise.resolve(step);
  return new Promise((resolve) => {
    const stop = search.state.subscribe((now) => {
      if (now.query === query && now.looking !== undefined) return;
      stop();
      resolve(now.query === query && now.missed === 'older' ? 'none' : 'cancelled');
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
