import { keyName } from '../../store/prompts/key-names.ts';
import type { Deck } from '../../store/deck/deck.ts';
import { fetchOlderLines } from '../../store/log/reader/older.ts';
import type { LogSearch } from '../../store/log/reader/search.ts';
import { formatCount } from '../text/amount.ts';
import { hasOlderLines } from './place.ts';
import type { Tail } from '../../store/log/tail.ts';

/** Lines fetched at most before the search stops and waits for another key. */
export const maxSearchedLines = 200_000;

/**
 * Moves the cursor to the nearest older match. Searches the rest of the loaded lines, then fetches
 * older lines until one matches.
 */
export async function seekOlderMatch(
  deck: Pick<Deck, 'clock' | 'messages'>,
  tail: Tail,
): Promise<void> {
  const { log, search, reading } = tail;
  const localSearch = reading.seek.begin(() => search.cancelPending());
  const step = await stepToOlderMatch(search);
  localSearch.end();
  if (step !== 'none') return;
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
    if (result !== 'grown') return finish(notFoundMessage(result, 'match', false));
    if ((await stepToOlderMatch(search)) !== 'none') return finish(undefined);
  }
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
    case 'full':
      return `${none} in memory. --log-lines keeps more.`;
    case 'failed':
      return `${none} loaded. Older lines could not be fetched.`;
    default:
      return `${none}.`;
  }
}
