/** The statistics of errors: the number to be expected, and the probability of another one. */
import { cellsOf, type LogSample, sumOf } from './sample.ts';

/** The errors that a baseline lets expect in one run. */
export interface ErrorExpectation {
  /** Errors of the baseline. */
  readonly errors: number;
  /** Length of the baseline, in lengths of the run. */
  readonly runs: number;
  /** Errors that come together, at least 1: variance of the counts over their mean. */
  readonly burst: number;
}

/** Returns what earlier starts let expect in a run of `seconds`; `cell` is the length of a burst. */
export function expectFromStarts(
  starts: readonly LogSample[],
  seconds: number,
  cell: number,
): ErrorExpectation {
  const counts = starts.map(({ errors }) => errors);
  const byStart = counts.map((errors) => cellsOf(errors, cell));
  const dispersions = [dispersionOf(counts.map(sumOf)), positionDispersion(byStart)];
  // One start has no other to be compared with, so that its own course counts as chance.
  if (starts.length === 1) dispersions.push(dispersionOf(byStart[0] ?? []));
  return expectation(starts, seconds, dispersions);
}

/** Returns what stretches of a running service let expect; all of their seconds are alike. */
export function expectFromRunning(
  stretches: readonly LogSample[],
  seconds: number,
  cell: number,
): ErrorExpectation {
  const counts = stretches.map(({ errors }) => errors);
  const cells = counts.flatMap((errors) => cellsOf(errors, cell));
  return expectation(stretches, seconds, [dispersionOf(counts.map(sumOf)), dispersionOf(cells)]);
}

function expectation(
  samples: readonly LogSample[],
  seconds: number,
  dispersions: readonly number[],
): ErrorExpectation {
  return {
    errors: sumOf(samples.map(({ errors }) => sumOf(errors))),
    runs: sumOf(samples.map(({ errors }) => errors.length)) / seconds,
    burst: Math.max(1, ...dispersions),
  };
}

/** Returns variance over mean, which is 1 for independent events; 0 where nothing was counted. */
function dispersionOf(counts: readonly number[]): number {
  return positionDispersion(counts.map((count) => [count]));
}

/**
 * Returns variance over mean of counts at the same place of several rows, pooled over the places. The
 * errors that each start writes at its third second are no bursts.
 */
function positionDispersion(rows: readonly (readonly number[])[]): number {
  const places = Math.min(...rows.map((row) => row.length));
  if (rows.length < 2 || places === 0) return 0;
  let squares = 0;
  let means = 0;
  for (let place = 0; place < places; place += 1) {
    const column = rows.map((row) => row[place] ?? 0);
    const mean = sumOf(column) / rows.length;
    means += mean;
    squares += sumOf(column.map((count) => (count - mean) ** 2));
  }
  return means === 0 ? 0 : squares / (means * (rows.length - 1));
}

/**
 * The shape of the rate is no greater, however long the baseline: between two starts the load differs,
 * by a third (`1 / sqrt(10)`) at least, and so do the errors of a service that is as good as before.
 */
const greatestShape = 10;

/**
 * Returns the probability of at least `errors` in a run that is like the baseline.
 *
 * The rate of errors is unknown, and known the less, the fewer starts were seen. With a gamma
 * distribution of the rate (Jeffreys' prior, shape 1/2, and the errors of the baseline) the number of
 * errors in the next run is negative binomial. A Poisson distribution with the mean rate would take the
 * first error after five clean starts for impossible; a test of proportions needs a number of requests,
 * which no log tells. Errors come in bursts: one lost connection writes a stack of lines, and each
 * worker its own. So not lines are counted but bursts (quasi-likelihood): both counts are divided by
 * the dispersion of the baseline.
 */
export function probabilityOfErrors(
  errors: number,
  { errors: earlier, runs, burst }: ErrorExpectation,
): number {
  const bursts = Math.floor(errors / burst);
  if (bursts === 0 || runs <= 0) return 1;
  const events = earlier / burst + 0.5;
  return negativeBinomialTail(bursts, Math.min(events, greatestShape), events / runs);
}

/** Returns P(X >= count) of a negative binomial distribution with this shape and mean. */
export function negativeBinomialTail(count: number, shape: number, mean: number): number {
  const success = shape / (shape + mean);
  const logFailure = Math.log1p(-success);
  // Logarithms, because the first probabilities of a great mean are too small for a number.
  let logProbability = shape * Math.log(success);
  let below = 0;
  for (let value = 0; value < count; value += 1) {
    below += Math.exp(logProbability);
    logProbability += Math.log((shape + value) / (value + 1)) + logFailure;
    if (value > mean && logProbability < smallest) break;
  }
  return Math.max(0, 1 - below);
}

/** Logarithm below which a probability no longer adds to a sum near 1. */
const smallest = -40;
