/** Brings a reader back to where the log was left. */
import type { LogLine } from '../../../contract/logs.ts';
import type { Entries } from '../../../tail/arena/entries.ts';
import { findTime } from '../../../tail/arena/time-search.ts';
import { jumpToTime } from '../reader/time-jump.ts';
import { keyName } from '../../prompts/key-names.ts';
import type { Clock } from '../../time/clock.ts';
import type { Tail } from '../tail.ts';
import { findKeptLine, type KeptLine, timeOfStored } from './stored-line.ts';
import type { StoredView } from './stored-view.ts';

export interface ViewRestoring {
  /** Returns the marks whose lines are not loaded yet. */
  unresolved(): readonly KeptLine[];
  /** Returns the line to which the reader is still being brought. */
  pendingCursor(): Pick<StoredView, 'cursor' | 'anchor'>;
  stop(): void;
}

/** Milliseconds between two searches for lines that have loaded. */
const searchInterval = 250;

/**
 * Applies filters at once, and position, selection and marks as their lines load. A position that is not
 * loaded is fetched, unless the person moves meanwhile; marks wait until their lines are loaded.
 */
export function restoreView(
  tail: Pick<Tail, 'log' | 'view' | 'filter' | 'reading' | 'entries'>,
  stored: StoredView,
  options: {
    readonly clock: Clock;
    /** Returns the service's time, ms since the epoch. */
    readonly serviceNow: () => number;
    readonly say: (sentence: string) => void;
  },
): ViewRestoring {
  const { log, view, filter, reading } = tail;
  let marks = stored.marks;
  let cursor = stored.cursor;
  let isFetching = false;
  let cancelSearch: (() => void) | undefined;
  filter.setShown({
    services: stored.services && new Set(stored.services),
    members: stored.members && new Set(stored.members),
  });
  filter.setFilters(stored.filters);
  if (stored.columns !== undefined) reading.columns.choose(stored.columns);
  const start = view.position.getState();

  const resolveMarks = (): void => {
    marks = marks.filter((mark) => {
      if (!mayBeLoaded(log.entries, mark)) return true;
      const entry = findKeptLine(log.entries, mark);
      if (entry !== undefined) reading.marks.restore(entry);
      return entry === undefined;
    });
  };

  const finish = (line: KeptLine, otherwise?: string): void => {
    cursor = undefined;
    const entry = findKeptLine(log.entries, line);
    if (entry === undefined) {
      if (otherwise !== undefined) options.say(otherwise);
      return;
    }
    const anchor = stored.anchor && findKeptLine(log.entries, stored.anchor);
    if (anchor === undefined) view.goTo(entry.seq);
    else view.select(anchor.seq, entry.seq);
    options.say(
      `The log is paused where you left it; ${keyName('log.follow', 'G')} there follows.`,
    );
  };

  const resolveCursor = (): void => {
    const isLoaded = log.state.getState().ready && log.entries.length > 0;
    if (cursor === undefined || isFetching || !isLoaded) return;
    const line = cursor;
    const time = timeOfStored(line);
    if (view.position.getState() !== start) {
      cursor = undefined;
      return;
    }
    if (time === undefined || mayBeLoaded(log.entries, line)) finish(line);
    else {
      isFetching = true;
      const { clock, serviceNow } = options;
      const now = serviceNow();
      jumpToTime({ tail, time, now, utc: false, clock, say: (sentence) => finish(line, sentence) });
    }
  };

  const search = (): void => {
    cancelSearch = undefined;
    resolveMarks();
    resolveCursor();
    if (marks.length === 0 && cursor === undefined) stop();
  };
  const schedule = (): void => {
    cancelSearch ??= options.clock.after(searchInterval, search);
  };
  const unsubscribes = [log.state.subscribe(schedule)];
  const stop = (): void => {
    for (const unsubscribe of unsubscribes.splice(0)) unsubscribe();
    cancelSearch?.();
  };
  search();
  return {
    unresolved: () => marks,
    pendingCursor: () => (cursor === undefined ? {} : { cursor, anchor: stored.anchor }),
    stop,
  };
}

/** Returns whether the loaded lines reach back to a line. */
function mayBeLoaded(entries: Entries<LogLine>, line: KeptLine): boolean {
  const time = timeOfStored(line);
  if (entries.length === 0) return false;
  const oldest = findTime(entries, 0);
  return time === undefined || oldest === undefined || oldest <= time;
}
