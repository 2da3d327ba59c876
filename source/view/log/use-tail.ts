import { useCallback, useSyncExternalStore } from 'react';
import { useStore } from 'zustand';
import { useDeck } from '../parts/context.ts';
import type { Tail } from '../../store/log/tail.ts';

/**
 * Returns the opened log. Rerenders when its connection, position, filter or services change, but
 * not with every line.
 */
export function useTail(): Tail | undefined {
  const tail = useStore(useDeck().opened, (opened) => opened.tail);
  const subscribe = useCallback(
    (changed: () => void) => {
      const ends = [
        tail?.log.state.subscribe(changed),
        tail?.view.position.subscribe(changed),
        tail?.filter.state.subscribe(changed),
      ];
      return () => {
        for (const end of ends) end?.();
      };
    },
    [tail],
  );
  useSyncExternalStore(subscribe, () => tail?.log.state.getState().connection);
  useSyncExternalStore(subscribe, () => tail?.view.position.getState());
  useSyncExternalStore(subscribe, () => tail?.filter.state.getState().active);
  useSyncExternalStore(subscribe, () => tail?.filter.state.getState().services);
  useSyncExternalStore(subscribe, () => tail?.filter.state.getState().members);
  return tail;
}

/** Returns the progress message of the running search, or undefined. */
export function useSeeking(): string | undefined {
  const progress = useStore(useDeck().opened, ({ tail }) => tail?.reading.seek.progress);
  return useSyncExternalStore(
    (changed) => progress?.subscribe(changed) ?? (() => {}),
    () => progress?.getState(),
  );
}
