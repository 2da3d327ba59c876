/** Follows the log of a deployment for a proof, and counts the errors of each service before and after. */
import type { LogsClient } from '../../client/logs.ts';
import type { Deployment } from '../../contract/deployments.ts';
import { eventStream, isEndEvent, isStartEvent } from '../../contract/event-lines.ts';
import { parseInstant } from '../../contract/instant.ts';
import type { LogLine } from '../../contract/logs.ts';
import { rowTime, toRow } from '../../tail/arena/row.ts';
import { levelOf } from '../../tail/level.ts';
import { TimeReach } from '../../tail/log/time-walk.ts';
import { maskLine } from '../../tail/patterns/mask-line.ts';
import { FollowedLog } from '../log/feed/followed-log.ts';
import type { Clock } from '../time/clock.ts';
import { fewestErrors, type ServiceErrors } from './judge.ts';

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

/** The run to judge, as far as it has passed. */
export interface JudgedRun {
  /** Its begin: the request, or the last start of a rollout. */
  readonly from: number;
  readonly seconds: number;
  /** True after a rollout, in which instances of the version before go on for some time. */
  readonly isRollout: boolean;
  /** The deployment as it was observed last; undefined where it tells another start than that of the run. */
  readonly after: Deployment | undefined;
}

/** A stretch of time; the end is exclusive. */
interface TimeSpan {
  readonly from: number;
  readonly to: number;
}

/** The lines of one service, as they come in any order. */
interface ServiceLog {
  readonly errors: { readonly time: number; readonly pattern: string }[];
  /** Times of the first line of each pattern of errors. */
  readonly firstTimes: Map<string, number>;
  /** Times of starts and of ends of runs. */
  readonly starts: number[];
  readonly ends: number[];
}

/** Services that are told apart, and patterns of each; a log may have any number. */
const mostServices = 50;
const mostPatterns = 1000;

/** Lines of history that are read at most: some ten pages. */
const mostHistory = 5000;
const firstHistory = 1000;

/** Limits of the memory for lines; they are counted as they come, and only the newest are kept. */
const memory = { maxLines: 100_000, maxBytes: 32 * 1024 * 1024 };

/** Milliseconds before a restart in which errors are counted as usual. */
const comparedSpan = 600_000;

/** Milliseconds before a restart in which its last start is looked for. */
const longestReach = 3_600_000;

/** Milliseconds from a request to the start that it leads to, at most. */
const slowestStart = 60_000;

/** Milliseconds by which the clock of the service may be estimated wrongly. */
const clockError = 1000;

/** Milliseconds in which a run may still be stopped, where nothing tells the start of the next one. */
const slowestStop = 10_000;

/** Milliseconds from the request to the first line that is followed, of a log that is long. */
const slowestOpening = 2000;

export class ProofLog {
  readonly #restart: ProvedRestart;
  readonly #services = new Map<string, ServiceLog>();
  readonly #reach: TimeReach;
  /** It has its own stream: the log that the console shows may be another one, filtered, or left at any time. */
  readonly #logs: FollowedLog;
  readonly #endListening: () => void;
  #oldest = Number.POSITIVE_INFINITY;

