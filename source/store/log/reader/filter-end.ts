import type { StoreApi } from 'zustand/vanilla';
import type { LogFilterState } from './filter.ts';

/** End of the wait for a filter; `moved` when the query or the services have changed. */
export type FilterEnd = 'done' | 'moved' | 'cancelled';

/** State of a filter or of a search. */
type ScanState = Pick<LogFilterState, 'query' | 'done'> & Partial<LogFilterState>;

/**
 * Resolves when a filter or a search has scanned all lines in memory.
 * @param onProgress called with the number of scanned lines and of all lines.
 */
export function filterEnd<T extends ScanState>(
  { state }: { readonly state: Pick<StoreApi<T>, 'getState' | 'subscribe'> },
  signal: AbortSignal,
  onProgress: (looked: number, total: number) => void = () => {},
): Promise<FilterEnd> {
  const { query, services, done, looked = 0, total = 0 } = state.getState();
  if (signal.aborted) return Promise.resolve('cancelled');
  if (done) return Promise.resolve('done');
  onProgress(looked, total);
  return new Promise((resolve) => {
    const cancel = () => finish('cancelled');
    const stop = state.subscribe((now) => {
      if (now.query !== query || now.services !== services) finish('moved');
      else if (now.done) finish('done');
      else onProgress(now.looked ?? 0, now.total ?? 0);
    });
    const finish = (reason: FilterEnd): void => {
      stop();
      signal.removeEventListener('abort', cancel);
      resolve(reason);
    };
    signal.addEventListener('abort', cancel);
  });
}
