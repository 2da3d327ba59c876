import type { HostClock } from '../../../source/host/clock.ts';

/** A clock that a test advances. */
export class ManualClock implements HostClock {
  #now: number;
  #timers = new Set<{ readonly at: number; readonly action: () => void }>();

  constructor(now = Date.UTC(2030, 0, 1)) {
    this.#now = now;
  }

  now(): number {
    return this.#now;
  }

  monotonic(): number {
    return this.#now;
  }

  schedule(ms: number, action: () => void): () => void {
    const timer = { at: this.#now + ms, action };
    this.#timers.add(timer);
    return () => {
      this.#timers.delete(timer);
    };
  }

  /** Cancels all timers, as when their process is gone. */
  forget(): void {
    this.#timers.clear();
  }

  /** Advances the time at once, as while a process is stopped; due timers fire once, at the end. */
  leap(ms: number): void {
    this.#now += ms;
    const due = [...this.#timers].filter(({ at }) => at <= this.#now);
    for (const timer of due.toSorted((a, b) => a.at - b.at)) {
      if (this.#timers.delete(timer)) timer.action();
    }
  }

  /** Advances the time; due timers fire at their times, in order. */
  advance(ms: number): void {
    const end = this.#now + ms;
    for (;;) {
      const [next] = [...this.#timers].filter(({ at }) => at <= end).sort((a, b) => a.at - b.at);
      if (next === undefined) break;
      this.#timers.delete(next);
      this.#now = next.at;
      next.action();
    }
    this.#now = end;
  }
}
