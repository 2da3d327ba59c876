import type { Bar } from './bars.ts';

/** Times the median that a bar must reach. */
const factor = 3;

/**
 * Returns the indexes of the bursts: the peaks with at least three times the median of the bars that
 * have lines. A bar is a peak when both its neighbours are lower; equal bars side by side are one, and
 * their first is the burst.
 */
export function burstsOf(bars: readonly Pick<Bar, 'count'>[]): readonly number[] {
  const counts = bars.map(({ count }) => count);
  const median = medianOf(counts.filter((count) => count > 0));
  return counts.flatMap((count, index) => {
    const before = counts[index - 1] ?? 0;
    const after = counts.find((other, at) => at > index && other !== count) ?? 0;
    const isPeak = count > before && count > after;
    return isPeak && count >= factor * median ? [index] : [];
  });
}

function medianOf(counts: readonly number[]): number {
  const sorted = counts.toSorted((a, b) => a - b);
  return sorted[(sorted.length - 1) >> 1] ?? Number.POSITIVE_INFINITY;
}
