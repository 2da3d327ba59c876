/** The fields that a log shows as columns, and the box that chooses them. */
import { createStore, type StoreApi } from 'zustand/vanilla';
import type { LogLine } from '../../../contract/logs.ts';
import type { Entries } from '../../../tail/arena/entries.ts';
import { fieldKeys } from '../../../tail/query/line-fields.ts';

/** Keys of fields, from left to right. */
export type LogColumns = readonly string[];

export const noColumns: LogColumns = [];

export interface ColumnChoice {
  readonly state: StoreApi<LogColumns>;
  choose(columns: LogColumns): void;
}

export function createColumnChoice(): ColumnChoice {
  const state = createStore<LogColumns>(() => noColumns);
  return { state, choose: (columns) => state.setState(columns, true) };
}

/** Most columns of a log, and most fields that the box offers. */
export const mostColumns = 12;
const mostOffered = 60;

/** State of the box of columns. */
export interface ColumnsState {
  readonly kind: 'log-columns';
  /** Index of the row under the cursor. */
  readonly index: number;
  /** The fields that the box offers. */
  readonly keys: readonly string[];
}

/** Returns the columns with one more at the right, or without it. */
export function withColumnToggled(columns: LogColumns, key: string): LogColumns {
  if (columns.includes(key)) return columns.filter((each) => each !== key);
  return columns.length >= mostColumns ? columns : [...columns, key];
}

/** Lines before an entry whose fields are offered. */
const readLines = 500;

/**
 * Returns the chosen columns, then the other fields of the lines up to an index, the commonest first.
 * @param end index behind the last line that is read.
 */
export function offeredFields(
  entries: Entries<LogLine>,
  end: number,
  columns: LogColumns,
): readonly string[] {
  const counts = new Map<string, number>();
  for (const entry of entries.slice(Math.max(0, end - readLines), end)) {
    if (entry.kind === 'gap') continue;
    for (const key of fieldKeys(entry.line.logLine)) counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  const others = [...counts]
    .filter(([key]) => !columns.includes(key))
    .toSorted((left, right) => right[1] - left[1])
    .map(([key]) => key);
  return [...columns, ...others].slice(0, mostOffered);
}
