import { seqAt } from '../../../tail/arena/entries.ts';
import type { Clock } from '../../time/clock.ts';
import type { Logs } from '../feed/logs.ts';

/**
 * What came of asking for older lines: there are some, there are none, memory has no room for them,
 * or they did not come. `left`: the log was closed, or nobody waits any more.
 */
export type OlderEnd = 'grown' | 'none' | 'full' | 'failed' | 'left';

/** Lines asked for at once. */
const olderLines = 5000;

/** Milliseconds without one more line after which older ones are given up. */
const patience = 20_000;

/**
 * Calls `action` when older lines have been waited for long enough: not while the service is there
 * and still asked for them, or for the history to begin with. It is on the log to give these up.
 * @returns what cancels that.
 */
export function whenPatienceEnds(
  log: Pick<Logs, 'state'>,
  clock: Clock,
  action: () => void,
): () => void {
  let cancel = (): void => {};
  const wait = (): void => {
    cancel = clock.after(patience, () => {
      const { older, ready, connection } = log.state.getState();
      const isThere = connection.kind === 'live' || connection.kind === 'polling';
      if (isThere && (!ready || older === 'loading')) wait();
      else action();
    });
  };
  wait();
  return () => cancel();
}

/** Fetches some lines that are older than all at hand. */
export function fetchOlder(
  log: Pick<Logs, 'entries' | 'state' | 'olderWanted'>,
  clock: Clock,
  signal: AbortSignal,
): Promise<OlderEnd> {
  const { epoch } = log.entries;
  const before = seqAt(log.entries, 0) ?? Number.POSITIVE_INFINITY;
  // Where the first line is a newer one, memory has dropped what stood before it.
  const isGrown = (): boolean =>
    log.entries.epoch !== epoch || (seqAt(log.entries, 0) ?? before) < before;
  const known = log.state.getState().older;
  if (signal.aborted) return Promise.resolve('left');
  if (known === 'none' || known === 'full') return Promise.resolve(known);
  return new Promise((resolve) => {
    let wasLoading = false;
    /** False while others are loaded that were asked for before. */
    let isAsked = false;
    const ask = (): void => {
      isAsked = log.olderWanted(olderLines);
      wasLoading = !isAsked;
    };
    const look = (): void => {
      const { older, connection } = log.state.getState();
      if (connection.kind === 'stopped' && connection.error === undefined) end('left');
      // One page is enough to be looked at, whatever else is still asked for.
      else if (isGrown()) end('grown');
      else if (older === 'loading') wasLoading = true;
      else if (older !== 'more') end(older);
      else if (wasLoading && isAsked) end('failed');
      else if (wasLoading) ask();
    };
    const leave = () => end('left');
    const ends = [
      log.state.subscribe(look),
      whenPatienceEnds(log, clock, () => end('failed')),
      () => signal.removeEventListener('abort', leave),
    ];
    const end = (how: OlderEnd): void => {
      for (const stop of ends) stop();
      resolve(how);
    };
    signal.addEventListener('abort', leave);
    ask();
  });
}
