/** Seconds of one bar. All bars together cover one minute. */
export const barSeconds = 3;
const bars = 20;

/** Line rates of the last minute, as bars. */
export interface LogRates {
  /** Records the number of lines received until `now`, in ms. */
  sample(now: number, received: number): void;
  /** Returns the lines per second of each bar, oldest first; empty during the first second. */
  bars(): readonly number[];
  /** Returns when the newest line was counted, in ms; undefined before the first sample. */
  newestAt(): number | undefined;
}

/** Bars end at whole multiples of their length, so that only the newest bar changes. */
export function createLogRates(): LogRates {
  /** Lines and seconds of each bar, oldest first. */
  let counts: readonly {
    readonly bar: number;
    readonly lines: number;
    readonly seconds: number;
  }[] = [];
  let lastSample: { readonly second: number; readonly received: number } | undefined;
  let newestAt: number | undefined;
  return {
    sample(now, received) {
      const second = Math.floor(now / 1000);
      if (lastSample !== undefined && second === lastSample.second) return;
      if (lastSample === undefined || second < lastSample.second) {
        // This is the first sample, or the clock was set back.
        lastSample = { second, received };
        newestAt = now;
        counts = [];
        return;
      }
      const lines = Math.max(0, received - lastSample.received);
      if (lines > 0) newestAt = now;
      // After a pause the arrival times are unknown, so spread the lines over it.
      const elapsed = Math.min(second - lastSample.second, bars * barSeconds);
      const perSecond = lines / (second - lastSample.second);
      for (let at = second - elapsed; at < second; at += 1)
        counts = addedLines(counts, at, perSecond);
      lastSample = { second, received };
    },
    bars() {
      if (lastSample === undefined) return [];
      const newest = barOf(lastSample.second - 1);
      return counts
        .filter(({ bar }) => bar > newest - bars)
        .map(({ lines, seconds }) => lines / seconds);
    },
    newestAt: () => newestAt,
  };
}

function addedLines(
  counts: readonly { readonly bar: number; readonly lines: number; readonly seconds: number }[],
  second: number,
  lines: number,
) {
  const bar = barOf(second);
  const newest = counts.at(-1);
  return newest?.bar === bar
    ? [...counts.slice(0, -1), { bar, lines: newest.lines + lines, seconds: newest.seconds + 1 }]
    : [...counts.slice(1 - bars), { bar, lines, seconds: 1 }];
}

const barOf = (second: number): number => Math.floor(second / barSeconds);
