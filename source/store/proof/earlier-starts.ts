/** Tells the earlier starts of a service that a run can be compared with. */
import { parseInstant } from '../../contract/instant.ts';
import type { Deployment } from '../../contract/deployments.ts';
import type { ProofRecord } from './proof-record.ts';

/** The starts of a service before a restart; times in ms by the service's clock. */
export interface StartSources {
  /** The deployment before the restart; undefined where it is unknown. */
  readonly before: Deployment | undefined;
  readonly service: string;
  /** Times of restarts that were requested from this machine. */
  readonly requested: readonly number[];
  /** Starts that the log tells. */
  readonly logged: readonly number[];
  /** Ends of runs that the log tells. */
  readonly ended: readonly number[];
  /** Records of proved restarts of the deployment. */
  readonly records: readonly ProofRecord[];
}

export interface EarlierStart {
  /** The first moment that tells the start: its request, or the start itself. */
  readonly at: number;
  /** The moment from which on the new run writes; undefined where only the request is known. */
  readonly runsFrom: number | undefined;
  /** The record of its proof. */
  readonly record?: ProofRecord | undefined;
}

/** Milliseconds within which several times tell the same start: of the request, and of the start. */
const sameStart = 10_000;

/**
 * Returns the earlier starts, newest first. Those are left out whose run ended before it was as old as
 * the run to judge, by a crash or by another restart, and those that were worse than usual themselves.
 * The creation counts only where no later start is known: a service gets its files afterwards, so that
 * its first run may have had nothing to do.
 *
 * @param at time of the restart to judge.
 * @param seconds length of its proof.
 */
export function earlierStarts(
  { before, service, requested, logged, ended, records }: StartSources,
  at: number,
  seconds: number,
): readonly EarlierStart[] {
  const startedAt = parseInstant(before?.services.find(({ name }) => name === service)?.startedAt);
  const createdAt = parseInstant(before?.createdAt);
  const told = [createdAt, parseInstant(before?.restartedAt)];
  const recorded = records.map((record) => record.at);
  const times = [...told, startedAt, ...requested, ...logged, ...recorded]
    .filter((time) => time !== undefined)
    .filter((time) => time < at)
    .toSorted((left, right) => left - right);
  const firstTimes = times.filter((time, index) => time - (times[index - 1] ?? 0) >= sameStart);
  const starts = firstTimes.map((time, index): EarlierStart & { readonly end: number } => {
    const end = firstTimes[index + 1] ?? at;
    return {
      at: time,
      runsFrom: firstStart([...logged, ...(startedAt === undefined ? [] : [startedAt])], time, end),
      end,
      record: records.find((record) => Math.abs(record.at - time) < sameStart),
    };
  });
  const worse = worseSpans(records, at);
  const isWhole = (start: EarlierStart & { readonly end: number }): boolean => {
    const wanted = start.at + seconds * 1000;
    const from = start.runsFrom ?? start.at;
    // A service that crashes is started again after a pause.
    return start.end >= wanted && !ended.some((end) => end > from && end < wanted);
  };
  const usual = starts
    .filter(isWhole)
    .filter(
      (start) =>
        !worse.some(({ from, to }) => start.at >= from - sameStart && start.at < to - sameStart),
    );
  const isCreation = (start: EarlierStart): boolean => start.at === createdAt;
  return usual
    .filter((start) => usual.length === 1 || !isCreation(start))
    .map(({ at: time, runsFrom, record }) => ({ at: time, runsFrom, record }))
    .toReversed();
}

/** Returns the first of some starts in a span, which the run before may reach into. */
export function firstStart(
  starts: readonly number[],
  from: number,
  to: number,
): number | undefined {
  const within = starts.filter((start) => start >= from && start < to);
  return within.length === 0 ? undefined : Math.min(...within);
}

/** Returns the spans in which the deployment ran worse than usual, by its records. */
export function worseSpans(
  records: readonly ProofRecord[],
  at: number,
): readonly { readonly from: number; readonly to: number }[] {
  const before = records.filter((record) => record.at < at).toSorted((a, b) => a.at - b.at);
  return before.flatMap((record, index) =>
    record.verdict === 'worse' ? [{ from: record.at, to: before[index + 1]?.at ?? at }] : [],
  );
}
