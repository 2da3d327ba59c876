import type { Console } from '../store/console.ts';
import { filterEnd } from '../store/log-filter-end.ts';
import { fetchOlder } from '../store/log-older.ts';
import type { Tail } from '../store/opened.ts';
import { formatCount } from './amount.ts';

/** Lines that are fetched at most before the reader is asked again. */
export const stopsAfter = 200_000;

/** Fetches older lines until one of them matches what is searched for, and goes there. */
export async function seekOlderMatch(console: Console, tail: Tail): Promise<void> {
  const { log, search, reading } = tail;
  const began = log.entries.length;
  const ending = new AbortController();
  const { signal } = ending;
  const seeking = reading.seek.begin(() => ending.abort());
  const finish = (sentence: string | undefined): void => {
    if (signal.aborted) return;
    seeking.end();
    if (sentence !== undefined) console.say(sentence);
  };
  for (;;) {
    const count = log.entries.length;
    if (count - began >= stopsAfter) {
      return finish(`Stopped after ${formatCount(stopsAfter)} lines; N goes on.`);
    }
    seeking.say(`Looking for an older match: ${formatCount(count)} lines so far. Esc stops.`);
    const came = await fetchOlder(log, console.clock, signal);
    if (came === 'left') return finish(undefined);
    if (came !== 'grown') return finish(noOlderSentence(came, 'match', false));
    const end = await filterEnd(search, signal);
    if (end !== 'done' || search.next('older') !== 'none') return finish(undefined);
  }
}

/**
 * That no older one was found, and why no more are looked at.
 * @param isAll whether all lines at hand were looked at.
 */
export function noOlderSentence(came: string, what: 'error' | 'match', isAll: boolean): string {
  const none = isAll ? `No ${what}` : `No older ${what}`;
  switch (came) {
    case 'full':
      return `${none} in memory, which is full. --log-lines keeps more.`;
    case 'failed':
      return `${none} at hand. Older lines could not be fetched.`;
    default:
      return `${none}.`;
  }
}
