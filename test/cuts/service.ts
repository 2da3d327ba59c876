import type { LogLine } from '../../source/contract/logs.ts';

/** A service with a deployment that writes, and all that it has written. */
export interface WritingService extends AsyncDisposable {
  readonly baseUrl: string;
  readonly token: string;
  readonly deployment: string;
  /**
   * Drops its connections, or dies, and is back `milliseconds` later; then where it is now. A service
   * that only drops its streams waits for `answered` first: it must have the stream that it drops.
   */
  fail(milliseconds: number, answered: () => Promise<void>): Promise<string>;
  /** Writes no more from now on. */
  stop(): Promise<void>;
  /** Its own record, oldest first, read past the network that is cut. */
  record(): Promise<readonly LogLine[]>;
  /** Returns the written lines that the record itself lacks, as sentences. */
  faults(record: readonly LogLine[]): readonly string[];
}

/** A service has so many lines at least when it is handed over. */
export const earlierLines = 1500;

/** Every so manieth line is like others. */
export const repeats = 7;

export const repeated = 'GET /health 200 0.4ms';

/** Line `number` of what a process writes that is called `run`. */
export function writtenLine(run: string, number: number): string {
  return number % repeats === 0 ? repeated : `${run} ${number} GET /orders/${number * 31} 200 12ms`;
}

export function isUniqueLine(text: string): boolean {
  return text !== repeated;
}

/** The next number whose line is like no other. */
export function nextUnique(number: number): number {
  return number + ((number + 1) % repeats === 0 ? 2 : 1);
}
