interface Alarm {
  /** By the stopped clock, in ms since the epoch. */
  readonly at: number;
  readonly ring: () => void;
}

/** The longest time of a timer in ms. */
const never = 2_147_483_647;

/**
 * A clock for a console in this process: it stands still until the test moves it, and timers of a second
 * or more wait for it, or of what the test says. Shorter ones run as always.
 */
export class StoppedClock implements Disposable {
  #now: number;
  /** By the timer that stands for it, which keeps the process up as the true one would. */
  readonly #alarms = new Map<unknown, Alarm>();
  /** Timers that run as always and are not over. */
  readonly #running = new Set<unknown>();
  readonly #before = {
    now: Date.now,
    random: Math.random,
    uptime: process.uptime.bind(process),
    setTimeout: globalThis.setTimeout,
    clearTimeout: globalThis.clearTimeout,
    zone: process.env['TZ'],
  };

  constructor(now: number, waitsFrom = 1000) {
    this.#now = now;
    const { setTimeout: startTimer, clearTimeout: stopTimer } = this.#before;
    Date.now = () => this.#now;
    // Waits before a retry are a little longer or shorter by chance.
    Math.random = () => 0.5;
    // The terminal answers at once: a busy machine must not pass for a slow link.
    process.uptime = () => 1;
    process.env['TZ'] = 'UTC';
    globalThis.setTimeout = Object.assign<object, typeof setTimeout>(
      (action: (...args: unknown[]) => void, delay = 0, ...args: unknown[]) => {
        if (delay < waitsFrom) {
          const timer = startTimer(() => {
            this.#running.delete(timer);
            action(...args);
          }, delay);
          this.#running.add(timer);
          return timer;
        }
        const handle = startTimer(() => undefined, never);
        this.#alarms.set(handle, { at: this.#now + delay, ring: () => action(...args) });
        return handle;
      },
      startTimer,
    );
    globalThis.clearTimeout = (handle) => {
      this.#alarms.delete(handle);
      this.#running.delete(handle);
      stopTimer(handle);
    };
  }

  /** Whether a timer runs that does not wait for this clock. */
  get hasRunning(): boolean {
    return this.#running.size > 0;
  }

  get now(): number {
    return this.#now;
  }

  /** Moves the clock on by so many ms; what the console does then, it does at the new time. */
  advance(milliseconds: number): void {
    this.#now += milliseconds;
    const due = [...this.#alarms].filter(([, { at }]) => at <= this.#now);
    for (const [handle, { ring }] of due.sort(([, a], [, b]) => a.at - b.at)) {
      // An earlier one may have cancelled it.
      if (!this.#alarms.has(handle)) continue;
      clearTimeout(handle as NodeJS.Timeout);
      ring();
    }
  }

  [Symbol.dispose](): void {
    const { now, random, uptime, zone, ...timers } = this.#before;
    for (const handle of this.#alarms.keys()) timers.clearTimeout(handle as NodeJS.Timeout);
    Date.now = now;
    Math.random = random;
    process.uptime = uptime;
    Object.assign(globalThis, timers);
    if (zone === undefined) delete process.env['TZ'];
    else process.env['TZ'] = zone;
  }
}
