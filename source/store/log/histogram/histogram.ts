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

/** Bars before a strip has told how many it has room for. */
const usualBars = 50;
/** Milliseconds until a change of older lines is shown, and until the first lines are. */
const changeDelay = 1000;
const firstDelay = 100;
/** Entries at each end of the log that are asked for a time. */
const maxUntimed = 256;

const empty: HistogramState = { kind: 'empty' };
const untimed: HistogramState = { kind: 'untimed' };

interface HistogramOptions {
  readonly log: Pick<LogSource, 'entries' | 'state' | 'onInserted'>;
  readonly filter: Pick<LogFilter, 'entries' | 'state'>;
  readonly clock: Clock;
  /** Returns the time of the service in ms since the epoch. */
  readonly serviceNow: () => number;
}

/** Counts of the lines of a log that are in memory and pass the filter, by time. */
export class LogHistogram {
  /** Published when a slot is over, and when older lines, a gap or the filter change the bars. */
  readonly state: StoreApi<HistogramState> = createStore<HistogramState>(() => empty);
  readonly #options: HistogramOptions;
  readonly #starts: SlotStarts;
  readonly #errors: ErrorSample;
  readonly #ends: readonly (() => void)[];
  #most = usualBars;
  #width = 0;
  #isShown = false;
  #cancelLater: (() => void) | undefined;
  #cancelTick = (): void => {};

  constructor(options: HistogramOptions) {
    const { log, filter, clock } = options;
    this.#options = options;
    this.#starts = new SlotStarts(log.entries);
    this.#errors = new ErrorSample(filter.entries, clock, () => this.#publish());
    this.#ends = [
      log.onInserted((runs) => {
        // New lines belong to the slot that is not over, and change no bar.
        if (this.#starts.noteInserted(runs)) this.#publishLater(changeDelay);
        else if (this.state.getState().kind !== 'bars') this.#publishLater(firstDelay);
      }),
      log.state.subscribe(({ connection }, before) => {
        const wasLive = before.connection.kind === 'live';
        if ((connection.kind === 'live') !== wasLive) this.#publishLater(0);
      }),
      filter.state.subscribe((now, before) => {
        if (!isSameFilter(now, before)) this.#errors.clear();
        if (!isSameFilter(now, before) || (now.done && !before.done)) this.#publish();
        else if (!now.done) this.#publishLater(changeDelay);
      }),
    ];
  }

  /** Keeps `state` current with at most `most` bars, until the returned function is called. */
  show(most: number): () => void {
    this.#most = most;
    this.#isShown = true;
    this.#publish();
    this.#cancelTick();
    this.#tick();
    return () => this.#hide();
  }

  /** Returns the bars as they are now, whether they are shown or not. */
  bars(): readonly Bar[] {
    const now = this.#count();
    return now.kind === 'bars' ? now.bars : [];
  }

  stop(): void {
    this.#hide();
    for (const end of this.#ends) end();
  }

  #hide(): void {
    this.#isShown = false;
    this.#cancelTick();
    this.#cancelLater?.();
    this.#cancelLater = undefined;
    this.#errors.stop();
  }

  /** Publishes each time that a slot is over. */
  #tick(): void {
    const { clock, serviceNow } = this.#options;
    const next = this.#width === 0 ? changeDelay : this.#width - (serviceNow() % this.#width);
    this.#cancelTick = clock.after(next, () => {
      this.#publish();
      this.#tick();
    });
  }

  #publishLater(delay: number): void {
    if (this.#isShown)
      this.#cancelLater ??= this.#options.clock.after(delay, () => this.#publish());
  }

  #publish(): void {
    this.#cancelLater?.();
    this.#cancelLater = undefined;
    if (!this.#isShown) return;
    const now = this.#count();
    if (now.kind === 'bars') {
      if (now.slots.width !== this.#width) this.#errors.clear();
      this.#width = now.slots.width;
      this.#errors.look(now.bars);
    }
    if (!isSame(now, this.state.getState())) this.state.setState(now, true);
  }

  #count(): HistogramState {
    const { log, filter, serviceNow } = this.#options;
    const { entries } = log;
    if (entries.length === 0) return empty;
    const first = findTime(entries, 0, 1, maxUntimed);
    const newest = findTime(entries, entries.length - 1, -1, maxUntimed);
    if (first === undefined || newest === undefined) return untimed;
    const isLive = log.state.getState().connection.kind === 'live';
    const last = isLive ? Math.max(newest, serviceNow()) : newest;
    const slots = slotsBetween(Math.min(first, last), last, this.#most, isLive);
    const times = slotTimes(slots);
    const bars = countBars(filter.entries, times, this.#starts.of(times));
    const found = bars.filter((bar) => this.#errors.hasErrors(bar));
    return { kind: 'bars', slots, bars, errors: new Set(found.map(({ at }) => at)) };
  }
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
class ErrorSample {
  readonly #entries: Entries<LogLine>;
  readonly #clock: Clock;
  readonly #onChanged: () => void;
  /** Results by the start of the bar, with the number of lines that it had then. */
  readonly #results = new Map<number, { readonly count: number; readonly hasErrors: boolean }>();
  #pending: readonly Bar[] = [];
  #cancel: (() => void) | undefined;

  /**
   * @param entries the shown lines.
   * @param onChanged called when errors were found in further bars, or in fewer.
   */
  constructor(entries: Entries<LogLine>, clock: Clock, onChanged: () => void) {
    this.#entries = entries;
    this.#clock = clock;
    this.#onChanged = onChanged;
  }

  /** Reads the bars that are new or have changed, a few milliseconds at a time. */
  look(bars: readonly Bar[]): void {
    this.#pending = bars.filter((bar) => this.#isOpen(bar));
    if (this.#pending.length > 0) this.#cancel ??= this.#clock.after(0, () => this.#run());
  }

  /** Returns whether errors were found in a bar. */
  hasErrors({ at, count }: Bar): boolean {
    return count > 0 && this.#results.get(at)?.hasErrors === true;
  }

  /** Forgets all results, because other lines are shown or the bars have another width. */
  clear(): void {
    this.#results.clear();
    this.#pending = [];
  }

  stop(): void {
    this.#cancel?.();
    this.#cancel = undefined;
    this.#pending = [];
  }

  #isOpen({ at, count }: Bar): boolean {
    if (count === 0) return false;
    const result = this.#results.get(at);
    if (result === undefined || count < result.count) return true;
    return !result.hasErrors && count > result.count;
  }

  #run(): void {
    this.#cancel = undefined;
    const end = this.#clock.now() + sliceTime;
    let isChanged = false;
    do {
      const bar = this.#pending.at(-1);
      this.#pending = this.#pending.slice(0, -1);
      if (bar === undefined) break;
      const hasErrors = findError(this.#entries, bar);
      isChanged ||= hasErrors !== (this.#results.get(bar.at)?.hasErrors ?? false);
      this.#results.set(bar.at, { count: bar.count, hasErrors });
    } while (this.#clock.now() < end);
    if (this.#pending.length > 0) this.#cancel = this.#clock.after(0, () => this.#run());
    if (isChanged) this.#onChanged();
  }
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
