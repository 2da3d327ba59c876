import { useCallback, useSyncExternalStore } from 'react';
import { useStore } from 'zustand';
import type { Tail } from '../../store/deck/opened.ts';
import { useDeck } from '../parts/context.ts';

/**
 * The log of the opened deployment; draws anew when its connection, the reader's place in it or what
 * of it is shown changes, but not with every line.
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
  useSyncExternalStore(subscribe, () => tail?.filter.state.getState().query);
  useSyncExternalStore(subscribe, () => tail?.filter.state.getState().services);
  return tail;
}

/** How far the search in the log is; undefined while nothing is looked for. */
export function useSeeking(): string | undefined {
  const progress = useStore(useDeck().opened, ({ tail }) => tail?.reading.seek.progress);
  return useSyncExternalStore(
    (changed) => progress?.subscribe(changed) ?? (() => {}),
    () => progress?.getState(),
  );
}

/** Whether the log stands still; draws anew when it does or goes on, not with every step in it. */
export function useFrozen(): boolean {
  const position = useStore(useDeck().opened, ({ tail }) => tail?.view.position);
  return useSyncExternalStore(
    (changed) => position?.subscribe(changed) ?? (() => {}),
    () => position?.getState().kind === 'frozen',
  );
}
