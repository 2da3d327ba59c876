import { Pace } from '../link/pace.ts';

/** The clock and the event loop, for tests. */
export interface ScreenTimers {
  now(): number;
  setTimeout(callback: () => void, delay: number): NodeJS.Timeout;
  clearTimeout(timer: NodeJS.Timeout | undefined): void;
}

/** Speed of the link to the terminal. */
export interface Link {
  readonly isSlow: () => boolean;
  readonly subscribe: (changed: () => void) => () => void;
}

/** Device status report: the terminal answers `CSI 0 n` on reaching it (ECMA-48 8.3.35). */
const question = '\x1b[5n';

/**
 * Milliseconds after which a slow link is measured again, doubling each time that it is no faster:
 * an idle link must not stay slow in row 1 only because nothing is written.
 */
const recheckDelay = { first: 1000, last: 60_000 };

/**
 * The link to the terminal. Ends each write in a question, paces deferrable output by the answers,
 * and tracks the output that has arrived.
 */
export class ScreenLink implements Link {
  readonly #output: { write(data: string): void };
  readonly #timers: ScreenTimers;
  readonly #onRoom: () => void;
  readonly #pace = new Pace();
  readonly #listeners = new Set<() => void>();
  #waiting: { readonly question: number; readonly action: () => void }[] = [];
  #questions = 0;
  /** True when the newest output has a question behind it. */
  #hasAsked = true;
  /** Number of questions whose answers have come. */
  #answered = 0;
  /** Actions that wait for an answer to a question or a later one. */
  #unproven: { readonly question: number; readonly action: () => void }[] = [];
  #wasSlow = false;
  #timer: NodeJS.Timeout | undefined;
  #recheckDelay = recheckDelay.first;
  /** Round trip in ms at the last recheck. */
  #lastRoundTrip = Number.POSITIVE_INFINITY;
  #recheckTimer: NodeJS.Timeout | undefined;

  /** @param onRoom called when the budget may have grown. */
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

  /** Bytes of deferrable output that may be written now; 0 if it must wait. */
  get budget(): number {
    return this.#pace.budget(this.#timers.now());
  }

  write(bytes: string): void {
    if (bytes === '') return;
    const { asks } = this.#pace;
    const data = asks ? bytes + question : bytes;
    if (asks) this.#questions += 1;
    this.#hasAsked = asks;
    const now = this.#timers.now();
    this.#output.write(data);
    this.#pace.recordWrite(Buffer.byteLength(data), now, asks);
  }

  /** Sets the timers; to be called after a series of writes. */
  updateTimers(): void {
    this.#timers.clearTimeout(this.#timer);
    // Read even if nothing is deferred, because it passes the time to the pace.
    this.#pace.budget(this.#timers.now());
    const deadline = this.#pace.deadline();
    const wait = deadline === undefined ? undefined : Math.ceil(deadline - this.#timers.now());
    this.#timer =
      wait === undefined ? undefined : this.#timers.setTimeout(this.#onRoom, Math.max(0, wait));
    this.#notifyArrivals();
    this.#scheduleRecheck();
    if (this.#pace.slow === this.#wasSlow) return;
    this.#wasSlow = this.#pace.slow;
    for (const listener of this.#listeners) listener();
  }

  /** Records the terminal's answer to the oldest question. */
  recordAnswer(): void {
    const hasOpen = this.#pace.questionsOpen > 0;
    this.#pace.recordAnswer(this.#timers.now());
    this.#notifyArrivals();
    if (hasOpen && this.#pace.trustsAnswers)
      this.#prove(this.#questions - this.#pace.questionsOpen);
  }

  /** True for a terminal that never answers. */
  get isSilent(): boolean {
    return this.#pace.kind === 'silent';
  }

  /** Calls `action` once the terminal has answered a question behind all output so far. */
  afterAcknowledged(action: () => void): void {
    const question = this.#questions + (this.#hasAsked ? 0 : 1);
    if (question > 0 && question <= this.#answered) action();
    else this.#unproven.push({ question, action });
  }

  #prove(question: number): void {
    this.#answered = question;
    const proven = this.#unproven.filter((wait) => wait.question <= question);
    if (proven.length === 0) return;
    this.#unproven = this.#unproven.filter((wait) => wait.question > question);
    for (const { action } of proven) action();
  }

  /** Calls `action` once all earlier output has arrived, or at once if the terminal never answers. */
  afterArrival(action: () => void): void {
    this.#waiting.push({ question: this.#questions, action });
    this.#notifyArrivals();
  }

  /** Drops the questions in flight, after another program used the terminal. */
  reset(): void {
    this.#unproven = [];
    this.#pace.reset(this.#timers.now());
  }

  pause(): void {
    this.#timers.clearTimeout(this.#timer);
    this.#timers.clearTimeout(this.#recheckTimer);
  }

  #scheduleRecheck(): void {
    this.#timers.clearTimeout(this.#recheckTimer);
    if (!this.#pace.slow) this.#recheckDelay = recheckDelay.first;
    else if (this.#arrived === this.#questions || this.budget > 0) {
      // Also while an answer is missing, as only the answer to a later question proves it lost.
      this.#recheckTimer = this.#timers.setTimeout(() => this.#recheck(), this.#recheckDelay);
    }
  }

  #recheck(): void {
    const { roundTrip = 0 } = this.#pace;
    const isFalling = roundTrip < this.#lastRoundTrip;
    this.#recheckDelay = isFalling
      ? recheckDelay.first
      : Math.min(this.#recheckDelay * 2, recheckDelay.last);
    this.#lastRoundTrip = roundTrip;
    this.#questions += 1;
    this.#hasAsked = true;
    this.#output.write(question);
    this.#pace.recordWrite(question.length, this.#timers.now());
    this.updateTimers();
  }

  /** Number of questions up to which all output has arrived, or is assumed to have. */
  get #arrived(): number {
    return this.#pace.kind === 'paced'
      ? this.#questions - this.#pace.questionsOpen
      : this.#questions;
  }

  #notifyArrivals(): void {
    const arrived = this.#arrived;
    const due = this.#waiting.filter((wait) => wait.question <= arrived);
    if (due.length === 0) return;
    this.#waiting = this.#waiting.filter((wait) => wait.question > arrived);
    for (const { action } of due) action();
  }
}
