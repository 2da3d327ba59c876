import type { LineQuery } from '../../../tail/query/log-query.ts';
import { type LineQueries, type LineQueryKind, addQuery } from '../../log/line-queries.ts';
import type { LogTimeFormat } from '../../log/times.ts';
import type { Slice } from './slice.ts';

export interface ReadingState {
  readonly wrap: boolean;
  readonly times: LogTimeFormat;
  /** Whether logs show their histogram; undefined to decide by the height of the terminal. */
  readonly histogram: boolean | undefined;
  /** True to show JSON records of logs as they are written. */
  readonly rawJson: boolean;
  /** Columns the log is scrolled sideways; new lines do not change it. */
  readonly logLeft: number;
  /** Searches and filters of logs, for the history of their prompts. */
  readonly queries: LineQueries;
}

/** Settings of logs and texts. */
export interface ReadingActions {
  setWrap(wrap: boolean): void;
  /** Wraps lines or stops wrapping them, with the log at its left edge. Returns the new setting. */
  toggleWrap(): boolean;
  setTimes(times: LogTimeFormat): void;
  setHistogram(isShown: boolean): void;
  /** Shows JSON records as they are written, or as level, message and fields. Returns the new setting. */
  toggleRawJson(): boolean;
  /** Scrolls the log sideways to a column. */
  setLogLeft(columns: number): void;
  addQuery(kind: LineQueryKind, query: LineQuery): void;
}

export function readingActions({ get, set }: Slice<ReadingState>): ReadingActions {
  return {
    setWrap(wrap) {
      set({ wrap });
    },
    toggleWrap() {
      set(({ wrap }) => ({ wrap: !wrap, logLeft: 0 }));
      return get().wrap;
    },
    setTimes(times) {
      set({ times });
    },
    setHistogram(histogram) {
      set({ histogram });
    },
    toggleRawJson() {
      set(({ rawJson }) => ({ rawJson: !rawJson }));
      return get().rawJson;
    },
    setLogLeft(logLeft) {
      set({ logLeft });
    },
    addQuery(kind, query) {
      set(({ queries }) => ({ queries: { ...queries, [kind]: addQuery(queries[kind], query) } }));
    },
  };
}
