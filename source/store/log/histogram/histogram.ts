import { createStore, type StoreApi } from 'zustand/vanilla';
import type { LogLine } from '../../../contract/logs.ts';
import type { Entries } from '../../../tail/arena/entries.ts';
import { type Clock, slicesOf } from '../../time/clock.ts';
import type { LogSource } from '../feed/log-source.ts';
import type { LogFilter, LogFilterState } from '../reader/filter.ts';
import { type Bar, countBars } from './bars.ts';
import { createErrorSample } from './error-sample.ts';
import { entryTime, SlotStarts } from './slot-starts.ts';
import { type Slots, slotsBetween, slotTimes } from './slots.ts';

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
    slices: slicesOf(clock),
    onChanged: () => publish(),
  });

  const count = (): HistogramState => {
    const { entries } = log;
    if (entries.length === 0) return empty;
    const first = firstTime(entries, 0, 1);
    const newest = firstTime(entries, entries.length - 1, -1);
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

/** Returns the time of the first entry from `index` on with one, in ms since the epoch. */
function firstTime(entries: Entries<LogLine>, index: number, step: 1 | -1): number | undefined {
  for (let at = index; Math.abs(at - index) < maxUntimed; at += step) {
    const entry = entries.at(at);
    if (entry === undefined) return undefined;
    const time = entryTime(entry);
    if (time !== undefined) return time;
  }
  return undefined;
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
