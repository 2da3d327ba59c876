import { useCallback, useSyncExternalStore } from 'react';
import { useDeck } from '../parts/context.ts';
import type { Line } from '../text/line.ts';
import { queryStrip } from './state-line.ts';
import type { Tail } from '../../store/log/tail.ts';
import { watchQueries } from './rows-changed.ts';

/** Returns the strip with filter and search of a log; empty without either. */
export function useQueryStrip(tail: Tail, width: number): Line {
  const { clock } = useDeck();
  const subscribe = useCallback(
    (changed: () => void) => watchQueries(tail, clock, changed),
    [tail, clock],
  );
  const read = () => queryStrip(tail.filter.state.getState(), tail.search.state.getState(), width);
  // The text is compared, because the state objects change with every line.
  useSyncExternalStore(subscribe, () => JSON.stringify(read()));
  return read();
}
