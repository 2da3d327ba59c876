import { createStore, type StoreApi } from 'zustand/vanilla';
import type { LogLine } from '../../../contract/logs.ts';
import type { Entries } from '../../../tail/arena/entries.ts';
import { findTime } from '../../../tail/arena/time-search.ts';
import type { Clock } from '../../time/clock.ts';
import type { LogSource } from '../feed/log-source.ts';
import type { LogFilter, LogFilterState } from '../reader/filter.ts';
import { type Bar, countBars } from './bars.ts';
import { SlotStarts } from './slot-starts.ts';
import { type Slots, slotsBetween, slotTimes } from './slots.ts';
import { levelOf } from '../../../tail/level.ts';

export type HistogramState =
  /** No line has come yet. */
  | { readonly kind: 'empty' }
  /** The lines have no times. */
  | { readonly kind: 'untimed' }
  | {
      readonly kind: 'bars';
      readonly slots: Slots;
      readonly bars: readonly Bar[];
      /** Starts of the bars in which errors were found. */
      readonly errors: ReadonlySet<number>;
    };

/** Counts of the lines of a log that are in memory and pass the filter, by time. */
export interface LogHistogram {
  /** Published when a slot is over, and when older lines, a gap or the filter change the bars. */
  readonly state: StoreApi<HistogramState>;
  /** Keeps `state` current with at most `most` bars, until the returned function is called. */
  show(most: number): () => void;
  /** Returns the bars as they are now, whether they are shown or not. */
  bars(): readonly Bar[];
  stop(): void;
}

/** Bars before a strip has told how many it has room for. */
const usualBars = 50;
/** Milliseconds until a change of older lines is shown, and until the first lines are. */
const changeDelay = 1000;
const firstDelay = 100;
/** Entries at each end of the log that are asked for a time. */
const maxUntimed = 256;

const empty: HistogramState = { kind: 'empty' };
const untimed: HistogramState = { kind: 'untimed' };

export function createLogHistogram(options: {
  readonly log: Pick<LogSource, 'entries' | 'state' | 'onInserted'>;
  readonly filter: Pick<LogFilter, 'entries' | 'state'>;
  readonly clock: Clock;
  /** Returns the time of the service in ms since the epoch. */
  readonly serviceNow: () => number;
}): LogHistogram {
  const { log, filter, clock, serviceNow } = options;
  const starts = new SlotStarts(log.entries);
  const state = createStore<HistogramState>(() => empty);
  let most = usualBars;
  let width = 0;
  let isShown = false;
  let cancelLater: (() => void) | undefined;
  let cancelTick = (): void => {};

  const errors = createErrorSample({
    entries: filter.entries,
    clock,
    onChanged: () => publish(),
  });

  const count = (): HistogramState => {
    const { entries } = log;
    if (entries.length === 0) return empty;
    const first = findTime(entries, 0, 1, maxUntimed);
    const newest = findTime(entries, entries.length - 1, -1, maxUntimed);
    if (first === undefined || newest === undefined) return untimed;
    const isLive = log.state.getState().connection.kind === 'live';
    const last = isLive ? Math.max(newest, serviceNow()) : newest;
    const slots = slotsBetween(Math.min(first, last), last, most, isLive);
    const times = slotTimes(slots);
    const bars = countBars(filter.entries, times, starts.of(times));
    const found = bars.filter((bar) => errors.hasErrors(bar));
    return { kind: 'bars', slots, bars, errors: new Set(found.map(({ at }) => at)) };
  };

  const publish = (): void => {
    cancelLater?.();
    cancelLater = undefined;
    if (!isShown) return;
    const now = count();
    if (now.kind === 'bars') {
      if (now.slots.width !== width) errors.clear();
      ({ width } = now.slots);
      errors.look(now.bars);
    }
    if (!isSame(now, state.getState())) state.setState(now, true);
  };

  const publishLater = (delay: number): void => {
    if (isShown) cancelLater ??= clock.after(delay, publish);
  };

  /** Publishes each time that a slot is over. */
  const tick = (): void => {
    const next = width === 0 ? changeDelay : width - (serviceNow() % width);
    cancelTick = clock.after(next, () => {
      publish();
      tick();
    });
  };

  const ends = [
    log.onInserted((runs) => {
      // New lines belong to the slot that is not over, and change no bar.
      if (starts.noteInserted(runs)) publishLater(changeDelay);
      else if (state.getState().kind !== 'bars') publishLater(firstDelay);
    }),
    log.state.subscribe(({ connection }, before) => {
      if ((connection.kind === 'live') !== (before.connection.kind === 'live')) publishLater(0);
    }),
    filter.state.subscribe((now, before) => {
      if (!isSameFilter(now, before)) errors.clear();
      if (!isSameFilter(now, before) || (now.done && !before.done)) publish();
      else if (!now.done) publishLater(changeDelay);
    }),
  ];

  const hide = (): void => {
    isShown = false;
    cancelTick();
    cancelLater?.();
    cancelLater = undefined;
    errors.stop();
  };

  return {
    state,
    show(next) {
      most = next;
      isShown = true;
      publish();
      cancelTick();
      tick();
      return hide;
    },
    bars() {
      const now = count();
      return now.kind === 'bars' ? now.bars : [];
    },
    stop() {
      hide();
      for (const end of ends) end();
    },
  };
}

function isSameFilter(now: LogFilterState, before: LogFilterState): boolean {
  return (
    now.active === before.active &&
    now.services === before.services &&
    now.members === before.members
  );
}

function isSame(now: HistogramState, before: HistogramState): boolean {
  if (now.kind !== 'bars' || before.kind !== 'bars') return now.kind === before.kind;
  return (
    now.slots.width === before.slots.width &&
    now.bars.length === before.bars.length &&
    now.errors.size === before.errors.size &&
    now.bars.every((bar, index) => {
      const other = before.bars[index];
      return (
        other !== undefined &&
        bar.at === other.at &&
        bar.count === other.count &&
        bar.isUnloaded === other.isUnloaded &&
        now.errors.has(bar.at) === before.errors.has(bar.at)
      );
    })
  );
}

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

function createErrorSample(options: {
  /** The shown lines. */
  readonly entries: Entries<LogLine>;
  readonly clock: Clock;
  /** Called when errors were found in further bars, or in fewer. */
  readonly onChanged: () => void;
}): ErrorSample {
  const { entries, clock } = options;
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
    if (pending.length > 0) cancel = clock.after(0, run);
    if (isChanged) options.onChanged();
  };

  return {
    look(bars) {
      pending = bars.filter(isOpen);
      if (pending.length > 0) cancel ??= clock.after(0, run);
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
  const to = entries.indexOf(end);
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
