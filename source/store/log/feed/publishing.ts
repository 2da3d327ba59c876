/** Publishes the state of a log, at most once a frame, or less while lines rush by. */
import { createStore, type StoreApi } from 'zustand/vanilla';
import type { Clock } from '../../time/clock.ts';
import type { IngestCounts } from './ingest.ts';
import type { LogsState } from './log-source.ts';

/** Lines per millisecond above which nobody can read along: several new ones in each frame. */
const rushRate = 0.5;

/**
 * Frames between two notifications while lines rush by: every screen has only new lines then, and
 * drawing is most of what the log costs. Four screens a second take half of the processor of fifteen
 * at 1,000 lines/s, and can be read better; `lnav` draws three.
 */
const framesOfRush = 8;

/** Delays the notifications of a log, so that listeners are called once a frame, or less while lines rush by. */
export class PublishThrottle {
  readonly #frame: number;
  #last = { received: 0, now: Number.NEGATIVE_INFINITY };
  #isRushing = false;

  /** @param frame milliseconds between two notifications. */
  constructor(frame: number) {
    this.#frame = frame;
  }

  /** Milliseconds from the first unpublished change on; several frames while lines rush by. */
  get delay(): number {
    return this.#isRushing ? this.#frame * framesOfRush : this.#frame;
  }

  /** Records a notification. @param received lines received since the start. */
  recordPublish(received: number, now: number): void {
    this.#isRushing = received - this.#last.received > (now - this.#last.now) * rushRate;
    this.#last = { received, now };
  }
}

/** Counts of a log that its state shows. */
type LogCounts = Pick<LogsState, 'version' | 'received' | 'unreadable' | 'others' | 'rate'>;

/** The published state of a log, and the counts that go into it. */
export class LogPublishing {
  readonly state: StoreApi<LogsState>;
  readonly #clock: Clock;
  readonly #interval: number;
  readonly #current: () => Omit<LogsState, keyof LogCounts>;
  readonly #throttle: PublishThrottle;
  readonly #counts = { version: 0, received: 0, unreadable: 0, others: 0, rate: 0 };
  #countedLines = 0;
  #isStopped = false;
  #cancelPublish: (() => void) | undefined;
  #cancelRate: () => void;

  /**
   * @param interval milliseconds between two notifications; 0 publishes every change at once.
   * @param current returns the state without its counts.
   */
  constructor(clock: Clock, interval: number, current: () => Omit<LogsState, keyof LogCounts>) {
    this.#clock = clock;
    this.#interval = interval;
    this.#current = current;
    this.#throttle = new PublishThrottle(interval);
    this.state = createStore<LogsState>(() => ({ ...this.#counts, ...current() }));
    this.#cancelRate = clock.after(1000, this.#countRate);
  }

  get received(): number {
    return this.#counts.received;
  }

  /** Counts messages of the stream. */
  count({ lines, unreadable, others }: IngestCounts): void {
    this.#counts.received += lines;
    this.#counts.unreadable += unreadable;
    this.#counts.others += others;
    this.publishSoon();
  }

  /** Counts a change of the entries. */
  changed(): void {
    this.#counts.version += 1;
    this.publishSoon();
  }

  /** Publishes the state within a frame, or at once when the interval is 0. */
  publishSoon(): void {
    if (this.#isStopped) return;
    if (this.#interval === 0) this.#publish();
    else this.#cancelPublish ??= this.#clock.after(this.#throttle.delay, () => this.#publish());
  }

  /** Publishes for the last time. */
  stop(): void {
    this.#cancelRate();
    this.#publish();
    this.#isStopped = true;
  }

  #publish(): void {
    this.#cancelPublish?.();
    this.#cancelPublish = undefined;
    this.#throttle.recordPublish(this.#counts.received, this.#clock.now());
    this.state.setState({ ...this.#counts, ...this.#current() }, true);
  }

  readonly #countRate = (): void => {
    const rate = this.#counts.received - this.#countedLines;
    this.#countedLines = this.#counts.received;
    if (rate !== this.#counts.rate) {
      this.#counts.rate = rate;
      this.publishSoon();
    }
    this.#cancelRate = this.#clock.after(1000, this.#countRate);
  };
}
