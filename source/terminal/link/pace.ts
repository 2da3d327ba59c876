import { FlowRate } from './flow-rate.ts';
import { type PendingQuestion, Questions } from './questions.ts';
import { RoundTrip } from './round-trip.ts';

/** Without any answer for so long, a terminal is taken to give none. All times in ms. */
const silence = 2000;
/** A larger first frame is given 1 ms more for each `bytesOfPatience`, up to `silence` more. */
const smallFrame = 4096;
const bytesOfPatience = 8;
/** Bytes in flight at most before the first answer; the first frame is among them. */
const unknownWindow = 24_576;
/** Time in flight beyond the shortest round trip. */
const windowMargin = 10;
const stallWord = 1000;
/** A connection that hangs may come back for so long before more is written into it. */
const stallPatience = 10_000;
/** When later answers came and the count is still not even, answers were lost. */
const lostPatience = 1000;
const emptyLinkMargin = 75;
/** An answer this much later than the shortest round trip stops the flow until it is there. */
const overdue = 75;
const slowRoundTrip = { from: 120, until: 80 };
/** Bytes per ms. */
const slowCapacity = { from: 24, until: 40 };

/**
 * Decides how many bytes of flow (log rows, which may be skipped) may go to the terminal, so that
 * nearly nothing waits in the link before the answer to a key. Each write ends in a question, DSR
 * `CSI 5 n` (ECMA-48 8.3.35), that the terminal answers with `CSI 0 n` when it has got that far.
 * Writes that cannot wait are written whatever the budget, and counted. `now` is in ms of a clock
 * that does not go back; a small step back is taken as no time, a large one as `reset`.
 */
export class Pace {
  readonly #questions = new Questions();
  readonly #trip = new RoundTrip();
  readonly #rate = new FlowRate();
  #kind: 'unknown' | 'paced' | 'silent' = 'unknown';
  #slow = false;
  #now = 0;
  // Bytes that may go out; refilled at the rate, below 0 after a write that could not wait.
  #tokens: number;
  #lastAnswer = 0;
  /** Since when an answer is waited for, the last one or the last probe being behind it. */
  #waitingSince = 0;
  #probe: 'none' | 'due' | 'sent' = 'none';
  /**
   * Flow stops until what was in flight `since` has arrived; then (`cleared`, from a new `since`)
   * one slice goes out when nothing else is in flight, and the next write has met no queue.
   */
  #drain: { since: number; cleared: boolean } | undefined;
  /** Answers to forgotten questions may still come, and be taken for those of later ones. */
  #distrustUntil = 0;

  constructor() {
    this.#tokens = this.#rate.slice;
  }

  /** 'unknown' until the first answer; 'silent' answers never and is not paced. */
  get kind(): 'unknown' | 'paced' | 'silent' {
    return this.#kind;
  }

  /** The link is slow or hangs. It does not flicker; brought up to date by every call with a time. */
  get slow(): boolean {
    return this.#slow;
  }

  /** Whether the next write should end in a question. */
  get asks(): boolean {
    return this.#kind === 'silent' ? this.#questions.count === 0 : !this.#questions.full;
  }

  /** The round trip in ms, smoothed; undefined before the first answer. */
  get roundTrip(): number | undefined {
    return this.#trip.smoothed;
  }

  /** The shortest round trip of late, in ms: the link with nothing waiting in it. */
  get shortestRoundTrip(): number | undefined {
    return this.#trip.shortest;
  }

  /** Bytes per second at which flow may go out. */
  get bytesPerSecond(): number {
    return this.#rate.bytesPerMs * 1000;
  }

  /** Bytes written and not answered for. */
  get bytesInFlight(): number {
    return this.#questions.bytesInFlight;
  }

  /** Questions whose answers are waited for; none that were written off. */
  get questionsOpen(): number {
    return this.#questions.count;
  }

