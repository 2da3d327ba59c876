/** Decides whether a pattern has become more or less frequent, by counts of two spans of time. */

export type PatternChange = 'new' | 'gone' | 'more' | 'fewer';

/** Lines of a pattern in equal parts of a span. */
export interface SpanLines {
  /** Lines of each part; estimates where lines were sampled. */
  readonly parts: readonly number[];
  /** Milliseconds of the whole span. */
  readonly length: number;
}

/** Chance that a difference without a reason counts as a change, for all patterns together. */
const allChance = 0.01;
/** Factor by which a rate must differ, however many lines there are. */
const leastFactor = 2;

/**
 * Returns how the rate of a pattern differs between two spans; undefined when it may be chance. Lines
 * that come in bursts count as fewer: both counts are divided by how much the parts of a span differ,
 * against lines that come at random. The test is the exact one for two Poisson rates, with the chance
 * divided by the number of patterns that are compared.
 * @param sampling lines that each line that was read stands for, at most.
 */
export function patternChange(
  before: SpanLines,
  after: SpanLines,
  { patterns, sampling }: { readonly patterns: number; readonly sampling: number },
): PatternChange | undefined {
  const [earlier, later] = [sumOf(before.parts), sumOf(after.parts)];
  if (earlier === 0) return later === 0 ? undefined : 'new';
  const chance = allChance / Math.max(1, patterns);
  const scatter = Math.max(sampling, scatterOf(before.parts), scatterOf(after.parts));
  const share = after.length / (before.length + after.length);
  const [few, many] = [Math.floor(earlier / scatter), Math.floor(later / scatter)];
  if (few + many === 0) return undefined;
  const factor = later / after.length / (earlier / before.length);
  if (factor >= leastFactor) {
    return tail(few + many, many, share) < chance ? 'more' : undefined;
  }
  if (factor > 1 / leastFactor) return undefined;
  if (tail(few + many, few, 1 - share) >= chance) return undefined;
  return later === 0 ? 'gone' : 'fewer';
}

/** Returns the variance of the parts divided by their mean; 1 for lines at random, at least 1. */
function scatterOf(parts: readonly number[]): number {
  const mean = sumOf(parts) / parts.length;
  if (mean === 0 || parts.length < 2) return 1;
  const squares = parts.reduce((sum, part) => sum + (part - mean) ** 2, 0);
  return Math.max(1, squares / (parts.length - 1) / mean);
}

/** Returns the chance of at least `hits` of `count` when each has a chance of `share`. */
function tail(count: number, hits: number, share: number): number {
  const mean = count * share;
  if (hits <= mean) return 1;
  let sum = 0;
  for (let each = hits; each <= count; each += 1) {
    const term = Math.exp(
      logFactorial(count) -
        logFactorial(each) -
        logFactorial(count - each) +
        each * Math.log(share) +
        (count - each) * Math.log1p(-share),
    );
    sum += term;
    // Terms only shrink beyond the mean.
    if (term < sum * 1e-9) break;
  }
  return sum;
}

/** Returns the logarithm of a factorial, by Stirling's series from 20 on. */
function logFactorial(count: number): number {
  if (count < 20) {
    let sum = 0;
    for (let each = 2; each <= count; each += 1) sum += Math.log(each);
    return sum;
  }
  const correction = 1 / (12 * count) - 1 / (360 * count ** 3);
  return count * Math.log(count) - count + Math.log(2 * Math.PI * count) / 2 + correction;
}

function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, each) => sum + each, 0);
}
