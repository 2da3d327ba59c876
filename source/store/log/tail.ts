import type { StoreApi } from 'zustand/vanilla';
import { type Clock, slicesOf, unbounded } from '../time/clock.ts';
import { createScrollAnchor } from './reader/scroll-anchor.ts';
import { createGapCursor } from './reader/gap-cursor.ts';
import { createLogFilter, type LogFilter } from './reader/filter.ts';
import { pinEntries, type PinnedEntries } from './reader/pinned.ts';
import { createReaderState, type ReaderState } from './reader/reader-state.ts';
import type { LogRestarts } from './restarts.ts';
import { createLogSearch, type LogSearch } from './reader/search.ts';
import { createLogView, cursorSeq, type LogView } from './reader/view.ts';
import type { JoinedLogs } from './feed/joined.ts';
import type { LogSource } from './feed/logs.ts';

/** The log that is followed, and how it is read; made anew for each deployment that is opened. */
export interface Tail {
  readonly log: LogSource;
  /** The deployments that the log is of. */
  readonly deploymentIds: readonly string[];
  /** The log once more, when it is that of several deployments. */
  readonly joined: JoinedLogs | undefined;
  /** What is shown of it; around the cursor of a frozen view, also what has left memory since. */
  readonly entries: PinnedEntries;
  readonly view: LogView;
  /** Decides what is shown. */
  readonly filter: LogFilter;
  /** Looks for something in it. */
  readonly search: LogSearch;
  readonly reading: ReaderState;
  /** The restarts that were seen, of all deployments. */
  readonly restarts: StoreApi<LogRestarts>;
  stop(): void;
}

/** What is followed, before anything is known of how it is read. */
export type TailSource = Pick<Tail, 'log' | 'deploymentIds' | 'joined' | 'restarts'>;

export function createTail(source: TailSource, clock: Clock): Tail {
  const { log } = source;
  const work = { clock, slices: slicesOf(clock), guard: clock.guard ?? unbounded };
  const filter = createLogFilter({
    ...work,
    entries: log.entries,
    onInserted: (listener) => log.onInserted(listener),
    eye: () => cursorSeq(view.position.getState()),
    beforeChange: () => eye.beforeChange(),
  });
  const entries = pinEntries(filter.entries, {
    log: log.entries,
    shown: () => filter.choice(),
    sift: (some) => filter.sift(some),
  });
  const view = createLogView({ entries, received: () => log.state.getState().received });
  const eye = createScrollAnchor(filter, view, entries);
  const leaveGap = createGapCursor({
    entries,
    view,
    onInserted: (listener) => log.onInserted(listener),
  });
  const search = createLogSearch({ ...work, filter, view, pinned: entries });
  const reading = createReaderState(entries, view);
  return {
    ...source,
    entries,
    view,
    filter,
    search,
    reading,
    stop() {
      reading.seek.cancel();
      eye.stop();
      leaveGap();
      search.stop();
      filter.stop();
      log.stop();
    },
  };
}
