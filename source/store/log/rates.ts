/** Seconds of one bar. All bars together cover one minute. */
export const barSeconds = 3;
const bars = 20;

interface RateBar {
  readonly bar: number;
  readonly lines: number;
  readonly seconds: number;
}

/** Line rates of the last minute, as bars that end at whole multiples of their length, so that only the newest changes. */
export class LogRates {
  /** Lines and seconds of each bar, oldest first. */
  #counts: readonly RateBar[] = [];
  #last: { readonly second: number; readonly received: number } | undefined;
  #newestAt: number | undefined;

  /** Records the number of lines received until `now`, in ms. */
  sample(now: number, received: number): void {
    const second = Math.floor(now / 1000);
    const last = this.#last;
    if (second === last?.second) return;
    this.#last = { second, received };
    if (last === undefined || second < last.second) {
      // This is the first sample, or the clock was set back.
      this.#newestAt = now;
      this.#counts = [];
      return;
    }
    const lines = Math.max(0, received - last.received);
    if (lines > 0) this.#newestAt = now;
    // After a pause the arrival times are unknown, so spread the lines over it.
    const elapsed = Math.min(second - last.second, bars * barSeconds);
    const perSecond = lines / (second - last.second);
    for (let at = second - elapsed; at < second; at += 1)
      this.#counts = addedLines(this.#counts, at, perSecond);
  }

  /** Returns the lines per second of each bar, oldest first; empty during the first second. */
  bars(): readonly number[] {
    if (this.#last === undefined) return [];
    const newest = barOf(this.#last.second - 1);
    return this.#counts
      .filter(({ bar }) => bar > newest - bars)
      .map(({ lines, seconds }) => lines / seconds);
  }

  /** Returns when the newest line was counted, in ms; undefined before the first sample. */
  newestAt(): number | undefined {
    return this.#newestAt;
  }
}

function addedLines(counts: readonly RateBar[], second: number, lines: number): readonly RateBar[] {
  const bar = barOf(second);
  const newest = counts.at(-1);
  return newest?.bar === bar
    ? [...counts.slice(0, -1), { bar, lines: newest.lines + lines, seconds: newest.seconds + 1 }]
    : [...counts.slice(1 - bars), { bar, lines, seconds: 1 }];
}

const barOf = (second: number): number => Math.floor(second / barSeconds);
