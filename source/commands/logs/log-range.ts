/** The lines that the flags of logs select. Pure. */
import { defaultLogLimit } from '../../contract/logs.ts';
import { CommandFailure, usageProblem } from '../command-problem.ts';
import { type LineCriteria, parsePattern } from './line-selector.ts';
import type { LogFlags } from './log-flags.ts';
import { readTimeRange } from './time-range.ts';

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
