import type { LogFilter } from './filter.ts';

/** End of the wait for a filter; `moved` when the filters or the services have changed. */
export type FilterWaitResult = 'done' | 'moved' | 'cancelled';

/**
 * Resolves when a filter has scanned all lines in memory, when the filters or the services change,
 * or when `signal` is aborted. Lines that arrive meanwhile count; `state` may lag behind them.
 * @param onProgress called with the number of scanned lines and of all lines.
 */
export function waitForFilter(
  { state, isDone }: Pick<LogFilter, 'state' | 'isDone'>,
  signal: AbortSignal,
  onProgress: (looked: number, total: number) => void = () => {},
): Promise<FilterWaitResult> {
  const { active, services, members, looked, total } = state.getState();
  if (signal.aborted) return Promise.resolve('cancelled');
  if (isDone()) return Promise.resolve('done');
  onProgress(looked, total);
  return new Promise((resolve) => {
    const cancel = () => finish('cancelled');
    const stop = state.subscribe((now) => {
      const isSame = now.active === active && now.services === services && now.members === members;
      if (!isSame) finish('moved');
      else if (isDone()) finish('done');
      else onProgress(now.looked, now.total);
    });
    const finish = (reason: FilterWaitResult): void => {
      stop();
      signal.removeEventListener('abort', cancel);
      resolve(reason);
    };
    signal.addEventListener('abort', cancel);
  });
}
