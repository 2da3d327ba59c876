import type { StoreApi } from 'zustand/vanilla';
import type { LogLine } from '../../contract/logs.ts';
import type { Entries } from '../../tail/arena/entries.ts';
import type { Clock } from '../time/clock.ts';
import { LogHistogram } from './histogram/histogram.ts';
import { LogComparison } from './patterns/comparison.ts';
import { LogFolds } from './patterns/folds.ts';
import { LogPatterns } from './patterns/log-patterns.ts';
import { PatternNames } from './patterns/pattern-names.ts';
import { PatternList } from './patterns/pattern-list.ts';
import { ScrollAnchor } from './reader/scroll-anchor.ts';
import { trackGapCursor } from './reader/gap-cursor.ts';
import { isFiltered, LogFilter } from './reader/filter.ts';
import type { NamesOf } from './reader/scan.ts';
import type { LogRestarts } from './restarts.ts';
import { LogSearch } from './reader/search.ts';
import { LogView, cursorSeq, shownEntries } from './reader/view.ts';
import type { JoinedLogs } from './feed/joined.ts';
import type { LogSource } from './feed/log-source.ts';
import { type ColumnChoice, createColumnChoice } from './reader/columns.ts';
import { LogMarks } from './reader/marks.ts';
import { LogRates } from './rates.ts';
import { createLogSeek, type LogSeek } from './reader/running-seek.ts';

/** A followed log with its reader state; created for each deployment that is opened. */
export interface Tail {
  readonly log: LogSource;
  /** Ids of the deployments that write the log. */
  readonly deploymentIds: readonly string[];
  /** The same log as `log`, when it belongs to several deployments. */
  readonly joined: JoinedLogs | undefined;
  /** Returns the names and the id of the deployment that wrote a line. */
  readonly namesOf: NamesOf;
  /** Entries that pass the filter. */
  readonly entries: Entries<LogLine>;
  readonly view: LogView;
  readonly filter: LogFilter;
  readonly search: LogSearch;
  readonly reading: ReaderState;
  readonly histogram: LogHistogram;
  readonly patterns: LogPatterns;
  readonly patternList: PatternList;
  readonly patternNames: PatternNames;
  readonly comparison: LogComparison;
  /** Runs of one pattern that are drawn as one row. */
  readonly folds: LogFolds;
  /** Restarts of all deployments. */
  readonly restarts: StoreApi<LogRestarts>;
  stop(): void;
}

/** The followed log without reader state. */
export type TailSource = Pick<Tail, 'log' | 'deploymentIds' | 'joined' | 'restarts'> & {
  /** Returns the name of a deployment. Default: its id. */
  readonly nameOf?: ((deploymentId: string) => string) | undefined;
};

/** @param serviceNow returns the time of the service in ms since the epoch. */
export function createTail(
  source: TailSource,
  clock: Clock,
  serviceNow: () => number = () => clock.now(),
): Tail {
  const { log, deploymentIds, nameOf } = source;
  const namesOf: NamesOf = (member = 0) => {
    const id = deploymentIds[member];
    return id === undefined ? undefined : [nameOf?.(id) ?? id, id];
  };
  const filter = new LogFilter({
    clock,
    namesOf,
    entries: log.entries,
    onInserted: (listener) => log.onInserted(listener),
    eye: () => cursorSeq(view.position.getState()),
    beforeChange: () => anchor.capture(),
  });
  const { entries } = filter;
  const patterns = new LogPatterns({ log, clock, serviceNow });
  const comparison = new LogComparison(log.entries, patterns, clock);
  const folds = new LogFolds(entries, (text) => patterns.patternOf(text));
  const view = new LogView({
    entries,
    received: () => log.received(),
    widened: (range) => folds.widened(range),
  });
  log.show((level) =>
    shownEntries(view, log.entries, isFiltered(filter) ? entries : undefined, level),
  );
  const anchor = new ScrollAnchor(filter, view, entries);
  const stopGapCursor = trackGapCursor({
    entries,
    view,
    onInserted: (listener) => log.onInserted(listener),
  });
  const search = new LogSearch({ clock, namesOf, filter, view });
  const readerState = createReaderState(entries, view);
  const histogram = new LogHistogram({ log, filter, clock, serviceNow });
  return {
    ...source,
    namesOf,
    entries,
    view,
    filter,
    search,
    reading: readerState,
    histogram,
    patterns,
    patternList: new PatternList(patterns),
    patternNames: new PatternNames(),
    comparison,
    folds,
    stop() {
      readerState.seek.cancel();
      anchor.stop();
      stopGapCursor();
      histogram.stop();
      patterns.stop();
      comparison.stop();
      search.stop();
      filter.stop();
      log.stop();
    },
  };
}

/** State of the reader of one log, except the position. */
export interface ReaderState {
  readonly seek: LogSeek;
  readonly marks: LogMarks;
  readonly rates: LogRates;
  /** Fields that are shown as columns. */
  readonly columns: ColumnChoice;
  /** Layout of the lines in the last frame, and the row of the cursor. */
  laidOut:
    | {
        readonly wrap: boolean;
        readonly width: number;
        readonly row: number;
        /** Rows by which the line under the cursor may be scrolled; 0 when it fits the window. */
        readonly hidden: number;
      }
    | undefined;
}

export function createReaderState(entries: Entries<LogLine>, view: LogView): ReaderState {
  return {
    seek: createLogSeek(view),
    marks: new LogMarks(entries),
    rates: new LogRates(),
    columns: createColumnChoice(),
    laidOut: undefined,
  };
}
