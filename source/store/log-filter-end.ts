import type { LogFilter } from './log-filter.ts';

/** `moved`: something else is filtered by now, or nothing. */
export type FilterEnd = 'done' | 'moved' | 'cancelled';

/**
 * Waits until a filter has looked at all lines at hand.
 * @param onProgress called with lines looked at, and lines there are.
 */
export function filterEnd(
  { state }: Pick<LogFilter, 'state'>,
  signal: AbortSignal,
  onProgress: (looked: number, total: number) => void,
): Promise<FilterEnd> {
  const { query, services, done, looked, total } = state.getState();
  if (signal.aborted) return Promise.resolve('cancelled');
  if (done) return Promise.resolve('done');
  onProgress(looked, total);
  return new Promise((resolve) => {
    const cancel = () => end('cancelled');
    const stop = state.subscribe((now) => {
      if (now.query !== query || now.services !== services) end('moved');
      else if (now.done) end('done');
      else onProgress(now.looked, now.total);
    });
    const end = (how: FilterEnd): void => {
      stop();
      signal.removeEventListener('abort', cancel);
      resolve(how);
    };
    signal.addEventListener('abort', cancel);
  });
}
