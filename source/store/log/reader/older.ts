import { seqAt } from '../../../tail/arena/entries.ts';
import type { Clock } from '../../time/clock.ts';
import type { Logs } from '../feed/log-source.ts';

/**
 * Outcome of a request for older lines: lines were added, there are none, memory is full, or the
 * request failed. `left`: the log was closed, or the request was aborted.
 */
export type OlderResult = 'grown' | 'none' | 'full' | 'failed' | 'left';

/** Lines per request. */
const olderLines = 5000;

/** Milliseconds without a new line after which the request has failed. */
const timeLimit = 20_000;

/**
 * Calls `action` when a request for older lines times out. While the log is connected and still
 * loading, the wait goes on, because the log itself gives up such a request.
 * @returns a function that cancels the call.
 */
function onOlderTimeout(log: Pick<Logs, 'state'>, clock: Clock, action: () => void): () => void {
  let cancel = (): void => {};
  const wait = (): void => {
    cancel = clock.after(timeLimit, () => {
      const { older, ready, connection } = log.state.getState();
      const isConnected = connection.kind === 'live' || connection.kind === 'polling';
      if (isConnected && (!ready || older === 'loading')) wait();
      else action();
    });
  };
  wait();
  return () => cancel();
}

/** Fetches some lines that are older than all loaded ones. */
export function fetchOlderLines(
  log: Pick<Logs, 'entries' | 'state' | 'olderWanted'>,
  clock: Clock,
  signal: AbortSignal,
  lines = olderLines,
): Promise<OlderResult> {
  const { epoch } = log.entries;
  const before = seqAt(log.entries, 0) ?? Number.POSITIVE_INFINITY;
  // If the first line is newer than before, memory has dropped the lines before it.
  const isGrown = (): boolean =>
    log.entries.epoch !== epoch || (seqAt(log.entries, 0) ?? before) < before;
  const current = log.state.getState().older;
  if (signal.aborted) return Promise.resolve('left');
  if (current === 'none' || current === 'full') return Promise.resolve(current);
  return new Promise((resolve) => {
    let wasLoading = false;
    /** False while an earlier request for other lines is still loading. */
    let isRequested = false;
    const request = (): void => {
      isRequested = log.olderWanted(lines);
      wasLoading = !isRequested;
    };
    const check = (): void => {
      const { older, connection } = log.state.getState();
      if (connection.kind === 'stopped' && connection.error === undefined) finish('left');
      // One page is enough, even if more is still loading.
      else if (isGrown()) finish('grown');
      else if (older === 'loading') wasLoading = true;
      else if (older !== 'more') finish(older);
      else if (wasLoading && isRequested) finish('failed');
      else if (wasLoading) request();
    };
    const cancel = () => finish('left');
    const unsubscribes = [
      log.state.subscribe(check),
      onOlderTimeout(log, clock, () => finish('failed')),
      () => signal.removeEventListener('abort', cancel),
    ];
    const finish = (reason: OlderResult): void => {
      for (const stop of unsubscribes) stop();
      resolve(reason);
    };
    signal.addEventListener('abort', cancel);
    request();
  });
}
