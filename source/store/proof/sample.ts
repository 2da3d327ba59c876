/** Samples of a log: how many lines and errors a service wrote in each second of a stretch. */

/** Counts by second; both lists have one number for each second of the sample. */
export interface LogSample {
  readonly lines: readonly number[];
  readonly errors: readonly number[];
  /**
   * Seconds after the begin from which on errors are counted: earlier ones may be of the version before, which
   * a rollout stops late. Undefined for all.
   */
  readonly errorsFrom?: number | undefined;
}

/** Returns the first `seconds` of a sample, or as many as it has. */
export function firstSeconds(sample: LogSample, seconds: number): LogSample {
  if (sample.lines.length <= seconds) return sample;
  return {
    ...sample,
    lines: sample.lines.slice(0, seconds),
    errors: sample.errors.slice(0, seconds),
  };
}

/** Returns a sample without the errors of its first `seconds`. */
export function withoutErrorsBefore(sample: LogSample, seconds: number): LogSample {
  if (seconds === 0) return sample;
  return { ...sample, errors: sample.errors.map((count, at) => (at < seconds ? 0 : count)) };
}

export function sumOf(counts: readonly number[]): number {
  return counts.reduce((sum, count) => sum + count, 0);
}

/** Returns the sums of consecutive cells of `size` seconds; a last shorter cell is left out. */
export function cellsOf(counts: readonly number[], size: number): readonly number[] {
  const cells = Math.floor(counts.length / size);
  return Array.from({ length: cells }, (_, cell) =>
    sumOf(counts.slice(cell * size, (cell + 1) * size)),
  );
}

/** Returns the longest stretch without a line, in seconds; ends of the sample end a stretch. */
export function longestPause(lines: readonly number[]): number {
  let longest = 0;
  let pause = 0;
  for (const count of lines) {
    pause = count === 0 ? pause + 1 : 0;
    longest = Math.max(longest, pause);
  }
  return longest;
}

/** Returns the number of seconds in which a line was written. */
export function busySeconds(lines: readonly number[]): number {
  return lines.filter((count) => count > 0).length;
}

/** Returns the seconds from the start to the last line; 0 where none was written. */
export function lastBusySecond(lines: readonly number[]): number {
  return lines.findLastIndex((count) => count > 0) + 1;
}
