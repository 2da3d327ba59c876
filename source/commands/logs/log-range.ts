/** The lines that the flags of logs select. Pure. */
import { defaultLogLimit } from '../../contract/logs.ts';
import { CommandFailure, usageProblem } from '../command-problem.ts';
import { type LineCriteria, parsePattern } from './line-selector.ts';
import type { LogFlags } from './log-flags.ts';
import { nanoseconds } from '../../contract/instant.ts';
import { parseMoment, parseMomentAfter } from '../../store/log/reader/moment.ts';

/** The part of a log to print: criteria of its lines, and how many of the earlier ones. */
export interface LogPart {
  readonly criteria: LineCriteria;
  /** Selected lines of history; may be infinite. */
  readonly limit: number;
  /** Lines that are searched for them. */
  readonly mostSearched: number;
  /** Service whose lines alone are requested, where there is one. */
  readonly service: string | undefined;
}

type RangeFlags = Pick<
  LogFlags,
  | 'since'
  | 'until'
  | 'previous'
  | 'grep'
  | 'invert-match'
  | 'level'
  | 'service'
  | 'stream'
  | 'limit'
>;

/** Lines that are searched where nobody said how many to find. */
const fewSearched = 10_000;

/**
 * Returns the part of a log that flags select. Throws a `CommandFailure` for flags that select none.
 * @param now ms since the epoch, by the clock of the service.
 * @param utc whether a time without a zone is UTC; else it is local.
 */
export function readLogPart(flags: RangeFlags, now: number, utc: boolean): LogPart {
  const { since, until } = readTimeRange(flags, now, utc);
  const wrong = flags.grep.map(parsePattern).find(({ ok }) => !ok);
  if (wrong?.ok === false)
    throw new CommandFailure(usageProblem(`--grep: ${wrong.error.sentence}`));
  const [service, ...others] = flags.service;
  const criteria = {
    patterns: flags.grep,
    isInverted: flags['invert-match'],
    level: flags.level,
    services: others.length > 0 ? flags.service : [],
    streams: flags.stream,
    since,
    until,
  };
  const isCounted = flags.limit !== undefined || since !== undefined;
  const isRange = since !== undefined || flags.previous;
  return {
    criteria,
    limit: flags.limit ?? (isRange ? Number.POSITIVE_INFINITY : defaultLogLimit),
    mostSearched: isCounted ? Number.POSITIVE_INFINITY : fewSearched,
    service: others.length > 0 ? undefined : service,
  };
}

export interface TimeRangeFlags {
  readonly since: string | undefined;
  readonly until: string | undefined;
}

/** Time of the first line, and time after the last one: ns since the epoch by the clock of the service. */
interface TimeRange {
  readonly since: bigint | undefined;
  readonly until: bigint | undefined;
}

/**
 * Returns the range between two typed times. A time of day is the last one before now; as an end that
 * follows a beginning it is the first one after that, which may be later than now. Throws a
 * `CommandFailure` where one can't be read, or the range is empty.
 * @param now ms since the epoch, by the clock of the service.
 * @param utc whether a time without a zone is UTC; else it is local.
 */
export function readTimeRange(flags: TimeRangeFlags, now: number, utc: boolean): TimeRange {
  const first = flags.since === undefined ? undefined : parseMoment(flags.since, now, utc);
  if (first?.ok === false) throw refused(`--since: ${first.problem}`);
  const end =
    flags.until === undefined ? undefined : parseMomentAfter(flags.until, first?.at, now, utc);
  if (end?.ok === false) throw refused(`--until: ${end.problem}`);
  const since = first && nanoseconds(first.at, flags.since);
  const until = end && nanoseconds(end.at, flags.until);
  if (since !== undefined && until !== undefined && since >= until) {
    throw refused('--since is not before --until: no line can be in between.');
  }
  return { since, until };
}

function refused(sentence: string): CommandFailure {
  return new CommandFailure(usageProblem(sentence));
}
