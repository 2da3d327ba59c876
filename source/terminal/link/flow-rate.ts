import type { PendingQuestion } from './questions.ts';
import type { RoundTrip } from './round-trip.ts';

/** Milliseconds of flow in one slice. */
const sliceTime = 10;
const smallestSlice = 200;
const largestSlice = 16_384;
/** Initial rate in bytes per ms, and its bounds. */
const firstRate = 4;
const lowestRate = 0.25;
const highestRate = 100_000;
/** Milliseconds of flow that may queue in the link. A local terminal may be busy for longer. */
const queueLimit = 12;
const localRoundTrip = 10;
const localQueueLimit = 40;
/** Answers in a round: the shortest queue among them is free of most jitter. */
const samplesPerRound = 3;
/** Rounds with a queue after which the shortest round trip may be outdated. */
const doubtfulRounds = 3;
/** Successive rounds in which the queue rises with each write, by chance rare even with jitter. */
const risingRounds = 2;
/** A queue of this many times the limit means a slower or a longer link. */
const longQueue = 5;
const carefulStep = 0.02;

/**
 * Controls the rate of log rows. The rate grows until the round trips show a queue, then falls below
 * the rate of delivery, so that the queue drains. Rates are in bytes per ms, times in ms.
 */
export class FlowRate {
  #rate = firstRate;
  /** Last measured capacity of the link; undefined before the first queue. */
  #capacity: number | undefined;
  #step = carefulStep;
  #congested = 0;
  /** Rate and capacity before the current queue. */
  #before: { rate: number; capacity: number | undefined } | undefined;
  // Only writes after the start of a round show the effect of the last change.
  #roundStart = 0;
  #samples = 0;
  #leastQueue = Number.POSITIVE_INFINITY;
  #deliveries = 0;
  #burst = new Burst();
  /** Successive rounds with a rising queue, and the fastest delivery in them. */
  #rising = 0;
  #burstRate = 0;
  /** True when enough was in flight to use the rate. */
  #isUsed = false;

  get bytesPerMs(): number {
    return this.#rate;
  }

  /** Measured capacity of the link; undefined before the first queue. */
  get capacity(): number | undefined {
    return this.#capacity === undefined ? undefined : Math.max(this.#capacity, this.#rate);
  }

  /** Bytes to write at a time. */
  get slice(): number {
    return Math.floor(Math.min(largestSlice, Math.max(smallestSlice, this.#rate * sliceTime)));
  }

  /** True when a queue is so long or lasts so long that the shortest round trip may be outdated. */
  get doubtful(): boolean {
    return this.#congested >= doubtfulRounds;
  }

  /** Starts a new round with writes after `now`. */
  restart(now: number): void {
    this.#roundStart = now;
    this.#congested = 0;
    this.#clearRound();
  }

  /** Undoes the last reductions, after lost answers were mistaken for a queue. */
  restore(): void {
    if (this.#before === undefined) return;
    this.#capacity = this.#before.capacity;
    this.#set(this.#before.rate * 0.75);
    this.#before = undefined;
  }

  /**
   * Records the answer to a question; `answered` is the total of bytes answered. Returns the bytes to
   * withhold so that the queue in the link drains, mostly 0.
   */
  recordAnswer(question: PendingQuestion, trip: RoundTrip, now: number, answered: number): number {
    const time = Math.max(0.1, now - question.sentAt);
    // The link delivered these bytes in this time, so it is at least as fast.
    this.#set(Math.max(this.#rate, (0.9 * question.bytes) / time));
    if (question.sentAt < this.#roundStart) return 0;
    const shortest = trip.shortest ?? time;
    const queue = trip.queue(time, question.bytes, Math.max(this.#rate, this.#capacity ?? 0));
    this.#samples++;
    this.#leastQueue = Math.min(this.#leastQueue, queue);
    this.#burst.record(question, queue, now);
    this.#deliveries += (answered - question.confirmedBefore) / time;
    if (question.inFlight >= 0.5 * this.#rate * shortest) this.#isUsed = true;
    return this.#samples < samplesPerRound ? 0 : this.#endRound(shortest, now);
  }

  #endRound(shortest: number, now: number): number {
    const limit = shortest < localRoundTrip ? localQueueLimit : queueLimit;
    const queue = this.#leastQueue;
    const delivery = this.#deliveries / this.#samples;
    const isUsed = this.#isUsed;
    const burst = this.#burst;
    this.#roundStart = now;
    this.#clearRound();
    if (queue > limit) {
      if (this.#congested === 0) this.#before = { rate: this.#rate, capacity: this.#capacity };
      this.#congested += queue > limit * longQueue ? doubtfulRounds : 1;
      if (!isUsed) return 0;
      this.#step = carefulStep;
      // Answers that come together after a pause show how fast the link is between pauses.
      this.#capacity = Math.max(delivery, burst.delivery);
      this.#set(Math.min(this.#rate * 0.95, Math.max(this.#capacity * 0.75, this.#rate / 4)));
      return queue * Math.min(delivery, this.#rate);
    }
    this.#congested = 0;
    if (burst.rise > limit / 2) {
      this.#endRisingRound(burst);
      return 0;
    }
    this.#rising = 0;
    this.#burstRate = 0;
    if (isUsed && queue <= limit / 2) this.#grow();
    return 0;
  }

  /**
   * Lowers the rate to what the link delivers of a burst. A flow with pauses finds the link empty at
   * each start, so the shortest queue of a round tells nothing of it.
   */
  #endRisingRound(burst: Burst): void {
    this.#rising++;
    this.#burstRate = Math.max(this.#burstRate, burst.delivery);
    if (this.#rising < risingRounds || this.#burstRate >= this.#rate) return;
    this.#step = carefulStep;
    this.#capacity = this.#burstRate;
    this.#set(Math.max(this.#burstRate * 0.95, this.#rate / 4));
  }

  #grow(): void {
    if (this.#capacity === undefined) {
      this.#set(this.#rate * 1.5);
      return;
    }
    const isNear = this.#rate > this.#capacity * 0.8 && this.#rate < this.#capacity * 1.15;
    this.#step = isNear ? carefulStep : Math.min(0.3, this.#step * 1.5);
    this.#set(this.#rate * (1 + this.#step));
  }

  #set(rate: number): void {
    this.#rate = Math.min(highestRate, Math.max(lowestRate, rate));
  }

  #clearRound(): void {
    this.#samples = 0;
    this.#leastQueue = Number.POSITIVE_INFINITY;
    this.#deliveries = 0;
    this.#burst = new Burst();
    this.#isUsed = false;
  }
}

/**
 * The queues of successive writes: where each is longer than the last, the flow exceeds the link. A write that
 * was sent after the answer to the one before found an empty link, and waited for a busy terminal.
 */
class Burst {
  #first: { readonly queue: number; readonly at: number } | undefined;
  #last = { queue: 0, at: 0 };
  #bytes = 0;
  #isRising = true;

  record({ bytes, sentAt }: PendingQuestion, queue: number, at: number): void {
    if (this.#first === undefined) this.#first = { queue, at };
    else {
      this.#isRising &&= queue > this.#last.queue && sentAt < this.#last.at;
      this.#bytes += bytes;
    }
    this.#last = { queue, at };
  }

  /** Milliseconds by which the queue rose from the first write to the last; 0 unless with each. */
  get rise(): number {
    return this.#isRising ? this.#last.queue - (this.#first?.queue ?? 0) : 0;
  }

  /** Bytes per ms that the link delivered between the first answer and the last. */
  get delivery(): number {
    return this.#bytes / Math.max(0.1, this.#last.at - (this.#first?.at ?? 0));
  }
}
