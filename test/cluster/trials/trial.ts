import type { Caller } from '../../host/support/temporary-host.ts';
import { type ReadLog, readLogs } from '../../host/support/bodies.ts';

/** The outcome of a trial. */
export interface TrialResult {
  /** Figures, a sentence each. */
  readonly figures: readonly string[];
  /** Promises that did not hold; empty when all did. */
  readonly failures: readonly string[];
}

/** Most lines of an answer of the host. */
const pageLines = 10_000;

/** Resolves with the whole log of a deployment that writes no more, oldest first. */
export async function readWholeLog(owner: Caller, id: string): Promise<readonly ReadLog[]> {
  const pages: (readonly ReadLog[])[] = [];
  for (;;) {
    const page = await readLogs(owner, id, { limit: pageLines, offset: pages.length * pageLines });
    pages.unshift(page);
    if (page.length < pageLines) return pages.flat();
  }
}

/** Returns the number of ids that the lines of a whole log leave out or repeat. */
export function countHoles(lines: readonly ReadLog[]): number {
  return lines.filter(({ id }, index) => index > 0 && id !== (lines[index - 1]?.id ?? 0) + 1)
    .length;
}

/** Numbered lines of one writer: how many are missing up to the last one, and how many too many. */
export function compareNumbers(
  numbers: readonly number[],
  last = Math.max(0, ...numbers.slice(-1)),
): { readonly lost: number; readonly doubled: number; readonly disordered: number } {
  const different = new Set(numbers);
  return {
    lost: last - [...different].filter((number) => number <= last).length,
    doubled: numbers.length - different.size,
    disordered: numbers.filter((number, index) => number < (numbers[index - 1] ?? 0)).length,
  };
}

/** Returns the sum of numbers. */
export function sum(numbers: Iterable<number>): number {
  return [...numbers].reduce((total, number) => total + number, 0);
}
