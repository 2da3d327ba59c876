import { calendarTime, type ReadTime, zoneOffset } from '../../time/calendar-time.ts';

const formatHint = 'Try 12:01, -2h30m, yesterday 14:00.';

const failed = (problem: string): ReadTime => ({ ok: false, problem });

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

/** Returns whether a text has the form of a time, even of one that doesn't exist, such as a skipped hour. */
export function isMomentForm(typed: string): boolean {
  const read = parseMoment(typed, Date.now(), false);
  return read.ok || read.problem !== formatHint;
}

/**
 * Parses a time in a log: a span before `now`, a day, a time of day, or both. A time of day without
 * a day is the last one before `now`. A time without a zone is UTC if `utc` is set, else local, and then
 * the first of two where the clocks go back.
 * @param now ms since the epoch, by the clock of the service.
 */
export function parseMoment(typed: string, now: number, utc: boolean): ReadTime {
  return parse(typed, now, utc, lastBefore(now));
}

function lastBefore(now: number): FindDay {
  return (onDay) => {
    const today = onDay(now, 0);
    return timeOf(today) <= now ? today : onDay(now, -1);
  };
}

/** Returns the time of a result; for a skipped time, when the clocks go forward over it. */
function timeOf(read: ReadTime): number {
  return read.ok ? read.at : (read.skippedAt ?? Number.NEGATIVE_INFINITY);
}

/**
 * Parses the end of a range in a log: as {@link parseMoment}, but a time of day without a day is the first
 * one after `since`, if that is given, and the last of two where the clocks go back.
 */
export function parseMomentAfter(
  typed: string,
  since: number | undefined,
  now: number,
  utc: boolean,
): ReadTime {
  if (since === undefined) return parse(typed, now, utc, lastBefore(now), 'last');
  const firstAfter: FindDay = (onDay) => {
    const sameDay = onDay(since, 0);
    return timeOf(sameDay) > since ? sameDay : onDay(since, 1);
  };
  return parse(typed, now, utc, firstAfter, 'last');
}

/** Returns a time of day on the day that lies so many days after that of `base`. */
type OnDay = (base: number, days: number) => ReadTime;

/** Finds the day of a time of day. */
type FindDay = (onDay: OnDay) => ReadTime;

function parse(
  typed: string,
  now: number,
  utc: boolean,
  findDay: FindDay,
  repeated: 'first' | 'last' = 'first',
): ReadTime {
  const text = typed.trim();
  const calendarTimeOf = () => readCalendar(text, now, utc, findDay, repeated);
  return readSpan(text, now) ?? calendarTimeOf() ?? failed(formatHint);
}

const span = /^(?:- ?)?(?=\d)(?:(\d+)d)?(?:(\d+)h)?(?:(\d+)m)?(?:(\d+(?:\.\d+)?)s)?(?: ago)?$/i;

function readSpan(text: string, now: number): ReadTime | undefined {
  const match = span.exec(text);
  if (match === null) return undefined;
  const [days = 0, hours = 0, minutes = 0, seconds = 0] = match
    .slice(1)
    .map((part) => Number(part ?? 0));
  const at = now - Math.round(days * day + hours * hour + minutes * minute + seconds * second);
  return Number.isNaN(new Date(at).getTime()) ? failed('That is too long ago.') : { ok: true, at };
}

const calendar =
  /^(today|yesterday|(\d{4})-(\d{2})-(\d{2}))?(?:(?:^|[T ] *)(\d{1,2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?)?( ?(?:Z|UTC|[+-]\d{2}:?\d{2}))?$/i;

function readCalendar(
  text: string,
  now: number,
  utc: boolean,
  findDay: FindDay,
  repeated: 'first' | 'last',
): ReadTime | undefined {
  const match = calendar.exec(text);
  if (match === null) return undefined;
  const [, dayName, year, month, date, hours, minutes, seconds, fraction] = match;
  if (dayName === undefined && hours === undefined) return undefined;
  const zone = match[9] ?? (utc ? 'UTC' : undefined);
  const onDay: OnDay = (base, days) => {
    const calendarDay =
      year === undefined
        ? dayAfter(base, days, zone)
        : { year: Number(year), month: Number(month), date: Number(date) };
    const read = calendarTime(
      {
        ...calendarDay,
        hours: Number(hours ?? 0),
        minutes: Number(minutes ?? 0),
        seconds: Number(seconds ?? 0),
      },
      zone,
      repeated,
    );
    // A day whose midnight is skipped begins later.
    if (hours === undefined && !read.ok && read.skippedAt !== undefined) {
      return { ok: true, at: read.skippedAt };
    }
    return read.ok ? { ok: true, at: read.at + parseMilliseconds(fraction) } : read;
  };
  if (dayName === undefined) return findDay(onDay);
  return onDay(now, dayName.toLowerCase() === 'yesterday' ? -1 : 0);
}

function parseMilliseconds(fraction: string | undefined): number {
  return fraction === undefined ? 0 : Number(fraction.padEnd(3, '0').slice(0, 3));
}

/** Returns the day that lies so many days after that of `base`. */
function dayAfter(base: number, days: number, zone: string | undefined) {
  const local = new Date(base);
  const parts = (
    zone === undefined
      ? [local.getFullYear(), local.getMonth(), local.getDate()]
      : utcParts(base + (zoneOffset(zone) ?? 0))
  ) as [number, number, number];
  const found = new Date(Date.UTC(parts[0], parts[1], parts[2] + days));
  return {
    year: found.getUTCFullYear(),
    month: found.getUTCMonth() + 1,
    date: found.getUTCDate(),
  };
}

function utcParts(at: number): readonly [number, number, number] {
  const date = new Date(at);
  return [date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate()];
}
