/** Seconds of one bar, and bars: a minute in all. */
export const barSeconds = 3;
const bars = 20;

/** How many lines came in each of the last seconds. */
export interface LogRates {
  /** Takes note of how many lines were received so far, at a time in ms. */
  sample(now: number, received: number): void;
  /** Lines a second of each bar, oldest first; empty until a second was seen. */
  bars(): readonly number[];
  /** When the newest line came, as far as was seen, in ms; undefined before the first look. */
  newest(): number | undefined;
}

/** Bars end at whole multiples of their length, so that only the newest changes between two. */
export function createLogRates(): LogRates {
  /** Lines by the number of their bar. */
  let counts: readonly {
    readonly bar: number;
    readonly lines: number;
    readonly seconds: number;
  }[] = [];
  let last: { readonly second: number; readonly received: number } | undefined;
  let newestAt: number | undefined;
  return {
    sample(now, received) {
      const second = Math.floor(now / 1000);
      if (last !== undefined && second === last.second) return;
      if (last === undefined || second < last.second) {
        // The first look, or a clock that was put back.
        last = { second, received };
        newestAt = now;
        counts = [];
        return;
      }
      const lines = Math.max(0, received - last.received);
      if (lines > 0) newestAt = now;
      // Not looked at for a while, nobody knows when they came: they are spread.
      const passed = Math.min(second - last.second, bars * barSeconds);
      const each = lines / (second - last.second);
      for (let at = second - passed; at < second; at += 1) counts = added(counts, at, each);
      last = { second, received };
    },
    bars() {
      if (last === undefined) return [];
      const newest = barOf(last.second - 1);
      return counts
        .filter(({ bar }) => bar > newest - bars)
        .map(({ lines, seconds }) => lines / seconds);
    },
    newest: () => newestAt,
  };
}

function added(
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
