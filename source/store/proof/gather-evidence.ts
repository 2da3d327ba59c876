/** Gathers the evidence of a restart: the run, earlier starts and the hour before, by service. */
import type { Deployment } from '../../contract/deployments.ts';
import { earlierStarts, firstStart, worseSpans } from './earlier-starts.ts';
import type { ServiceEvidence } from './judge.ts';
import { fewestErrors, mostStarts, startingPart } from './judge-errors.ts';
import { isOverlapping, type ProofLog, type TimeSpan } from './proof-log.ts';
import type { RecordedSample, ProofRecord } from './proof-record.ts';
import { type LogSample, sumOf } from './sample.ts';
import type { LogTally } from './tally.ts';

/** A restart, and what was known of its deployment before. */
export interface ProvedRestart {
  readonly deploymentId: string;
  /** The deployment before the restart; undefined where it is unknown. */
  readonly before: Deployment | undefined;
  /** Time of the request, ms by the service's clock. */
  readonly at: number;
  /** Times of earlier restarts that were requested from this machine, ms by the service's clock. */
  readonly requested: readonly number[];
  /** Records of earlier proofs of the deployment. */
  readonly records: readonly ProofRecord[];
}

const second = 1000;
const hour = 3_600_000;

/** Returns the time of the oldest line of interest: an hour before, or the fifth earlier start. */
export function wantedFrom({ before, at, requested }: ProvedRestart): number {
  const starts = (before?.services ?? []).flatMap(({ startedAt }) => Date.parse(startedAt ?? ''));
  const known = [...requested, ...starts].filter((time) => time < at).toSorted((a, b) => b - a);
  return Math.min(at - hour, known[mostStarts - 1] ?? known.at(-1) ?? at);
}

/** The run to judge. */
export interface JudgedRun {
  /** The deployment as it was observed last; undefined where it tells another start than that of the run. */
  readonly after: Deployment | undefined;
  /** Seconds of the run that have passed. */
  readonly elapsed: number;
  /** Seconds of a whole proof. */
  readonly proof: number;
  /** Milliseconds from the request to the end of a rollout; undefined for a quick restart. */
  readonly rolloutMs?: number | undefined;
}

/** Milliseconds from a request to the start that it leads to, at most. */
const slowestStart = 60_000;

/** Milliseconds by which the clock of the service may be estimated wrongly. */
const clockError = 1000;

/**
 * Returns the start of a run, as the log or the deployment tells it; the last one of a rollout, which starts
 * several instances.
 */
function startOf(
  { at }: ProvedRestart,
  tally: Pick<LogTally, 'starts'>,
  { after, rolloutMs }: Pick<JudgedRun, 'after' | 'rolloutMs'>,
  service: string,
): number | undefined {
  const told = after?.services.find(({ name }) => name === service)?.startedAt;
  const starts = [...tally.starts(service), Date.parse(told ?? '')];
  const from = at - clockError;
  if (rolloutMs === undefined) return firstStart(starts, from, at + slowestStart);
  return lastTime(starts, from, at + rolloutMs + clockError);
}

/**
 * Returns the time from which on the run of a service is judged: the request, or the start of a run that
 * a rollout led to.
 */
export function judgedFrom(
  restart: ProvedRestart,
  tally: Pick<LogTally, 'starts'>,
  run: Pick<JudgedRun, 'after' | 'rolloutMs'>,
  service: string,
): number {
  if (run.rolloutMs === undefined) return restart.at;
  return startOf(restart, tally, run, service) ?? restart.at + run.rolloutMs;
}

/** Returns the last of some times in a span. */
function lastTime(times: readonly number[], from: number, to: number): number | undefined {
  const within = times.filter((time) => time >= from && time <= to);
  return within.length === 0 ? undefined : Math.max(...within);
}

