/** Gathers the evidence of a restart: the run, earlier starts and the hour before, by service. */
import type { Deployment } from '../../contract/deployments.ts';
import { earlierStarts, worseSpans } from './earlier-starts.ts';
import type { ServiceEvidence } from './judge.ts';
import { mostStarts } from './judge-errors.ts';
import { isOverlapping, type ProofLog, type TimeSpan } from './proof-log.ts';
import type { RecordedSample, ProofRecord } from './proof-record.ts';
import type { LogSample } from './sample.ts';

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

/**
 * Returns the evidence of each service.
 *
 * @param elapsed seconds of the run that have passed.
 * @param proof seconds of a whole proof.
 */
export function gatherEvidence(
  restart: ProvedRestart,
  log: Pick<ProofLog, 'tally' | 'knownFrom' | 'missing'>,
  elapsed: number,
  proof: number,
): readonly ServiceEvidence[] {
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
    return earlierStarts(sources, at, proof).flatMap(({ at: from, record }) => {
      const recorded = record?.samples.find((sample) => sample.service === service);
      if (recorded !== undefined && recorded.lines.length >= elapsed) return [recorded];
      const isRead = isKnown({ from, to: from + proof * second });
      return isRead ? [tally.sample(service, from, proof)] : [];
    });
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
    run: tally.sample(name, at, elapsed),
    starts: startsOf(name),
    hour: hourOf(name),
  }));
}

/** Returns what a record keeps of a run. */
export function recordedSamples(services: readonly ServiceEvidence[]): readonly RecordedSample[] {
  return services.map(({ name, run }) => ({ service: name, ...run }));
}
