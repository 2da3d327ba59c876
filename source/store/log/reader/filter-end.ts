import type { StoreApi } from 'zustand/vanilla';
import type { LogFilterState } from './filter.ts';

/** `moved`: something else is asked for by now, or nothing. */
export type FilterEnd = 'done' | 'moved' | 'cancelled';

/** What is told of a filter, or of a search. */
type Looking = Pick<LogFilterState, 'query' | 'done'> & Partial<LogFilterState>;

/**
 * Waits until a filter, or a search, has looked at all lines at hand.
 * @param onProgress called with lines looked at, and lines there are.
 */
export function filterEnd<T extends Looking>(
  { state }: { readonly state: Pick<StoreApi<T>, 'getState' | 'subscribe'> },
  signal: AbortSignal,
  onProgress: (looked: number, total: number) => void = () => {},
): Promise<FilterEnd> {
  const { query, services, done, looked = 0, total = 0 } = state.getState();
  if (signal.aborted) return Promise.resolve('cancelled');
  if (done) return Promise.resolve('done');
  onProgress(looked, total);
  return new Promise((resolve) => {
    const cancel = () => end('cancelled');
    const stop = state.subscribe((now) => {
      if (now.query !== query || now.services !== services) end('moved');
      else if (now.done) end('done');
      else onProgress(now.looked ?? 0, now.total ?? 0);
    });
    const end = (how: FilterEnd): void => {
      stop();
      signal.removeEventListener('abort', cancel);
      resolve(how);
    };
    signal.addEventListener('abort', cancel);
  });
}
