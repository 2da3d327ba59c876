import { FlowRate } from './flow-rate.ts';
import { type PendingQuestion, Questions } from './questions.ts';
import { RoundTrip } from './round-trip.ts';

// All times are in ms.

/** A terminal that has never answered counts as silent after this time. */
const silence = 2000;
/** A larger first frame adds 1 ms to `silence` for each `bytesPerExtraMs`, at most `silence`. */
const smallFrame = 4096;
const bytesPerExtraMs = 8;
/** Largest number of bytes in flight before the first answer, including the first frame. */
const unknownWindow = 24_576;
/** Time in flight beyond the shortest round trip. */
const windowMargin = 10;
/** Time without an answer after which the link counts as slow. */
const stallDelay = 1000;
/** Answers from which on a short stall counts. */
const leastAnswers = 4;
/** Time to wait for a stalled connection before a probe is written. */
const stallTimeout = 10_000;
/** Time to wait for missing answers when later ones have arrived. */
const lostTimeout = 1000;
const emptyLinkMargin = 75;
/** Delay beyond the shortest round trip after which the flow waits for the answer. */
const overdue = 75;
/** Time after the first write whose answers are not judged: program and terminal are busy starting. */
const startTime = 1000;

/**
 * Paces the flow (log rows, which may be skipped) to the terminal, so that the response to a key
 * finds the link nearly empty. Each write ends in a question, DSR `CSI 5 n` (ECMA-48 8.3.35), which
 * the terminal answers with `CSI 0 n` once it has processed the output before it. Urgent writes
 * ignore the budget, but count. `now` is in ms of a monotonic clock; a small step back counts as no
 * time, a large one as `reset`.
 */
export class Pace {
  readonly #questions = new Questions();
  readonly #trip = new RoundTrip();
  readonly #rate = new FlowRate();
  #kind: 'unknown' | 'paced' | 'silent' = 'unknown';
  #isSlow = false;
  /** True while an answer is overdue. */
  #isStalled = false;
  /** The last answers, the newest last. */
  #samples: LinkSample[] = [];
  #startedAt: number | undefined;
  #answers = 0;
  #now = 0;
  /** Bytes that may be written; refilled at the rate, negative after an urgent write. */
  #tokens: number;
  #lastAnswer = 0;
  /** Start of the wait for the next answer, after the last answer or the last probe. */
  #waitingSince = 0;
  #probe: 'none' | 'due' | 'sent' = 'none';
  /**
   * Set while the link drains. The flow stops until the output in flight at `since` has arrived. Then
   * `isCleared` is true and `since` renewed: one slice is written on the empty link, and its round
   * trip is free of queues.
   */
  #drain: { since: number; isCleared: boolean } | undefined;
  /** Until then, an answer may belong to a question that was dropped. */
  #distrustUntil = 0;

  constructor() {
    this.#tokens = this.#rate.slice;
  }

  /** `unknown` until the first answer; a `silent` terminal never answers and is not paced. */
  get kind(): 'unknown' | 'paced' | 'silent' {
    return this.#kind;
  }

  /** True when the link is slow or stalled, with hysteresis. Every call with a time updates it. */
  get slow(): boolean {
    return this.#isSlow || this.#isStalled;
  }

  /** True when the next write should end in a question. */
  get asks(): boolean {
    return this.#kind === 'silent' ? this.#questions.count === 0 : !this.#questions.full;
  }

  /** Smoothed round trip in ms; undefined before the first answer. */
  get roundTrip(): number | undefined {
    return this.#trip.smoothed;
  }

  /** Rate of the flow in bytes per second. */
  get bytesPerSecond(): number {
    return this.#rate.bytesPerMs * 1000;
  }

  /** Bytes written and not confirmed. */
  get bytesInFlight(): number {
    return this.#questions.bytesInFlight;
  }

  /** Number of questions without an answer, except dropped ones. */
  get questionsOpen(): number {
    return this.#questions.count;
  }

  /** False while an answer may belong to a question that was dropped. */
  get trustsAnswers(): boolean {
    return this.#now >= this.#distrustUntil && this.#probe === 'none';
  }

