import type { StoreApi } from 'zustand/vanilla';
import type { LogConnectionState } from '../log/feed/connection.ts';
import type { Polling } from './polling.ts';

interface FollowedLog {
  readonly state: Pick<
    StoreApi<{ readonly connection: Pick<LogConnectionState, 'kind'> }>,
    'getState' | 'subscribe'
  >;
}

/**
 * Fetches the lists at once when the log of a service that is away connects, so that the console
 * does not call a service away whose lines arrive. Returns the function that ends this.
 */
export function fetchWhenLogReturns(
  opened: Pick<
    StoreApi<{ readonly tail: { readonly log: FollowedLog } | undefined }>,
    'getState' | 'subscribe'
  >,
  refresh: Pick<Polling, 'now'> & { readonly reach: Pick<Polling['reach'], 'getState'> },
): () => void {
  const follow = (log: FollowedLog | undefined): (() => void) =>
    log?.state.subscribe(({ connection }, before) => {
      const isBack = connection.kind === 'live' && before.connection.kind !== 'live';
      if (isBack && refresh.reach.getState().kind === 'away') refresh.now();
    }) ?? (() => {});

  let unfollow = follow(opened.getState().tail?.log);
  const unsubscribe = opened.subscribe(({ tail }, before) => {
    if (tail?.log === before.tail?.log) return;
    unfollow();
    unfollow = follow(tail?.log);
  });
  return () => {
    unsubscribe();
    unfollow();
  };
}
