import { calendarTime, type ReadTime, zoneOffset } from '../../time/calendar-time.ts';

const momentForms = 'Like 12:01, -2h30m, yesterday 14:00.';

const wrong = (problem: string): ReadTime => ({ ok: false, problem });

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

/**
 * Reads which time in a log is meant: a span back from `now`, a time of day (the last one that has
 * been), a day, or both. Without a zone it is UTC where times are shown so, else local.
 * @param now ms since the epoch, by the clock of the service.
 */
export function readMoment(typed: string, now: number, utc: boolean): ReadTime {
  const text = typed.trim();
  return readSpan(text, now) ?? readCalendar(text, now, utc) ?? wrong(momentForms);
}

const span = /^(?:- ?)?(?=\d)(?:(\d+)d)?(?:(\d+)h)?(?:(\d+)m)?(?:(\d+(?:\.\d+)?)s)?(?: ago)?$/i;

function readSpan(text: string, now: number): ReadTime | undefined {
  const match = span.exec(text);
  if (match === null) return undefined;
  const [days = 0, hours = 0, minutes = 0, seconds = 0] = match
    .slice(1)
    .map((part) => Number(part ?? 0));
  const at = now - Math.round(days * day + hours * hour + minutes * minute + seconds * second);
  return Number.isNaN(new Date(at).getTime()) ? wrong('That is too long ago.') : { ok: true, at };
}

const calendar =
  /^(today|yesterday|(\d{4})-(\d{2})-(\d{2}))?(?:(?:^|[T ] *)(\d{1,2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?)?( ?(?:Z|UTC|[+-]\d{2}:?\d{2}))?$/i;

function readCalendar(text: string, now: number, utc: boolean): ReadTime | undefined {
  const match = calendar.exec(text);
  if (match === null) return undefined;
  const [, named, year, month, date, hours, minutes, seconds, fraction] = match;
  if (named === undefined && hours === undefined) return undefined;
  const zone = match[9] ?? (utc ? 'UTC' : undefined);
  const timeOn = (back: number): ReadTime => {
    const dayMeant =
      year === undefined
        ? dayBefore(now, back, zone)
        : { year: Number(year), month: Number(month), date: Number(date) };
    const read = calendarTime(
      {
        ...dayMeant,
        hours: Number(hours ?? 0),
        minutes: Number(minutes ?? 0),
        seconds: Number(seconds ?? 0),
      },
      zone,
    );
    return read.ok ? { ok: true, at: read.at + milliseconds(fraction) } : read;
  };
  if (named !== undefined) return timeOn(named.toLowerCase() === 'yesterday' ? 1 : 0);
  const today = timeOn(0);
  return today.ok && today.at <= now ? today : timeOn(1);
}

function milliseconds(fraction: string | undefined): number {
  return fraction === undefined ? 0 : Number(fraction.padEnd(3, '0').slice(0, 3));
}

/** The day so many days before the one that `now` is in. */
function dayBefore(now: number, back: number, zone: string | undefined) {
  const here = new Date(now);
  const days = (
    zone === undefined
      ? [here.getFullYear(), here.getMonth(), here.getDate()]
      : partsAhead(now + (zoneOffset(zone) ?? 0))
  ) as [number, number, number];
  const before = new Date(Date.UTC(days[0], days[1], days[2] - back));
  return {
    year: before.getUTCFullYear(),
    month: before.getUTCMonth() + 1,
    date: before.getUTCDate(),
  };
}

function partsAhead(at: number): readonly [number, number, number] {
  const date = new Date(at);
  return [date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate()];
}
