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
  | { readonly ok: false; readonly problem: string };

const invalid = (problem: string): ReadTime => ({ ok: false, problem });

/** Converts a calendar time in a zone (`Z`, `UTC`, `+01:00`), or in local time without one. */
export function calendarTime(time: CalendarTime, zone: string | undefined): ReadTime {
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
  if (local.getHours() !== hours || local.getMinutes() !== minutes) {
    return invalid('This local time does not exist: the clocks go forward over it.');
  }
  return { ok: true, at: local.getTime() };
}

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
