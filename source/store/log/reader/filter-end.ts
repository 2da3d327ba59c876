import type { LogFilter } from './filter.ts';

/** How a wait for a filter ended; `moved`: the filter's query or services have changed. */
export type FilterEnd = 'done' | 'moved' | 'cancelled';

/**
 * Resolves when a filter has matched every line at hand, when something else is filtered by, or when
 * `signal` is aborted. Lines that arrive meanwhile count: `state` alone may still tell of those before.
 * @param onProgress called with the lines matched so far, and all lines.
 */
export function filterEnd(
  { state, isDone }: Pick<LogFilter, 'state' | 'isDone'>,
  signal: AbortSignal,
  onProgress: (looked: number, total: number) => void = () => {},
): Promise<FilterEnd> {
  const { query, services, looked, total } = state.getState();
  if (signal.aborted) return Promise.resolve('cancelled');
  if (isDone()) return Promise.resolve('done');
  onProgress(looked, total);
  return new Promise((resolve) => {
    const cancel = () => end('cancelled');
    const stop = state.subscribe((now) => {
      if (now.query !== query || now.services !== services) end('moved');
      else if (isDone()) end('done');
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