  /** Takes a write, with a question behind it unless `asked` is false. */
  sent(bytes: number, now: number, asked = true): void {
    this.#advance(now);
    if (this.#questions.count === 0) this.#waitingSince = this.#now;
    this.#questions.add(bytes, this.#now, asked);
    const deepest = -silence * this.#rate.bytesPerMs;
    this.#tokens = Math.max(deepest, this.#tokens - bytes);
    if (this.#probe === 'due') {
      this.#probe = 'sent';
      this.#waitingSince = this.#now;
    }
  }

  /** Takes one answer: all up to the oldest open question has arrived. */
  answered(now: number): void {
    this.#advance(now);
    const question = this.#questions.take();
    if (question === undefined) return;
    // What is in flight with a first frame has waited behind it.
    if (this.#kind !== 'paced') this.#drain = { since: this.#now, cleared: false };
    this.#kind = 'paced';
    this.#lastAnswer = this.#now;
    this.#waitingSince = this.#now;
    if (this.#now >= this.#distrustUntil && this.#probe === 'none') this.#learn(question);
    if (this.#drain?.cleared === false) {
      const arrived = this.#questions.count === 0 || question.at >= this.#drain.since;
      if (arrived) this.#drain = { since: this.#now, cleared: true };
    }
    if (this.#questions.count === 0) {
      this.#probe = 'none';
      this.#tokens = Math.max(this.#tokens, this.#rate.slice);
    }
    this.#judgeSlow();
  }

  /**
   * Bytes of flow that may be written now: 0, or at least a row's worth. A row that is longer may
   * go out whole. Infinity when the terminal is not paced.
   */
  budget(now: number): number {
    this.#advance(now);
    if (this.#kind === 'silent') return Number.POSITIVE_INFINITY;
    const slice = this.#rate.slice;
    if (this.#probe === 'due') return slice;
    return this.#blocked() || this.#tokens < slice - 0.5 ? 0 : slice;
  }

  /**
   * When to ask for the budget and `slow` again though no answer came; undefined when only an
   * answer can change them. After a budget of 0 it lies ahead.
   */
  deadline(): number | undefined {
    if (this.#kind === 'silent') return undefined;
    const times: number[] = [];
    if (this.#questions.count > 0) {
      if (this.#kind === 'unknown') times.push(this.#silentAt());
      else {
        if (!this.#slow) times.push(this.#waitingSince + stallWord);
        if (this.#probe !== 'due') times.push(this.#giveUpAt());
      }
    }
    const missing = this.#rate.slice - this.#tokens;
    if (!this.#blocked() && missing > 0.5) {
      times.push(this.#now + missing / this.#rate.bytesPerMs);
    }
    return times.length === 0 ? undefined : Math.min(...times);
  }

  /**
   * The terminal was away (suspended, or with another program): what is in flight is forgotten,
   * and the round trip learnt anew.
   */
  reset(now: number): void {
    if (Number.isFinite(now)) this.#now = now;
    this.#forget();
    this.#trip.clear();
    if (this.#kind === 'paced') this.#drain = { since: this.#now, cleared: false };
  }

  #learn(question: PendingQuestion): void {
    const time = Math.max(0, this.#now - question.at);
    if (this.#drain?.cleared === true && question.at >= this.#drain.since) {
      this.#trip.restart(time, question.bytes, this.#now);
      this.#drain = undefined;
      this.#rate.restart(this.#now);
    } else {
      this.#trip.add(time, question.bytes, this.#now);
    }
    const answered = this.#questions.bytesAnswered;
    this.#tokens -= this.#rate.answered(question, this.#trip, this.#now, answered);
    if (this.#rate.doubtful) this.#drain ??= { since: this.#now, cleared: false };
  }

  #advance(now: number): void {
    if (now < this.#now - stallWord) this.reset(now);
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
    if (now >= this.#waitingSince + stallWord) this.#slow = true;
    if (now < this.#giveUpAt()) return;
    if (this.#lost()) {
      this.#forget();
      this.#rate.restore();
    } else {
      this.#probe = 'due';
    }
  }

  /** Whether time alone brings no budget. */
  #blocked(): boolean {
    const open = this.#questions.count;
    const inFlight = this.#questions.bytesInFlight;
    if (open === 0 || this.#probe === 'due') return false;
    if (this.#kind === 'unknown') return inFlight >= unknownWindow;
    if (this.#probe === 'sent' || this.#drain !== undefined) return true;
    const shortest = this.#trip.shortest ?? 0;
    const rate = this.#rate.bytesPerMs;
    const oldest = this.#questions.oldest;
    if (oldest !== undefined) {
      if (this.#now - oldest.at > shortest + overdue + oldest.bytes / rate) return true;
    }
    return inFlight >= rate * (shortest + windowMargin);
  }

  #silentAt(): number {
    const first = this.#questions.oldest?.bytes ?? 0;
    const large = Math.min(silence, Math.floor(Math.max(0, first - smallFrame) / bytesOfPatience));
    return this.#waitingSince + silence + large;
  }

  /** When answers that are owed are waited for no longer. */
  #giveUpAt(): number {
    if (this.#probe === 'due') return Number.POSITIVE_INFINITY;
    if (!this.#lost()) return this.#waitingSince + stallPatience;
    if (this.#probe === 'sent') return this.#waitingSince + lostPatience;
    // Once the rest has arrived there is no queue that a write could still stand in.
    const patience = this.#drain?.cleared
      ? emptyLinkMargin + 1.25 * (this.#trip.shortest ?? 0)
      : lostPatience + 3 * (this.#trip.smoothed ?? 0);
    return (this.#questions.newest?.at ?? this.#now) + patience;
  }

  /** Whether answers come, and yet the count does not get even where it should. */
  #lost(): boolean {
    if (this.#probe === 'sent') return this.#lastAnswer >= this.#waitingSince;
    const newest = this.#questions.newest;
    return this.#drain !== undefined && newest !== undefined && this.#lastAnswer > newest.at;
  }

  #forget(): void {
    this.#questions.forget();
    this.#probe = 'none';
    this.#drain = undefined;
    this.#waitingSince = this.#now;
    this.#distrustUntil = this.#now + 2 * (this.#trip.smoothed ?? 0);
    this.#tokens = this.#rate.slice;
    this.#rate.restart(this.#now);
  }

  #judgeSlow(): void {
    const time = this.#trip.smoothed;
    if (time === undefined || this.#drain !== undefined) return;
    const capacity = this.#rate.capacity ?? Number.POSITIVE_INFINITY;
    if (time >= slowRoundTrip.from || capacity <= slowCapacity.from) this.#slow = true;
    else if (time < slowRoundTrip.until && capacity >= slowCapacity.until) this.#slow = false;
  }
}
