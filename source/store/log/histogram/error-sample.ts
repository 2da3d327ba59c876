import type { LogLine } from '../../../contract/logs.ts';
import type { Entries } from '../../../tail/arena/entries.ts';
import { levelOf } from '../../../tail/level.ts';
import type { Clock, Slices } from '../../time/clock.ts';
import type { Bar } from './bars.ts';

/** Lines of a bar that are read at most, in pieces spread over the bar. */
const sampleLines = 2000;
const pieceLines = 250;
/** Milliseconds of work between which key presses are handled. */
const sliceTime = 4;

/**
 * Looks for errors in the lines of bars. Only up to 2,000 lines of a bar are read, so that the cost
 * does not grow with the log: of a larger bar, a few errors among many lines may be missed.
 */
export interface ErrorSample {
  /** Reads the bars that are new or have changed, a few milliseconds at a time. */
  look(bars: readonly Bar[]): void;
  /** Returns whether errors were found in a bar. */
  hasErrors(bar: Bar): boolean;
  /** Forgets all results, because other lines are shown or the bars have another width. */
  clear(): void;
  stop(): void;
}

export function createErrorSample(options: {
  /** The shown lines. */
  readonly entries: Entries<LogLine>;
  readonly clock: Clock;
  readonly slices: Slices;
  /** Called when errors were found in further bars, or in fewer. */
  readonly onChanged: () => void;
}): ErrorSample {
  const { entries, clock, slices } = options;
  /** Results by the start of the bar, with the number of lines that it had then. */
  const results = new Map<number, { readonly count: number; readonly hasErrors: boolean }>();
  let pending: readonly Bar[] = [];
  let cancel: (() => void) | undefined;

  const isOpen = (bar: Bar): boolean => {
    if (bar.count === 0) return false;
    const result = results.get(bar.at);
    if (result === undefined || bar.count < result.count) return true;
    return !result.hasErrors && bar.count > result.count;
  };

  const run = (): void => {
    cancel = undefined;
    const end = clock.now() + sliceTime;
    let isChanged = false;
    do {
      const bar = pending.at(-1);
      pending = pending.slice(0, -1);
      if (bar === undefined) break;
      const hasErrors = findError(entries, bar);
      isChanged ||= hasErrors !== (results.get(bar.at)?.hasErrors ?? false);
      results.set(bar.at, { count: bar.count, hasErrors });
    } while (clock.now() < end);
    if (pending.length > 0) cancel = slices(run);
    if (isChanged) options.onChanged();
  };

  return {
    look(bars) {
      pending = bars.filter(isOpen);
      if (pending.length > 0) cancel ??= slices(run);
    },
    hasErrors: ({ at, count }) => count > 0 && results.get(at)?.hasErrors === true,
    clear() {
      results.clear();
      pending = [];
    },
    stop() {
      cancel?.();
      cancel = undefined;
      pending = [];
    },
  };
}

/** Returns whether one of the sampled lines of a bar is an error. */
function findError(entries: Entries<LogLine>, { first, end }: Bar): boolean {
  const from = entries.indexOf(first);
  const to = end === Number.POSITIVE_INFINITY ? entries.length : entries.indexOf(end);
  const pieces = Math.ceil(Math.min(to - from, sampleLines) / pieceLines);
  const hasError = (piece: number): boolean => {
    const start = from + Math.floor((piece * (to - from)) / pieces);
    let isFound = false;
    entries.scan(start, Math.min(to, start + pieceLines), (_, text) => {
      isFound ||= levelOf(text) === 'error';
    });
    return isFound;
  };
  return Array.from({ length: pieces }, (_, piece) => piece).some(hasError);
}
