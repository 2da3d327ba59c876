/** Tells whether a run wrote more errors than its baseline explains. */
import {
  type ErrorExpectation,
  expectFromRunning,
  expectFromStarts,
  probabilityOfErrors,
} from './expectation.ts';
import { firstSeconds, type LogSample, sumOf, withoutErrorsBefore } from './sample.ts';

/** The lines of a service from before: at earlier starts, and in the hour before the restart. */
export interface LogBaseline {
  /** The first seconds after earlier starts, newest first; at most five are used. */
  readonly starts: readonly LogSample[];
  /** Stretches of the hour before the restart, each as long as the proof. */
  readonly hour: readonly LogSample[];
}

export type BaselineKind = 'starts' | 'hour';

export interface ErrorJudgement {
  /** `some` are more than usual, but may be chance. */
  readonly kind: 'usual' | 'some' | 'worse';
  /** The baseline that they were compared with; undefined without any. */
  readonly baseline: BaselineKind | undefined;
}

/** Earlier starts that are compared with. */
export const mostStarts = 5;

/** Errors, besides those of the worst burst, below which nothing is proved. */
export const fewestErrors = 3;

/** Probability below which errors are too many for chance. */
export const chance = 1 / 1000;

/** Probability below which errors are suspicious. */
const doubt = 1 / 20;

/** Bursts of errors that fit into a run. */
const burstsInRun = 6;

/** Part of a run after which it is compared with an hour of running: starting is over then. */
export const startingPart = 1 / 3;

/** Stretches of the hour before that tell something of its bursts. */
const fewestStretches = 5;

/** Returns the length of a burst of errors in a run of `seconds`. */
function burstLength(seconds: number): number {
  return Math.max(1, Math.round(seconds / burstsInRun));
}

/**
 * Compares the errors of a run with those of its baseline. One burst proves nothing, because a service
 * that has one in a day has one after a restart some day: the worst five seconds of thirty are left out.
 * The first five are not, where earlier starts tell how it starts. The hour before tells nothing of a
 * start; it speaks for the errors of the last two thirds, and against taking errors of every day for new.
 *
 * @param alpha probability below which errors are too many for chance.
 */
export function judgeErrors(
  run: LogSample,
  { starts, hour }: LogBaseline,
  alpha = chance,
): ErrorJudgement {
  const seconds = run.errors.length;
  const cell = burstLength(seconds);
  const newest = starts.slice(0, mostStarts).map((start) => firstSeconds(start, seconds));
  // Errors in seconds that an earlier start does not count would be taken for new ones.
  const countedFrom = Math.max(0, ...newest.map(({ errorsFrom = 0 }) => errorsFrom));
  const used = newest.map((start) => withoutErrorsBefore(start, countedFrom));
  const { errors } = withoutErrorsBefore(run, countedFrom);
  const byStarts = used.length > 0 ? expectFromStarts(used, seconds, cell) : undefined;
  const lateFrom = Math.round(seconds * startingPart);
  const byHour = hour.length > 0 ? expectFromRunning(hour, seconds, cell) : undefined;
  const late = run.errors.slice(lateFrom);
  const lateByHour = byHour && { ...byHour, runs: (byHour.runs * seconds) / late.length };
  const all = sumOf(errors);
  const baseline = byStarts !== undefined ? 'starts' : byHour !== undefined ? 'hour' : undefined;
  const usual = { kind: 'usual', baseline } as const;
  if (all < fewestErrors) return usual;
  const lasting = withoutWorst(errors, cell, cell);
  const lastingLate = withoutWorst(late, cell, 0);
  const isSome = byStarts === undefined || probabilityOfErrors(all, byStarts) < doubt;
  const isNew = byHour === undefined || probabilityOfErrors(all, byHour) < doubt;
  if (!isSome || (byStarts === undefined && byHour !== undefined && !isNew)) return usual;
  const provesByStarts =
    isTooMany(lasting, byStarts, alpha) &&
    (byHour === undefined || hour.length < fewestStretches || isTooMany(lasting, byHour, alpha));
  if (provesByStarts) return { kind: 'worse', baseline: 'starts' };
  if (isTooMany(lastingLate, lateByHour, alpha)) return { kind: 'worse', baseline: 'hour' };
  return { kind: 'some', baseline };
}

function isTooMany(errors: number, expected: ErrorExpectation | undefined, alpha: number): boolean {
  if (expected === undefined || errors < fewestErrors) return false;
  return probabilityOfErrors(errors, expected) < alpha;
}

/**
 * Returns the sum of the counts without their worst `length` seconds, which begin at `from` or later.
 * Further errors never lessen it.
 */
function withoutWorst(counts: readonly number[], length: number, from: number): number {
  let worst = 0;
  for (let begin = from; begin < counts.length; begin += 1) {
    worst = Math.max(worst, sumOf(counts.slice(begin, begin + length)));
  }
  return sumOf(counts) - worst;
}
