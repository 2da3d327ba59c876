/** The time range that `--since` and `--until` select. Pure. */
import { parseMoment, parseMomentAfter } from '../../store/log/reader/moment.ts';
import { type CommandProblem, usageProblem } from '../command-problem.ts';

export interface TimeRangeFlags {
  readonly since: string | undefined;
  readonly until: string | undefined;
}

/** Time of the first line, and time after the last one: ms since the epoch by the clock of the service. */
export interface TimeRange {
  readonly since: number | undefined;
  readonly until: number | undefined;
}

export type ReadTimeRange =
  | { readonly ok: true; readonly value: TimeRange }
  | { readonly ok: false; readonly problem: CommandProblem };

/**
 * Returns the range between two typed times. A time of day is the last one before now; as an end that
 * follows a beginning it is the first one after that, which may be later than now.
 * @param now ms since the epoch, by the clock of the service.
 * @param utc whether a time without a zone is UTC; else it is local.
 */
export function readTimeRange(flags: TimeRangeFlags, now: number, utc: boolean): ReadTimeRange {
  const since = flags.since === undefined ? undefined : parseMoment(flags.since, now, utc);
  if (since?.ok === false) return refused(`--since: ${since.problem}`);
  const until =
    flags.until === undefined ? undefined : parseMomentAfter(flags.until, since?.at, now, utc);
  if (until?.ok === false) return refused(`--until: ${until.problem}`);
  if (since !== undefined && until !== undefined && since.at >= until.at) {
    return refused('--since is not before --until: no line can be in between.');
  }
  return { ok: true, value: { since: since?.at, until: until?.at } };
}

function refused(sentence: string): ReadTimeRange {
  return { ok: false, problem: usageProblem(sentence) };
}
