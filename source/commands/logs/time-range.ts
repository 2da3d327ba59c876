/** The time range that `--since` and `--until` select. Pure. */
import { nanoseconds } from '../../contract/instant.ts';
import { parseMoment, parseMomentAfter } from '../../store/log/reader/moment.ts';
import { CommandFailure, usageProblem } from '../command-problem.ts';

export interface TimeRangeFlags {
  readonly since: string | undefined;
  readonly until: string | undefined;
}

/** Time of the first line, and time after the last one: ns since the epoch by the clock of the service. */
export interface TimeRange {
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
