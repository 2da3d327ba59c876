/** A date and a time of day, as a person writes them. */
export interface CalendarTime {
  readonly year: number;
  /** From 1. */
  readonly month: number;
  readonly date: number;
  readonly hours: number;
  readonly minutes: number;
  readonly seconds: number;
}

/** A time in ms since the epoch, or the reason why the calendar time is invalid. */
export type ReadTime =
  | { readonly ok: true; readonly at: number }
  | {
      readonly ok: false;
      readonly problem: string;
      /** Time at which the clocks go forward over the local time, where they do. */
      readonly skippedAt?: number;
    };

const invalid = (problem: string): ReadTime => ({ ok: false, problem });

/**
 * Converts a calendar time in a zone (`Z`, `UTC`, `+01:00`), or in local time without one.
 * @param repeated which one is meant of a local time that occurs twice, because the clocks go back.
 */
export function calendarTime(
  time: CalendarTime,
  zone: string | undefined,
  repeated: 'first' | 'last' = 'first',
): ReadTime {
  const { year, month, date, hours, minutes, seconds } = time;
  if (month < 1 || month > 12 || date < 1 || date > daysOf(year, month)) {
    return invalid('There is no such day.');
  }
  if (hours > 23 || minutes > 59 || seconds > 59) return invalid('There is no such time of day.');
  if (zone !== undefined) {
    const offset = zoneOffset(zone);
    if (offset === undefined) return invalid('There is no such time zone.');
    return { ok: true, at: Date.UTC(year, month - 1, date, hours, minutes, seconds) - offset };
  }
  const local = new Date(year, month - 1, date, hours, minutes, seconds);
  // The Date constructor maps years below 100 to the 20th century.
  if (local.getFullYear() !== year) return invalid('There is no such day.');
  if (!isLocal(local, time)) {
    const problem = `There is no ${twoDigits(hours)}:${twoDigits(minutes)} on ${year}-${twoDigits(month)}-${twoDigits(date)}: the clocks skip it.`;
    // A time that is skipped is moved on by as much as the clocks are.
    return { ok: false, problem, skippedAt: local.getTime() - minutes * minute - seconds * 1000 };
  }
  return { ok: true, at: repeated === 'first' ? local.getTime() : lastOf(local, time) };
}

function isLocal(at: Date, { date, hours, minutes }: CalendarTime): boolean {
  return at.getDate() === date && at.getHours() === hours && at.getMinutes() === minutes;
}

/** Returns the last instant that has a local time, of which one is known: the Date constructor gives the first. */
function lastOf(first: Date, time: CalendarTime): number {
  const nextDay = new Date(first.getTime() + 24 * 60 * minute);
  const back = (nextDay.getTimezoneOffset() - first.getTimezoneOffset()) * minute;
  const last = new Date(first.getTime() + back);
  return back > 0 && isLocal(last, time) ? last.getTime() : first.getTime();
}

const twoDigits = (value: number): string => String(value).padStart(2, '0');

function daysOf(year: number, month: number): number {
  return new Date(Date.UTC(year, month, 0)).getUTCDate();
}

const minute = 60_000;

/** Returns the milliseconds that a zone is ahead of UTC; undefined for an invalid offset. */
export function zoneOffset(zone: string): number | undefined {
  const [, sign, hours = '', minutes = ''] = /([+-])(\d{2}):?(\d{2})/.exec(zone) ?? [];
  if (sign === undefined) return 0;
  if (Number(hours) > 23 || Number(minutes) > 59) return undefined;
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * minute;
}