  /** Records a write, with a question behind it unless `hasQuestion` is false. */
  recordWrite(bytes: number, now: number, hasQuestion = true): void {
    this.#advance(now);
    this.#startedAt ??= this.#now;
    if (this.#questions.count === 0) this.#waitingSince = this.#now;
    this.#questions.add(bytes, this.#now, hasQuestion);
    const deepest = -silence * this.#rate.bytesPerMs;
    this.#tokens = Math.max(deepest, this.#tokens - bytes);
    if (this.#probe === 'due') {
      this.#probe = 'sent';
      this.#waitingSince = this.#now;
    }
  }

  /** Records an answer: all output up to the oldest open question has arrived. */
  recordAnswer(now: number): void {
    this.#advance(now);
    const question = this.#questions.closeOldest();
    if (question === undefined) return;
    // Output in flight with the first frame has waited behind it.
    if (this.#kind !== 'paced') this.#drain = { since: this.#now, isCleared: false };
    this.#kind = 'paced';
    this.#lastAnswer = this.#now;
    this.#waitingSince = this.#now;
    this.#isStalled = false;
    this.#answers += 1;
    if (this.#now >= this.#distrustUntil && this.#probe === 'none') this.#learn(question);
    if (this.#drain?.isCleared === false) {
      const hasArrived = this.#questions.count === 0 || question.sentAt >= this.#drain.since;
      if (hasArrived) this.#drain = { since: this.#now, isCleared: true };
    }
    if (this.#questions.count === 0) {
      this.#probe = 'none';
      this.#tokens = Math.max(this.#tokens, this.#rate.slice);
    }
  }

  /**
   * Returns the bytes of flow that may be written now: 0, or a slice. A row that exceeds the slice
   * may be written whole. Infinity when the terminal is not paced.
   */
  budget(now: number): number {
    this.#advance(now);
    if (this.#kind === 'silent') return Number.POSITIVE_INFINITY;
    const slice = this.#rate.slice;
    if (this.#probe === 'due') return slice;
    return this.#isBlocked() || this.#tokens < slice - 0.5 ? 0 : slice;
  }

  /**
   * Returns the time at which to read the budget and `slow` again even without an answer; undefined
   * if only an answer can change them. After a budget of 0 the time is in the future.
   */
  deadline(): number | undefined {
    if (this.#kind === 'silent') return undefined;
    const times: number[] = [];
    if (this.#questions.count > 0) {
      if (this.#kind === 'unknown') times.push(this.#silentAt());
      else {
        if (!this.slow) times.push(this.#stalledAt());
        if (this.#probe !== 'due') times.push(this.#giveUpAt());
      }
    }
    const missing = this.#rate.slice - this.#tokens;
    if (!this.#isBlocked() && missing > 0.5) {
      times.push(this.#now + missing / this.#rate.bytesPerMs);
    }
    return times.length === 0 ? undefined : Math.min(...times);
  }

  /**
   * Starts over after the terminal was suspended or used by another program: drops the output in
   * flight and measures the round trip again.
   */
  reset(now: number): void {
    if (Number.isFinite(now)) this.#now = now;
    this.#dropQuestions();
    this.#trip.clear();
    if (this.#kind === 'paced') this.#drain = { since: this.#now, isCleared: false };
  }

  #learn(question: PendingQuestion): void {
    const time = Math.max(0, this.#now - question.sentAt);
    if (this.#drain?.isCleared === true && question.sentAt >= this.#drain.since) {
      this.#trip.restart(time, question.bytes, this.#now);
      this.#drain = undefined;
      this.#rate.restart(this.#now);
      // The earlier answers waited in a queue.
      this.#samples = [];
    } else {
      this.#trip.add(time, question.bytes, this.#now);
    }
    const answered = this.#questions.bytesAnswered;
    this.#tokens -= this.#rate.recordAnswer(question, this.#trip, this.#now, answered);
    if (this.#rate.doubtful) this.#drain ??= { since: this.#now, isCleared: false };
    else if (this.#drain === undefined) this.#judge(time, question);
  }

  #advance(now: number): void {
    if (now < this.#now - stallDelay) this.reset(now);
    const passed = now - this.#now;
    if (!(passed > 0 && passed < Number.POSITIVE_INFINITY)) return;
    this.#now = now;
    const slice = this.#rate.slice;
    if (this.#tokens < slice) {
      this.#tokens = Math.min(slice, this.#tokens + passed * this.#rate.bytesPerMs);
    }
    if (this.#questions.count === 0) return;
    if (this.#kind === 'unknown' && now >= this.#silentAt()) this.#kind = 'silent';
    if (this.#kind !== 'paced') return;
    if (now >= this.#stalledAt()) this.#isStalled = true;
    if (now < this.#giveUpAt()) return;
    if (this.#hasLostAnswers()) {
      this.#dropQuestions();
      this.#rate.restore();
    } else {
      this.#probe = 'due';
    }
  }

  /** Returns whether only an answer can raise the budget. */
  #isBlocked(): boolean {
    const open = this.#questions.count;
    const inFlight = this.#questions.bytesInFlight;
    if (open === 0 || this.#probe === 'due') return false;
    if (this.#kind === 'unknown') return inFlight >= unknownWindow;
    if (this.#probe === 'sent' || this.#drain !== undefined) return true;
    const shortest = this.#trip.shortest ?? 0;
    const rate = this.#rate.bytesPerMs;
    const oldest = this.#questions.oldest;
    if (oldest !== undefined) {
      if (this.#now - oldest.sentAt > shortest + overdue + oldest.bytes / rate) return true;
    }
    return inFlight >= rate * (shortest + windowMargin);
  }

  #silentAt(): number {
    const first = this.#questions.oldest?.bytes ?? 0;
    const extra = Math.min(silence, Math.floor(Math.max(0, first - smallFrame) / bytesPerExtraMs));
    return this.#waitingSince + silence + extra;
  }

  /** Returns the time at which the link counts as stalled; late before it has answered several times. */
  #stalledAt(): number {
    if (this.#answers < leastAnswers) return this.#waitingSince + stallTimeout;
    return Math.max(this.#waitingSince, (this.#startedAt ?? 0) + startTime) + stallDelay;
  }

  /** Returns the time at which to stop waiting for outstanding answers; never later than a stall. */
  #giveUpAt(): number {
    if (this.#probe === 'due') return Number.POSITIVE_INFINITY;
    const stalledAt = this.#waitingSince + stallTimeout;
    return this.#hasLostAnswers() ? Math.min(stalledAt, this.#lostAt()) : stalledAt;
  }

  /** Returns the time at which missing answers count as lost. */
  #lostAt(): number {
    if (this.#probe === 'sent') return this.#waitingSince + lostTimeout;
    // A drained link has no queue that could still delay an answer.
    const timeout = this.#drain?.isCleared
      ? emptyLinkMargin + 1.25 * (this.#trip.shortest ?? 0)
      : lostTimeout + 3 * (this.#trip.smoothed ?? 0);
    return (this.#questions.newest?.sentAt ?? this.#now) + timeout;
  }

  /** Returns whether answers have arrived, but fewer than expected. */
  #hasLostAnswers(): boolean {
    if (this.#probe === 'sent') return this.#lastAnswer >= this.#waitingSince;
    const newest = this.#questions.newest;
    return this.#drain !== undefined && newest !== undefined && this.#lastAnswer > newest.sentAt;
  }

  #dropQuestions(): void {
    this.#questions.clear();
    this.#probe = 'none';
    this.#drain = undefined;
    this.#waitingSince = this.#now;
    this.#distrustUntil = this.#now + 2 * (this.#trip.smoothed ?? 0);
    this.#tokens = this.#rate.slice;
    this.#rate.restart(this.#now);
  }

  #judge(roundTrip: number, { sentAt }: PendingQuestion): void {
    if (sentAt < (this.#startedAt ?? 0) + startTime) return;
    const capacity = this.#rate.capacity ?? Number.POSITIVE_INFINITY;
    this.#samples = [...this.#samples, { roundTrip, capacity }].slice(-judgedAnswers);
    this.#isSlow = isSlowLink(this.#isSlow, this.#samples);
  }
}

/** Measurements of the link from one answer of the terminal. */
export interface LinkSample {
  /** Milliseconds. */
  readonly roundTrip: number;
  /** Bytes per ms; infinite where no limit is known. */
  readonly capacity: number;
}

/** Answers that are judged together, and those of them that must agree. */
const judgedAnswers = 7;
const majority = 4;

/** Milliseconds, and bytes per ms. A link between the two limits stays what it was. */
const roundTripLimits = { slow: 120, fast: 80 };
const capacityLimits = { slow: 24, fast: 40 };

/**
 * Returns whether a link is slow. Several of the last answers must agree on a change, as any single
 * round trip may be long because the program or the terminal was busy.
 */
export function isSlowLink(wasSlow: boolean, samples: readonly LinkSample[]): boolean {
  const last = samples.slice(-judgedAnswers);
  const isAgreed = wasSlow ? last.filter(isFast) : last.filter(isSlow);
  return isAgreed.length >= majority ? !wasSlow : wasSlow;
}

function isSlow({ roundTrip, capacity }: LinkSample): boolean {
  return roundTrip >= roundTripLimits.slow || capacity <= capacityLimits.slow;
}

function isFast({ roundTrip, capacity }: LinkSample): boolean {
  return roundTrip < roundTripLimits.fast && capacity >= capacityLimits.fast;
}
