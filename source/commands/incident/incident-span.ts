/** The span of time that an incident file covers. Pure. */
import { millisecondOf } from '../../contract/instant.ts';
import { type CommandProblem, usageProblem } from '../command-problem.ts';
import { readTimeRange, type TimeRangeFlags } from '../logs/time-range.ts';

/** First time, and the time after the last one, in ms since the epoch by the clock of the service. */
interface IncidentSpan {
  readonly since: number;
  readonly until: number;
}

type ReadIncidentSpan =
  | { readonly ok: true; readonly value: IncidentSpan }
  | { readonly ok: false; readonly problem: CommandProblem };

const defaultSpan = 30 * 60_000;

/**
 * Returns the span of an incident. It ends now at the latest, and begins half an hour before its end unless
 * a beginning is given.
 * @param now ms since the epoch, by the clock of the service.
 */
export function readIncidentSpan(flags: TimeRangeFlags, now: number): ReadIncidentSpan {
  const range = readTimeRange(flags, now, false);
  if (!range.ok) return range;
  const { since: first, until: end } = range.value;
  const until = end === undefined ? now : Math.min(millisecondOf(end), now);
  const since = first === undefined ? until - defaultSpan : millisecondOf(first);
  if (since >= until) {
    return { ok: false, problem: usageProblem('--since is later than now.') };
  }
  return { ok: true, value: { since, until } };
}
