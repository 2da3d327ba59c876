/** A day and a time of it, as a person writes them. */
export interface CalendarTime {
  readonly year: number;
  /** From 1. */
  readonly month: number;
  readonly date: number;
  readonly hours: number;
  readonly minutes: number;
  readonly seconds: number;
}

/** A moment, ms since the epoch, or why there is none. */
export type ReadTime =
  | { readonly ok: true; readonly at: number }
  | { readonly ok: false; readonly problem: string };

const wrong = (problem: string): ReadTime => ({ ok: false, problem });

/** The moment of a calendar time in its zone (`Z`, `UTC`, `+01:00`), where the person is without one. */
export function calendarTime(time: CalendarTime, zone: string | undefined): ReadTime {
  const { year, month, date, hours, minutes, seconds } = time;
  if (month < 1 || month > 12 || date < 1 || date > daysOf(year, month)) {
    return wrong('There is no such day.');
  }
  if (hours > 23 || minutes > 59 || seconds > 59) return wrong('There is no such time of day.');
  if (zone !== undefined) {
    const offset = zoneOffset(zone);
    if (offset === undefined) return wrong('There is no such time zone.');
    return { ok: true, at: Date.UTC(year, month - 1, date, hours, minutes, seconds) - offset };
  }
  const here = new Date(year, month - 1, date, hours, minutes, seconds);
  // Years below 100 are taken for those of the last century.
  if (here.getFullYear() !== year) return wrong('There is no such day.');
  if (here.getHours() !== hours || here.getMinutes() !== minutes) {
    return wrong('That time does not exist here: the clocks go forward over it.');
  }
  return { ok: true, at: here.getTime() };
}

function daysOf(year: number, month: number): number {
  return new Date(Date.UTC(year, month, 0)).getUTCDate();
}

const minute = 60_000;

/** Milliseconds a zone is ahead of UTC. */
export function zoneOffset(zone: string): number | undefined {
  const [, sign, hours = '', minutes = ''] = /([+-])(\d{2}):?(\d{2})/.exec(zone) ?? [];
  if (sign === undefined) return 0;
  if (Number(hours) > 23 || Number(minutes) > 59) return undefined;
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * minute;
}