  constructor(
    restart: ProvedRestart,
    {
      client,
      clock,
      random,
    }: {
      readonly client: LogsClient;
      readonly clock: Clock & { serviceNow(): number };
      readonly random: () => number;
    },
  ) {
    this.#restart = restart;
    const { at, before, deploymentId } = restart;
    const starts = (before?.services ?? []).map(({ startedAt }) => parseInstant(startedAt));
    const last = lastBefore(at, [...restart.requested, ...starts]);
    const wantedFrom = Math.min(at - comparedSpan, last >= at - longestReach ? last : at);
    const reach = new TimeReach(wantedFrom);
    this.#reach = reach;
    this.#logs = new FollowedLog({
      client,
      clock,
      random,
      deploymentId,
      initialLines: firstHistory,
      reach: {
        isReached: (all, end) => reach.isReached(all, end) || all.length >= mostHistory,
      },
      publishInterval: 250,
      ...memory,
    });
    const { entries } = this.#logs;
    this.#endListening = this.#logs.onInserted((runs) => {
      const now = clock.serviceNow();
      const live = this.#logs.firstLive();
      for (const { first, count } of runs) {
        const begin = entries.indexOf(first);
        for (const [index, entry] of entries.slice(begin, begin + count).entries()) {
          // A line of history that tells no time may be of any.
          const arrivedAt = begin + index < live ? undefined : now;
          if (entry.kind === 'line') this.#count(entry.line, arrivedAt);
        }
      }
    });
  }

  stop(): void {
    this.#endListening();
    this.#logs.stop();
  }

  /** Returns whether lines since the restart are still being fetched, up to a time. */
  isFetching(to: number): boolean {
    const span = { from: this.#restart.at, to };
    const isFilling = this.#gaps().some((gap) => gap.isFilling && isOverlapping(gap, span));
    return !this.#logs.ready() || isFilling;
  }

  /** Returns why lines since the restart are not known, up to a time; undefined where they are. */
  unread(to: number): string | undefined {
    const { at } = this.#restart;
    const { connection } = this.#logs.state.getState();
    const { error } = 'error' in connection ? connection : { error: undefined };
    const isOpen = connection.kind === 'live' || connection.kind === 'polling';
    if (!isOpen && error?.code !== 'ended') {
      return `its log can't be read${error === undefined ? '' : `: ${error.sentence}`}`;
    }
    if (!this.#logs.ready()) return 'its log was not read in time';
    const isMissing = this.#gaps().some((gap) => isOverlapping(gap, { from: at, to }));
    if (isMissing) return 'lines of its log are missing';
    const isReached = this.#knownFrom() <= at + slowestOpening;
    return isReached ? undefined : 'its log is too long to be read back to the restart';
  }

  /** Returns the last start that the log or the deployment tells of a rollout; its end where none is told. */
  lastStart(after: Deployment | undefined, end: number): number {
    const starts = this.#names().flatMap((name) => this.#startsOf(name, after, end + clockError));
    return starts.length === 0 ? end : Math.max(...starts);
  }

  /** Returns the errors of each service. */
  errors(run: JudgedRun): readonly ServiceErrors[] {
    const to = run.from + run.seconds * 1000;
    return this.#names().map((name) => {
      const span = { from: Math.min(this.#countedFrom(name, run, to), to), to };
      const { errors, firstTimes } = this.#logOf(name);
      const counted = errors.filter(({ time }) => isWithin(time, span));
      const isFresh = (pattern: string): boolean => (firstTimes.get(pattern) ?? 0) >= span.from;
      return {
        name,
        errors: counted.length,
        freshErrors: counted.filter(({ pattern }) => isFresh(pattern)).length,
        seconds: Math.max(1, Math.round((span.to - span.from) / 1000)),
        usual: this.#usual(name),
        atStart: this.#atStart(name, run.seconds * 1000),
      };
    });
  }

  #names(): readonly string[] {
    const before = (this.#restart.before?.services ?? []).map(({ name }) => name);
    return [...new Set([...before, ...this.#services.keys()])];
  }

  /** Returns the starts of a run since the restart, as the log and the deployment tell them. */
  #startsOf(name: string, after: Deployment | undefined, to: number): readonly number[] {
    const told = parseInstant(after?.services.find((service) => service.name === name)?.startedAt);
    const from = this.#restart.at - clockError;
    return [...this.#logOf(name).starts, told ?? Number.NaN].filter(
      (time) => time >= from && time <= to,
    );
  }

  /** Returns the time from which on errors are those of the run. */
  #countedFrom(name: string, { from, isRollout, after }: JudgedRun, to: number): number {
    const { errors, ends } = this.#logOf(name);
    // The last instance of the version before goes on until it is stopped.
    if (isRollout) return Math.max(from, ...ends.filter((end) => end >= from && end <= to));
    const starts = this.#startsOf(name, after, from + slowestStart);
    if (starts.length > 0) return Math.max(from, Math.min(...starts));
    // A person restores old files because of a storm, which must not count against the run with them.
    const storm = { from: from - slowestStop, to: from };
    const isStorm = errors.filter(({ time }) => isWithin(time, storm)).length >= fewestErrors;
    return isStorm ? from + slowestStop : from;
  }

  /** Returns the errors a minute before the restart, as far as lines are known from then. */
  #usual(name: string): number | undefined {
    const { at, before } = this.#restart;
    const begin = parseInstant(before?.createdAt) ?? this.#oldest;
    const from = Math.max(at - comparedSpan, this.#knownFrom(), begin);
    return this.#perMinute(name, { from, to: at });
  }

  /** Returns the errors a minute after the start before this one. */
  #atStart(name: string, length: number): number | undefined {
    const { at, before, requested } = this.#restart;
    const told = before?.services.find((service) => service.name === name)?.startedAt;
    const starts = [parseInstant(told), ...requested, ...this.#logOf(name).starts];
    const from = lastBefore(at, starts);
    return from + length > at ? undefined : this.#perMinute(name, { from, to: from + length });
  }

  #perMinute(name: string, span: TimeSpan): number | undefined {
    const seconds = Math.floor((span.to - span.from) / 1000);
    const isKnown = span.from >= this.#knownFrom() && Number.isFinite(span.from);
    const isMissing = this.#gaps().some((gap) => isOverlapping(gap, span));
    if (seconds < 1 || !isKnown || isMissing) return undefined;
    const { errors } = this.#logOf(name);
    return (errors.filter(({ time }) => isWithin(time, span)).length * 60) / seconds;
  }

  /** Returns the time from which on all lines are known, but for the gaps. */
  #knownFrom(): number {
    const isWhole = this.#logs.ready() && this.#logs.state.getState().older === 'none';
    return isWhole ? Number.NEGATIVE_INFINITY : (this.#reach.knownFrom ?? this.#oldest);
  }

  #gaps(): readonly (TimeSpan & { readonly isFilling: boolean })[] {
    return this.#logs.entries.gaps.map(({ after, until, state }) => ({
      from: (after && rowTime(toRow(after))) ?? Number.NEGATIVE_INFINITY,
      to: rowTime(toRow(until)) ?? Number.POSITIVE_INFINITY,
      isFilling: state.kind === 'filling',
    }));
  }

  /** Counts a line. @param arrivedAt its time where it tells none. */
  #count(line: LogLine, arrivedAt: number | undefined): void {
    const time = rowTime(toRow(line)) ?? arrivedAt;
    if (time === undefined) return;
    this.#oldest = Math.min(this.#oldest, time);
    const { errors, firstTimes, starts, ends } = this.#logOf(line.serviceName ?? '');
    if (line.stream === eventStream) {
      if (isStartEvent(line.logLine)) starts.push(time);
      else if (isEndEvent(line.logLine)) ends.push(time);
      return;
    }
    if (levelOf(line.logLine) !== 'error') return;
    const pattern = maskLine(line.logLine);
    const first = firstTimes.get(pattern);
    const isKept = first !== undefined || firstTimes.size < mostPatterns;
    if (isKept) firstTimes.set(pattern, Math.min(time, first ?? time));
    errors.push({ time, pattern: isKept ? pattern : '' });
  }

  #logOf(name: string): ServiceLog {
    const known = this.#services.get(name);
    if (known !== undefined) return known;
    const fresh = { errors: [], firstTimes: new Map(), starts: [], ends: [] };
    if (this.#services.size < mostServices) this.#services.set(name, fresh);
    return fresh;
  }
}

/** Returns the last of some times before another one; negative infinity where none is. */
function lastBefore(at: number, times: readonly (number | undefined)[]): number {
  return Math.max(...times.filter((time) => time !== undefined && time < at).map(Number));
}

function isWithin(time: number, { from, to }: TimeSpan): boolean {
  return time >= from && time < to;
}

function isOverlapping(left: TimeSpan, right: TimeSpan): boolean {
  return left.from < right.to && right.from < left.to;
}
