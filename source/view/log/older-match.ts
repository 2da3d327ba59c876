import type { Deck } from '../../store/deck/deck.ts';
import { fetchOlderLines } from '../../store/log/reader/older.ts';
import type { LogSearch } from '../../store/log/reader/search.ts';
import type { Tail } from '../../store/deck/opened.ts';
import { formatCount } from '../text/amount.ts';
import { hasOlder } from './place.ts';

/** Lines fetched at most before the search stops and waits for another key. */
export const stopsAfter = 200_000;

/**
 * Moves the cursor to the nearest older match. Searches the rest of the loaded lines, then fetches
 * older lines until one matches.
 */
export async function seekOlderMatch(
  deck: Pick<Deck, 'clock' | 'messages'>,
  tail: Tail,
): Promise<void> {
  const { log, search, reading } = tail;
  const atHand = reading.seek.begin(() => search.cancelPending());
  const step = await olderMatch(search);
  atHand.end();
  if (step !== 'none') return;
  const began = log.entries.length;
  const ending = new AbortController();
  const { signal } = ending;
  const seeking = reading.seek.begin(() => {
    ending.abort();
    search.cancelPending();
  });
  const finish = (sentence: string | undefined): void => {
    if (signal.aborted) return;
    seeking.end();
    if (sentence !== undefined) deck.messages.say(sentence);
  };
  for (;;) {
    const count = log.entries.length;
    if (count - began >= stopsAfter) {
      return finish(`Stopped after ${formatCount(stopsAfter)} lines. N continues.`);
    }
    if (hasOlder(tail)) {
      seeking.report(`Searched ${formatCount(count)} lines. Esc stops.`);
    }
    const came = await fetchOlderLines(log, deck.clock, signal);
    if (came === 'left') return finish(undefined);
    if (came !== 'grown') return finish(noOlderSentence(came, 'match', false));
    if ((await olderMatch(search)) !== 'none') return finish(undefined);
  }
}

/** Steps to the nearest older match. Resolves to `left` when the search was cancelled. */
function olderMatch(search: LogSearch): Promise<'none' | 'moved' | 'left'> {
  const { query } = search.state.getState();
  const step = search.next('older');
  if (step !== 'looking') return Promise.resolve(step);
  return new Promise((resolve) => {
    const stop = search.state.subscribe((now) => {
      if (now.query === query && now.looking !== undefined) return;
      stop();
      resolve(now.query === query && now.missed === 'older' ? 'none' : 'left');
    });
  });
}

/**
 * Returns the message for a search without result.
 * @param isAll whether the search covered all loaded lines.
 */
export function noOlderSentence(came: string, what: 'error' | 'match', isAll: boolean): string {
  const none = isAll ? `No ${what}` : `No older ${what}`;
  switch (came) {
    case 'full':
      return `${none} in memory. --log-lines keeps more.`;
    case 'failed':
      return `${none} loaded. Older lines could not be fetched.`;
    default:
      return `${none}.`;
  }
}
