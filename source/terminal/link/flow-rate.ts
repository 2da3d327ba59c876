import type { PendingQuestion } from './questions.ts';
import type { RoundTrip } from './round-trip.ts';

/** ms of bytes that one slice holds. */
const sliceTime = 10;
const smallestSlice = 200;
const largestSlice = 16_384;
/** Bytes per ms. */
const firstRate = 4;
const lowestRate = 0.25;
const highestRate = 100_000;
/** ms that may stand in the link. Terminals on this machine are busy for longer now and then. */
const queueLimit = 12;
const localRoundTrip = 10;
const localQueueLimit = 40;
/** Answers that a judgement of the queue takes: its least is free of most jitter. */
const samplesOfRound = 3;
const doubtfulRounds = 3;
/** So many times the limit is waited out: the link became slower, or longer. */
const longQueue = 5;
const carefulStep = 0.02;

/**
 * The rate at which log rows may go out. It grows until a queue shows in the round trips, then
 * falls below the rate the answers came at, so that the queue goes: the link is never full for
 * long. Rates in bytes per ms.
 */
export class FlowRate {
  #rate = firstRate;
  /** The rate the link was last seen to take; undefined before the first queue. */
  #capacity: number | undefined;
  #step = carefulStep;
  #congested = 0;
  /** What was known before the queue that is being judged. */
  #before: { rate: number; capacity: number | undefined } | undefined;
  // Only writes sent since the last judgement tell of its effect.
  #roundStart = 0;
  #samples = 0;
  #leastQueue = Number.POSITIVE_INFINITY;
  #deliveries = 0;
  #used = false;

  get bytesPerMs(): number {
    return this.#rate;
  }

  /** What the link is known to take; undefined before a queue was ever seen. */
  get capacity(): number | undefined {
    return this.#capacity === undefined ? undefined : Math.max(this.#capacity, this.#rate);
  }

  /** The bytes to write at a time. */
  get slice(): number {
    return Math.floor(Math.min(largestSlice, Math.max(smallestSlice, this.#rate * sliceTime)));
  }

  /** Round trips are so long, or for so long, that their shortest may no longer be true. */
  get doubtful(): boolean {
    return this.#congested >= doubtfulRounds;
  }

  /** Begins to judge anew, from writes sent after `now`. */
  restart(now: number): void {
    this.#roundStart = now;
    this.#congested = 0;
    this.#begin();
  }

  /** Undoes the last cuts: the queue they were for was none, as answers had been lost. */
  restore(): void {
    if (this.#before === undefined) return;
    this.#capacity = this.#before.capacity;
    this.#set(this.#before.rate * 0.75);
    this.#before = undefined;
  }

  /**
   * Takes the answer to a question, `answered` bytes being answered for with it. Gives the bytes
   * to leave out so that the queue in the link goes, mostly 0.
   */
  answered(question: PendingQuestion, trip: RoundTrip, now: number, answered: number): number {
    const time = Math.max(0.1, now - question.at);
    // These bytes took no longer than this, so the link is at least as fast.
    this.#set(Math.max(this.#rate, (0.9 * question.bytes) / time));
    if (question.at < this.#roundStart) return 0;
    const shortest = trip.shortest ?? time;
    const queue = trip.queue(time, question.bytes, Math.max(this.#rate, this.#capacity ?? 0));
    this.#samples++;
    this.#leastQueue = Math.min(this.#leastQueue, queue);
    this.#deliveries += (answered - question.answeredBefore) / time;
    if (question.inFlight >= 0.5 * this.#rate * shortest) this.#used = true;
    return this.#samples < samplesOfRound ? 0 : this.#judge(shortest, now);
  }

  #judge(shortest: number, now: number): number {
    const limit = shortest < localRoundTrip ? localQueueLimit : queueLimit;
    const queue = this.#leastQueue;
    const delivery = this.#deliveries / this.#samples;
    const used = this.#used;
    this.#roundStart = now;
    this.#begin();
    if (queue > limit) {
      if (this.#congested === 0) this.#before = { rate: this.#rate, capacity: this.#capacity };
      this.#congested += queue > limit * longQueue ? doubtfulRounds : 1;
      if (!used) return 0;
      this.#step = carefulStep;
      this.#capacity = delivery;
      this.#set(Math.min(this.#rate * 0.95, Math.max(delivery * 0.75, this.#rate / 4)));
      return queue * Math.min(delivery, this.#rate);
    }
    this.#congested = 0;
    if (used && queue <= limit / 2) this.#grow();
    return 0;
  }

  #grow(): void {
    if (this.#capacity === undefined) {
      this.#set(this.#rate * 1.5);
      return;
    }
    const near = this.#rate > this.#capacity * 0.8 && this.#rate < this.#capacity * 1.15;
    this.#step = near ? carefulStep : Math.min(0.3, this.#step * 1.5);
    this.#set(this.#rate * (1 + this.#step));
  }

  #set(rate: number): void {
    this.#rate = Math.min(highestRate, Math.max(lowestRate, rate));
  }

  #begin(): void {
    this.#samples = 0;
    this.#leastQueue = Number.POSITIVE_INFINITY;
    this.#deliveries = 0;
    this.#used = false;
  }
}
