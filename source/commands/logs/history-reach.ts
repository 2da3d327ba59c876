/** Finds where the printed part of a log begins, and whether its history reaches back that far. */
import type { LogLine } from '../../contract/logs.ts';
import { type Entries, type Entry, seqAt } from '../../tail/arena/entries.ts';
import { findTime } from '../../tail/arena/time-search.ts';
import type { WantedHistory } from '../../store/log/feed/followed-log.ts';
import { TimeReach } from '../../tail/log/time-walk.ts';
import type { LineSelector } from './line-selector.ts';
import type { PreviousRun } from './previous-run.ts';

export interface HistoryReach extends WantedHistory {
  /** Returns the index of the first entry to print, of those before the index `end`. */
  firstIndex(entries: Entries<LogLine>, end: number): number;
  /** Returns true when lines were left unsearched, because too many match nothing. */
  isCut(): boolean;
}

/** Entries that are tested at a time. */
const chunk = 500;

/**
 * @param limit selected lines of history; may be infinite.
 * @param mostSearched lines in the range of times that are searched for selected ones.
 * @param run the previous runs whose begins are searched, where only their lines are selected.
 */
export function createHistoryReach(
  selector: LineSelector,
  limit: number,
  mostSearched = Number.POSITIVE_INFINITY,
  run?: PreviousRun,
): HistoryReach {
  const { hasCriteria, since, until } = selector;
  /** The lines that were tested so far, from this `seq` on. */
  let tested: { readonly from: number; readonly epoch: number } | undefined;
  let found = 0;
  let searched = 0;
  let wasCut = false;

  /** Returns how many of the last entries are selected, from the newest to the oldest. */
  const test = (entries: Entries<LogLine>, from: number, to: number): readonly number[] => {
    const part = entries.slice(from, to);
    const lines = linesOf(part);
    const before = selector.needsTimes
      ? (findTime(entries, from - 1, -1) ?? findTime(entries, from))
      : undefined;
    // Patterns that take too long make printing fail at the same lines.
    const passed = selector.select(lines, before) ?? lines.map(() => true);
    let line = 0;
    return part.flatMap((entry, index) => {
      if (entry.kind !== 'line') return [];
      line += 1;
      return passed[line - 1] === true ? [from + index] : [];
    });
  };

  const isEnough = (): boolean => (run === undefined ? found >= limit : run.isComplete());

  /** Counts selected entries that were not there before, back to the first one. */
  const countOlder = (entries: Entries<LogLine>, end: number): void => {
    if (tested?.epoch !== entries.epoch) {
      tested = undefined;
      found = 0;
      searched = 0;
    }
    let to = tested === undefined ? end : Math.min(end, entries.indexOf(tested.from));
    while (to > 0 && !isEnough() && searched < mostSearched) {
      const from = Math.max(0, to - chunk);
      if (run === undefined) found += test(entries, from, to).length;
      else run.learn(linesOf(entries.slice(from, to)));
      const isLater = until !== undefined && (findTime(entries, from) ?? until) >= until;
      if (!isLater) searched += to - from;
      to = from;
      tested = { from: seqAt(entries, from) ?? 0, epoch: entries.epoch };
    }
  };

  const walk = since === undefined ? undefined : new TimeReach(since);

  return {
    isReached(entries, end) {
      if (limit === 0) return true;
      if (walk?.isReached(entries, end) === true) return true;
      if (!hasCriteria) return end >= limit;
      if (run === undefined && !Number.isFinite(limit)) return false;
      countOlder(entries, end);
      wasCut = !isEnough() && searched >= mostSearched;
      return isEnough() || wasCut;
    },
    firstIndex(entries, end) {
      if (!Number.isFinite(limit)) return 0;
      if (!hasCriteria) return Math.max(0, end - limit);
      let left = limit;
      for (let to = end; to > 0 && left > 0; to -= chunk) {
        const indexes = test(entries, Math.max(0, to - chunk), to);
        if (indexes.length >= left) return indexes[indexes.length - left] ?? to;
        left -= indexes.length;
      }
      return left === 0 ? end : 0;
    },
    isCut: () => wasCut,
    linesBefore: () => walk?.linesBefore ?? 0,
    since,
  };
}

function linesOf(entries: readonly Entry<LogLine>[]): readonly LogLine[] {
  return entries.flatMap((entry) => (entry.kind === 'line' ? [entry.line] : []));
}