/** Returns the evidence of each service. */
export function gatherEvidence(
  restart: ProvedRestart,
  log: Pick<ProofLog, 'tally' | 'knownFrom' | 'missing'>,
  judged: JudgedRun,
): readonly ServiceEvidence[] {
  const { elapsed, proof } = judged;
  const { at, before, requested, records } = restart;
  const { tally } = log;
  const knownFrom = log.knownFrom();
  const missing = log.missing();
  const worse = worseSpans(records, at);
  const isKnown = (span: TimeSpan): boolean =>
    span.from >= knownFrom && !missing.some((gap) => isOverlapping(gap, span));

  function startsOf(service: string): readonly LogSample[] {
    const [logged, ended] = [tally.starts(service), tally.ends(service)];
    const sources = { before, service, requested, logged, ended, records };
    const isRollout = judged.rolloutMs !== undefined;
    return earlierStarts(sources, at, proof, isRollout).flatMap((start) => {
      const { at: from, runsFrom, record, endsRollout } = start;
      const recorded = record?.samples.find((sample) => sample.service === service);
      if (recorded !== undefined && recorded.lines.length >= elapsed) return [recorded];
      if (!isKnown({ from, to: from + proof * second })) return [];
      if (endsRollout) return [sampleOfRollout(tally, service, from, proof)];
      return [sampleOfRun(tally, service, { from, runsFrom }, proof)];
    });
  }

  function runOf(service: string): LogSample {
    const from = judgedFrom(restart, tally, judged, service);
    const start = startOf(restart, tally, judged, service);
    if (start === undefined || judged.rolloutMs === undefined) {
      return sampleOfRun(tally, service, { from, runsFrom: start }, elapsed);
    }
    return sampleOfRollout(tally, service, start, elapsed);
  }

  function hourOf(service: string): readonly LogSample[] {
    // Before its first line, a deployment of unknown age may not have existed.
    const created = Date.parse(before?.createdAt ?? '');
    const begin = Number.isNaN(created) ? tally.oldest() : created;
    const from = Math.max(at - hour, knownFrom, begin);
    const length = Math.min(proof, Math.floor((at - from) / second));
    if (length < 1) return [];
    const stretches = Math.floor((at - from) / (length * second));
    return Array.from({ length: stretches }, (_, stretch) => {
      const start = at - (stretch + 1) * length * second;
      const span = { from: start, to: start + length * second };
      const isUsual = isKnown(span) && !worse.some((one) => isOverlapping(one, span));
      return isUsual ? [tally.sample(service, start, length)] : [];
    }).flat();
  }

  const names = new Set([...(before?.services ?? []).map(({ name }) => name), ...tally.services()]);
  return [...names].map((name) => ({
    name,
    run: runOf(name),
    starts: startsOf(name).filter((start) => countsErrors(start, proof)),
    hour: hourOf(name),
  }));
}

/** Seconds in which a run may still be stopped, where nothing tells the start of the next one. */
const slowestStop = 10;

/**
 * Returns the first seconds after a restart, without the lines that the run before wrote until it was
 * stopped. Where nothing tells the start, only its errors are left out: a person restores old files
 * because of a storm, which must not count against the run with the old files.
 *
 * @param start time of the request, and of the start if it is known.
 */
function sampleOfRun(
  tally: LogTally,
  service: string,
  { from, runsFrom }: { readonly from: number; readonly runsFrom: number | undefined },
  seconds: number,
): LogSample {
  if (runsFrom !== undefined) return tally.sample(service, from, seconds, runsFrom);
  const sample = tally.sample(service, from, seconds);
  const last = tally.sample(service, from - slowestStop * second, slowestStop);
  if (sumOf(last.errors) < fewestErrors) return sample;
  return { ...sample, errors: sample.errors.map((count, at) => (at < slowestStop ? 0 : count)) };
}

/**
 * Returns the first seconds after the last start of a rollout. The last instance of the version before goes on
 * until it is stopped: its errors are left out.
 */
function sampleOfRollout(
  tally: LogTally,
  service: string,
  start: number,
  seconds: number,
): LogSample {
  const stopped = lastTime(tally.ends(service), start, start + seconds * second) ?? start;
  const { errors } = tally.sample(service, start, seconds, stopped);
  const errorsFrom = Math.ceil((stopped - start) / second);
  return { ...tally.sample(service, start, seconds), errors, errorsFrom };
}

/** Returns false for a start whose version before ran on until more than its starting was over. */
function countsErrors({ errorsFrom = 0 }: LogSample, seconds: number): boolean {
  return errorsFrom <= seconds * startingPart;
}

/** Returns what a record keeps of a run. */
export function recordedSamples(services: readonly ServiceEvidence[]): readonly RecordedSample[] {
  return services.map(({ name, run }) => ({ service: name, ...run }));
}
