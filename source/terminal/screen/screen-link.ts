import { Pace } from '../link/pace.ts';

/** The clock and the event loop, for tests. */
export interface ScreenTimers {
  now(): number;
  setTimeout(callback: () => void, delay: number): NodeJS.Timeout;
  clearTimeout(timer: NodeJS.Timeout | undefined): void;
}

/** What there is to know of the way to the terminal. */
export interface Link {
  readonly isSlow: () => boolean;
  readonly subscribe: (changed: () => void) => () => void;
}

/** Device status report: the terminal answers `CSI 0 n` when it has come so far (ECMA-48 8.3.35). */
const question = '\x1b[5n';

/**
 * A link that seems slow is asked again by itself after so many ms, and after twice as long each
 * time that it is no faster: a word in row 1 must not stand there only because nothing is written.
 */
const doubtAfter = { first: 1000, last: 60_000 };

/**
 * The way to the terminal. Ends each write in a question, paces what may wait by the answers, and
 * knows what has arrived.
 */
export class ScreenLink implements Link {
  readonly #output: { write(data: string): void };
  readonly #timers: ScreenTimers;
  readonly #onRoom: () => void;
  readonly #pace = new Pace();
  readonly #listeners = new Set<() => void>();
  #waiting: { readonly question: number; readonly action: () => void }[] = [];
  #asked = 0;
  #wasSlow = false;
  #timer: NodeJS.Timeout | undefined;
  #doubt = doubtAfter.first;
  /** The round trip when it was last asked in doubt, ms. */
  #tripBefore = Number.POSITIVE_INFINITY;
  #doubtTimer: NodeJS.Timeout | undefined;

  /** `onRoom` is called when there may be room that was not there before. */
  constructor(output: { write(data: string): void }, timers: ScreenTimers, onRoom: () => void) {
    this.#output = output;
    this.#timers = timers;
    this.#onRoom = onRoom;
  }

  readonly isSlow = (): boolean => this.#wasSlow;

  readonly subscribe = (changed: () => void): (() => void) => {
    this.#listeners.add(changed);
    return () => this.#listeners.delete(changed);
  };

  /** Bytes of what may wait that may be written now; 0 when it must. */
  get budget(): number {
    return this.#pace.budget(this.#timers.now());
  }

  write(bytes: string): void {
    if (bytes === '') return;
    const { asks } = this.#pace;
    const data = asks ? bytes + question : bytes;
    if (asks) this.#asked += 1;
    const now = this.#timers.now();
    this.#output.write(data);
    this.#pace.sent(Buffer.byteLength(data), now, asks);
  }

  /** To be called after all writes of a moment: looks ahead to when something can change. */
  settle(): void {
    this.#timers.clearTimeout(this.#timer);
    // Asked also when nothing waits: the machine learns the time from it.
    this.#pace.budget(this.#timers.now());
    const deadline = this.#pace.deadline();
    const wait = deadline === undefined ? undefined : Math.ceil(deadline - this.#timers.now());
    this.#timer =
      wait === undefined ? undefined : this.#timers.setTimeout(this.#onRoom, Math.max(0, wait));
    this.#tell();
    this.#doubtSlowness();
    if (this.#pace.slow === this.#wasSlow) return;
    this.#wasSlow = this.#pace.slow;
    for (const listener of this.#listeners) listener();
  }

  /** The terminal has answered the oldest question. */
  answered(): void {
    this.#pace.answered(this.#timers.now());
    this.#tell();
  }

  /** Calls `action` once all that was written by now has arrived, or nobody can tell. */
  afterArrival(action: () => void): void {
    this.#waiting.push({ question: this.#asked, action });
    this.#tell();
  }

  /** Forgets the questions in flight: somebody else had the terminal. */
  reset(): void {
    this.#pace.reset(this.#timers.now());
  }

  pause(): void {
    this.#timers.clearTimeout(this.#timer);
    this.#timers.clearTimeout(this.#doubtTimer);
  }

  #doubtSlowness(): void {
    this.#timers.clearTimeout(this.#doubtTimer);
    if (!this.#pace.slow) this.#doubt = doubtAfter.first;
    else if (this.#arrived === this.#asked || this.budget > 0) {
      // Also where an answer is waited for in vain: only one that was asked for later proves it lost.
      this.#doubtTimer = this.#timers.setTimeout(() => this.#ask(), this.#doubt);
    }
  }

  #ask(): void {
    const { roundTrip = 0 } = this.#pace;
    const isFalling = roundTrip < this.#tripBefore;
    this.#doubt = isFalling ? doubtAfter.first : Math.min(this.#doubt * 2, doubtAfter.last);
    this.#tripBefore = roundTrip;
    this.#asked += 1;
    this.#output.write(question);
    this.#pace.sent(question.length, this.#timers.now());
    this.settle();
  }

  /** The question up to which all has arrived, as far as anybody can tell. */
  get #arrived(): number {
    return this.#pace.kind === 'paced' ? this.#asked - this.#pace.questionsOpen : this.#asked;
  }

  #tell(): void {
    const arrived = this.#arrived;
    const due = this.#waiting.filter((wait) => wait.question <= arrived);
    if (due.length === 0) return;
    this.#waiting = this.#waiting.filter((wait) => wait.question > arrived);
    for (const { action } of due) action();
  }
}
