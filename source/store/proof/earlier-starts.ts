/** Tells the earlier starts of a service that a run can be compared with. */
import { parseInstant } from '../../contract/instant.ts';
import type { Deployment } from '../../contract/deployments.ts';
import type { ProofRecord, RecordedSample } from './proof-record.ts';

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
  /** True for the last start of a rollout, behind which instances of the version before may have run on. */
  readonly endsRollout: boolean;
}

/** A start with what decides whether it counts. */
interface FoundStart extends EarlierStart {
  /** Time of the next start. */
  readonly end: number;
  readonly isCreation: boolean;
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
 * @param isRollout true where the service replaces instances step by step, so that a rollout has several
 *   starts, and ends behind the last of them. Then the rollout counts that the present instances came from,
 *   and those that were proved.
 */
export function earlierStarts(
  { before, service, requested, logged, ended, records }: StartSources,
  at: number,
  seconds: number,
  isRollout = false,
): readonly EarlierStart[] {
  const present = before?.services.find(({ name }) => name === service);
  const startedAt = parseInstant(present?.startedAt);
  const createdAt = parseInstant(before?.createdAt);
  const requests = [
    parseInstant(before?.restartedAt),
    ...requested,
    ...records.map((record) => record.at),
  ].filter((time) => time !== undefined);
  const times = [createdAt, startedAt, ...requests, ...logged]
    .filter((time) => time !== undefined)
    .filter((time) => time < at)
    .toSorted((left, right) => left - right);
  const firstTimes = times.filter((time, index) => time - (times[index - 1] ?? 0) >= sameStart);
  // The latest start of instances that all run: later ends are those of others.
  const lastStart = isRollout && present?.state === 'active' ? startedAt : undefined;
  const starts = firstTimes.map((time, index): FoundStart => {
    const end = firstTimes[index + 1] ?? at;
    const from = lastStart !== undefined && lastStart >= time && lastStart < end ? lastStart : time;
    return {
      at: from,
      runsFrom: firstStart([...logged, ...(startedAt === undefined ? [] : [startedAt])], from, end),
      end,
      isCreation: time === createdAt,
      record: records.find((record) => Math.abs(record.at - time) < sameStart),
      endsRollout: from === lastStart,
    };
  });
  const worse = worseSpans(records, at);
  const isProved = ({ record }: EarlierStart): boolean =>
    isRollout && record?.samples.some((sample) => isSampleOf(sample, service, seconds)) === true;
  const isWhole = (start: FoundStart): boolean => {
    const wanted = start.at + seconds * 1000;
    const from = start.runsFrom ?? start.at;
    if (isProved(start)) return true;
    // A service that crashes is started again after a pause.
    const hasEnded = !start.endsRollout && ended.some((end) => end > from && end < wanted);
    return start.end >= wanted && !hasEnded;
  };
  /** Returns whether another start has the record of the proof of the same rollout. */
  const isRecorded = (start: FoundStart): boolean => {
    const request = Math.max(...requests.filter((time) => time <= start.at));
    const isOfRequest = ({ record }: FoundStart) =>
      record !== undefined && Math.abs(record.at - request) < sameStart;
    return (
      start.endsRollout &&
      starts.some((each) => each !== start && isOfRequest(each) && isProved(each))
    );
  };
  const usual = starts
    .filter((start) => isWhole(start) && !isRecorded(start))
    .filter(
      (start) =>
        !worse.some(({ from, to }) => start.at >= from - sameStart && start.at < to - sameStart),
    );
  return usual
    .filter((start) => usual.length === 1 || !start.isCreation)
    .map(({ at: time, runsFrom, record, endsRollout }) => ({
      at: time,
      runsFrom,
      record,
      endsRollout,
    }))
    .toReversed();
}

/** Returns true for a whole sample of a service that tells from when on it counts errors. */
function isSampleOf(sample: RecordedSample, service: string, seconds: number): boolean {
  const { errorsFrom, lines } = sample;
  return sample.service === service && errorsFrom !== undefined && lines.length >= seconds;
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
