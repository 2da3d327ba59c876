/** The errors of each service after a restart, and before: what the log plainly shows. */
import type { Deployment } from '../../contract/deployments.ts';
import { parseInstant } from '../../contract/instant.ts';
import { fewestErrors, type ServiceErrors } from './judge.ts';
import { isOverlapping, type ProofLog } from './proof-log.ts';
import type { LogTally, TimeSpan } from './tally.ts';

/** A restart, and what was known of its deployment before. Times are ms by the service's clock. */
export interface ProvedRestart {
  readonly deploymentId: string;
  /** The deployment before the restart; undefined where it is unknown. */
  readonly before: Deployment | undefined;
  /** Time of the request. */
  readonly at: number;
  /** Times of earlier restarts that were requested from this machine. */
  readonly requested: readonly number[];
}

const second = 1000;

/** Milliseconds before a restart in which errors are counted as usual. */
const comparedSpan = 600_000;

/** Milliseconds before a restart in which its last start is looked for. */
const longestReach = 3_600_000;

/** Returns the time of the oldest line of interest: ten minutes before, or the start before. */
export function wantedFrom(restart: ProvedRestart): number {
  const { at, before, requested } = restart;
  const starts = (before?.services ?? []).map(({ startedAt }) => parseInstant(startedAt));
  const last = Math.max(...[...requested, ...starts].filter((time) => isBefore(time, at)));
  return Math.min(at - comparedSpan, last >= at - longestReach ? last : at);
}

function isBefore(time: number | undefined, at: number): time is number {
  return time !== undefined && time < at;
}

/** The run to judge. */
export interface JudgedRun {
  /** The deployment as it was observed last; undefined where it tells another start than that of the run. */
  readonly after: Deployment | undefined;
  /** Seconds of the run that have passed. */
  readonly elapsed: number;
  /** Milliseconds from the request to the end of a rollout; undefined for a quick restart. */
  readonly rolloutMs?: number | undefined;
}

/** Milliseconds from a request to the start that it leads to, at most. */
const slowestStart = 60_000;

/** Milliseconds by which the clock of the service may be estimated wrongly. */
const clockError = 1000;

/** Milliseconds in which a run may still be stopped, where nothing tells the start of the next one. */
const slowestStop = 10_000;

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
  const told = parseInstant(after?.services.find(({ name }) => name === service)?.startedAt);
  const starts = [...tally.starts(service), ...(told === undefined ? [] : [told])];
  const from = at - clockError;
  const to = rolloutMs === undefined ? at + slowestStart : at + rolloutMs + clockError;
  const within = starts.filter((time) => time >= from && time <= to);
  if (within.length === 0) return undefined;
  return rolloutMs === undefined ? Math.min(...within) : Math.max(...within);
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

/** Returns the errors of each service. */
export function gatherErrors(
  restart: ProvedRestart,
  log: Pick<ProofLog, 'tally' | 'knownFrom' | 'missing'>,
  judged: JudgedRun,
): readonly ServiceErrors[] {
  const { at, before } = restart;
  const { tally } = log;
  const missing = log.missing();
  const isKnown = (span: TimeSpan): boolean =>
    span.from >= log.knownFrom() && !missing.some((gap) => isOverlapping(gap, span));

  /** Errors a minute before the restart, as far as lines are known from then. */
  function usualOf(service: string): number | undefined {
    const begin = parseInstant(before?.createdAt) ?? tally.oldest();
    const from = Math.max(at - comparedSpan, log.knownFrom(), begin);
    const span = { from, to: at };
    const seconds = Math.floor((at - from) / second);
    return seconds < 1 || !isKnown(span) ? undefined : (tally.errors(service, span) * 60) / seconds;
  }

  /** Errors a minute after the start before this one. */
  function atStartOf(service: string): number | undefined {
    const told = before?.services.find(({ name }) => name === service)?.startedAt;
    const starts = [parseInstant(told), ...restart.requested, ...tally.starts(service)];
    const last = Math.max(...starts.filter((time) => isBefore(time, at)));
    const span = { from: last, to: last + judged.elapsed * second };
    if (!Number.isFinite(last) || span.to > at || !isKnown(span)) return undefined;
    return (tally.errors(service, span) * 60) / judged.elapsed;
  }

  /** Returns the time from which on errors are those of the run. */
  function countedFrom(service: string, from: number): number {
    const start = startOf(restart, tally, judged, service);
    if (judged.rolloutMs !== undefined) {
      // The last instance of the version before goes on until it is stopped.
      const to = from + judged.elapsed * second;
      return Math.max(from, ...tally.ends(service).filter((end) => end >= from && end <= to));
    }
    if (start !== undefined) return Math.max(from, start);
    // A person restores old files because of a storm, which must not count against the run with them.
    const isStorm = tally.errors(service, { from: from - slowestStop, to: from }) >= fewestErrors;
    return isStorm ? from + slowestStop : from;
  }

  const names = new Set([...(before?.services ?? []).map(({ name }) => name), ...tally.services()]);
  return [...names].map((name) => {
    const begin = judgedFrom(restart, tally, judged, name);
    const to = begin + judged.elapsed * second;
    const span = { from: Math.min(countedFrom(name, begin), to), to };
    return {
      name,
      errors: tally.errors(name, span),
      freshErrors: tally.freshErrors(name, span),
      seconds: Math.max(1, Math.round((span.to - span.from) / second)),
      usual: usualOf(name),
      atStart: atStartOf(name),
    };
  });
}
