/** Services as they behave when nothing is wrong: what they write in each second. */
import type { LogSample } from '../../../source/store/proof/sample.ts';

/** Returns random numbers in [0, 1), the same ones for the same seed. */
export function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 0x1_0000_0000;
  };
}

/** Returns a Poisson number; of a great mean by its normal approximation. */
function poisson(mean: number, random: () => number): number {
  if (mean > 50) {
    const normal = Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
    return Math.max(0, Math.round(mean + Math.sqrt(mean) * normal));
  }
  let left = Math.exp(-mean);
  let count = 0;
  for (let product = random(); product > left; product *= random()) count += 1;
  return count;
}

export interface Profile {
  readonly name: string;
  /** Returns what a run writes in its first seconds, or in any others. */
  write(seconds: number, isStart: boolean, random: () => number): LogSample;
  /** Seconds before the restart that can be read. */
  readonly known: number;
}

function empty(seconds: number) {
  return {
    lines: Array.from({ length: seconds }, () => 0),
    errors: Array.from({ length: seconds }, () => 0),
  };
}

/** Adds lines to a second, some of which are errors. */
function add(
  sample: ReturnType<typeof empty>,
  second: number,
  lines: number,
  errors: number,
): void {
  const at = Math.floor(second);
  if (at < 0 || at >= sample.lines.length) return;
  sample.lines[at] = (sample.lines[at] ?? 0) + lines;
  sample.errors[at] = (sample.errors[at] ?? 0) + Math.min(errors, lines);
}

const between = (least: number, most: number, random: () => number): number =>
  least + Math.floor(random() * (most - least + 1));

/** Adds bursts of some seconds at random times. */
function addBursts(
  sample: ReturnType<typeof empty>,
  random: () => number,
  burst: { readonly every: number; readonly errorPart: number; readonly longest: number },
): void {
  const seconds = sample.lines.length;
  for (let at = -burst.every * Math.log(1 - random()); at < seconds; ) {
    const hasErrors = random() < burst.errorPart;
    const length = between(1, burst.longest, random);
    for (let second = 0; second < length; second += 1) {
      add(sample, at + second, between(3, 30, random), hasErrors ? between(1, 8, random) : 0);
    }
    at += length - burst.every * Math.log(1 - random());
  }
}

export const profiles: readonly Profile[] = [
  { name: 'silent', write: (seconds) => empty(seconds), known: 3600 },
  {
    name: 'a line in ten minutes',
    write(seconds, _, random) {
      const sample = empty(seconds);
      for (let second = 0; second < seconds; second += 1) {
        add(sample, second, poisson(1 / 600, random), random() < 0.1 ? 1 : 0);
      }
      return sample;
    },
    known: 3600,
  },
  {
    name: 'a noisy start',
    write(seconds, isStart, random) {
      const sample = empty(seconds);
      if (isStart) {
        const noisy = between(2, 4, random);
        for (let second = 0; second < noisy; second += 1) {
          add(sample, second, between(30, 80, random), poisson(1.5, random));
        }
      }
      for (let second = 0; second < seconds; second += 1) {
        add(sample, second, poisson(0.1, random), random() < 0.01 ? 1 : 0);
      }
      return sample;
    },
    known: 3600,
  },
  {
    name: 'bursts',
    write(seconds, isStart, random) {
      const sample = empty(seconds);
      if (isStart) add(sample, 0, between(1, 4, random), 0);
      addBursts(sample, random, { every: 12, errorPart: 0.1, longest: 4 });
      return sample;
    },
    known: 3600,
  },
  {
    name: 'a thousand lines a second',
    write(seconds, isStart, random) {
      const sample = empty(seconds);
      // Users come by the hour: one run has a third more of them than another.
      const load = 1000 * (0.8 + 0.4 * random());
      const begin = isStart ? between(1, 3, random) : 0;
      for (let second = begin; second < seconds; second += 1) {
        add(sample, second, poisson(load, random), poisson(load * 0.0005, random));
      }
      if (random() < 0.05) {
        const at = between(0, seconds, random);
        for (let second = at; second < at + 3; second += 1) add(sample, second, 50, 40);
      }
      return sample;
    },
    known: 10,
  },
];
