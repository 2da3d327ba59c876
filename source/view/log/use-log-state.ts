import { useCallback, useSyncExternalStore } from 'react';
import { useStore } from 'zustand';
import { useDeck, useScreen } from '../parts/context.ts';
import { contextOf } from '../command/command.ts';
import type { Line } from '../text/line.ts';
import { logStateLine } from './state-line.ts';
import { watchQueries } from './rows-changed.ts';

const emptyLine: Line = [];

/** Returns the row with the state of filter and search; empty while the log is not focused. */
export function useLogState(frozen: string | undefined, width: number): Line {
  const deck = useDeck();
  const tail = useStore(deck.opened, (opened) => opened.tail);
  const isLogFocused = useScreen(({ focus, main }) => contextOf(focus, main) === 'logs');
  const subscribe = useCallback(
    (changed: () => void) =>
      tail === undefined ? () => {} : watchQueries(tail, deck.clock, changed),
    [tail, deck],
  );
  const read = () => {
    if (tail === undefined || !isLogFocused) return emptyLine;
    const [filter, search] = [tail.filter.state.getState(), tail.search.state.getState()];
    return logStateLine(filter, search, frozen, width);
  };
  // The text is compared, because the state objects change with every line.
  useSyncExternalStore(subscribe, () => JSON.stringify(read()));
  return read();
}
