import { useCallback, useSyncExternalStore } from 'react';
import type { StoreApi } from 'zustand/vanilla';

/** Draws the component again whenever a store has changed; without a store, never. */
export function useChanges(
  store: Pick<StoreApi<unknown>, 'getState' | 'subscribe'> | undefined,
): void {
  const subscribe = useCallback(
    (changed: () => void) => store?.subscribe(changed) ?? (() => undefined),
    [store],
  );
  useSyncExternalStore(subscribe, () => store?.getState());
}
