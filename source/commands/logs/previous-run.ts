/** Tells the lines of the run before the current one of each service. */
import { parseInstant } from '../../contract/instant.ts';
import { eventStream, isEndEvent, isStartEvent } from '../../contract/event-lines.ts';
import type { Deployment } from '../../contract/deployments.ts';
import type { LogLine } from '../../contract/logs.ts';
import {
  addAcceptedRestart,
  addReportedRestart,
  type LogRestarts,
} from '../../store/log/restarts.ts';
import { type CommandProblem, usageProblem } from '../command-problem.ts';

/** The previous runs of a deployment's services. */
export interface PreviousRun {
  /** Takes note of the starts and ends that lines tell, in any order. */
  learn(lines: readonly LogLine[]): void;
  /** Returns whether the begin of each run is known, so that no older line belongs to it. */
  isComplete(): boolean;
  /** Returns whether a line belongs to a run. @param time its time, ms since the epoch. */
  holds(line: LogLine, time: number | undefined): boolean;
  /** Returns why no run is known; undefined where one is. */
  problem(): CommandProblem | undefined;
}

type RestartedDeployment = Pick<Deployment, 'services' | 'restartedAt' | 'name' | 'id'>;

/** A run of an instance; times in ms since the epoch. */
interface Run {
  readonly begin: number;
  /** The last time of the run; undefined where its end is not told. */
  readonly end: number | undefined;
  /** Start of the run behind it; undefined where no start is told. */
  readonly next: number | undefined;
}

interface Events {
  readonly starts: Set<number>;
  readonly ends: Set<number>;
  /** The previous run; undefined after each change. */
  run: Run | undefined;
}

/**
 * Returns the previous runs of a deployment: by the events in its log, else by the last start that the
 * service tells, or by the restarts that were requested from this machine.
 * @param requested times of these restarts, ms since the epoch.
 */
export function createPreviousRun(
  { services, restartedAt, name, id }: RestartedDeployment,
  requested: readonly number[] = [],
): PreviousRun {
  const events = new Map<string, Events>();
  const restarts = knownRestarts(id, parseInstant(restartedAt), requested);
  const restart = restarts.at(-1)?.at;
  /** The restart before the last one, where the log tells no starts. */
  const restartBefore = restarts.at(-2)?.at;
  let oldest = Number.POSITIVE_INFINITY;
  /** Times of the last starts, of services that ran before. */
  const lastStarts = new Map<string, number>();
  for (const service of services) {
    const start = parseInstant(service.startedAt) ?? restart;
    const ranBefore = restart !== undefined || (service.restarts ?? 0) > 0;
    if (ranBefore && start !== undefined) lastStarts.set(service.name, start);
  }

  const eventsOf = (line: LogLine): Events => {
    const key = `${line.serviceName ?? ''} ${line.instance ?? ''}`;
    const known = events.get(key) ?? { starts: new Set(), ends: new Set(), run: undefined };
    events.set(key, known);
    return known;
  };

  const holds = (line: LogLine, time: number): boolean => {
    const known = eventsOf(line);
    const { begin, end, next } = (known.run ??= runOf(known));
    if (next === undefined) {
      const lastStart = lastStarts.get(line.serviceName ?? '') ?? restart;
      const isAfter = restartBefore === undefined || time >= restartBefore;
      return lastStart !== undefined && time < lastStart && isAfter;
    }
    return time >= begin && (end === undefined ? time < next : time <= end);
  };

  return {
    learn(lines) {
      for (const line of lines) {
        const at = parseInstant(line.timestamp);
        if (at === undefined) continue;
        oldest = Math.min(oldest, at);
        if (line.stream !== eventStream) continue;
        const known = eventsOf(line);
        known.run = undefined;
        if (isStartEvent(line.logLine)) known.starts.add(at);
        else if (isEndEvent(line.logLine)) known.ends.add(at);
      }
    },
    isComplete() {
      const begun = new Set(
        [...events].flatMap(([key, { starts }]) => (starts.size > 1 ? [key.split(' ')[0]] : [])),
      );
      if (begun.size === 0 && restartBefore !== undefined) return oldest < restartBefore;
      return services.length > 0 && services.every((service) => begun.has(service.name));
    },
    holds: (line, time) => time !== undefined && holds(line, time),
    problem() {
      const isKnown = [...events.values()].some(({ starts }) => starts.size > 1);
      if (isKnown || restart !== undefined || lastStarts.size > 0) return undefined;
      const label = name ?? id;
      const isToldNone = services.some(({ restarts }) => restarts !== undefined);
      return isToldNone
        ? usageProblem(`${label} has not been restarted, so that it has no previous run.`)
        : usageProblem(
            `The service does not tell when ${label} was restarted.`,
            'Use --until with the time of the restart.',
          );
    },
  };
}

/** Returns the restarts that are known, oldest first; one that the service tells too is one. */
function knownRestarts(
  id: string,
  reported: number | undefined,
  requested: readonly number[],
): LogRestarts {
  const accepted = requested.reduce<LogRestarts>((all, at) => addAcceptedRestart(all, id, at), []);
  return reported === undefined ? accepted : addReportedRestart(accepted, id, reported);
}

function runOf({ starts, ends }: Events): Run {
  const [next, begin = Number.NEGATIVE_INFINITY] = [...starts].toSorted((a, b) => b - a);
  if (next === undefined) return { begin, end: undefined, next };
  const [end] = [...ends].filter((at) => at >= begin && at < next).toSorted((a, b) => b - a);
  return { begin, end, next };
}
