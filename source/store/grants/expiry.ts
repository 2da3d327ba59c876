import { calendarTime } from '../time/calendar-time.ts';

/** What a person typed for an end: the time meant (ms since the epoch), or what is wrong with it. */
export type ReadExpiry =
  | { readonly ok: true; readonly at: number; readonly endOfDay: boolean }
  | { readonly ok: false; readonly problem: string };

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;
const units: Readonly<Record<string, number>> = { m: minute, h: hour, d: day, w: 7 * day };

const wrong = (problem: string): ReadExpiry => ({ ok: false, problem });

const forms = 'Like 30d, 12h, 2w, 90m, 2026-12-24 or 2026-12-24 18:00.';

/** ISO 8601 writes years beyond it with a sign, which few services read. */
const lastMoment = Date.UTC(9999, 11, 31, 23, 59, 59);

/**
 * Reads when a grant ends: a span from `now`, a day (its last second where the person is), a time
 * there, or one with its zone. Whole seconds, as ISO 8601 is mostly written.
 * @param now ms since the epoch, by the clock of the service.
 */
export function readExpiry(typed: string, now: number): ReadExpiry {
  const text = typed.trim();
  if (text === '') return wrong(forms);
  const moment = readSpan(text, now) ?? readTime(text);
  if (moment === undefined) return wrong(forms);
  if (!moment.ok) return moment;
  const at = Math.floor(moment.at / 1000) * 1000;
  // Also not a number, for a span of any length that can be typed.
  if (!(at <= lastMoment)) return wrong('That is too far away.');
  if (at <= now) return wrong(`That is past: by the service's clock it is ${utcText(now)}.`);
  return { ...moment, at };
}

function readSpan(text: string, now: number): ReadExpiry | undefined {
  const [, count, unit = ''] = /^(\d+) ?([mhdw])$/i.exec(text) ?? [];
  const length = units[unit.toLowerCase()];
  if (count === undefined || length === undefined) return undefined;
  return { ok: true, at: now + Number(count) * length, endOfDay: false };
}

const time =
  /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:\.\d+)?)?( ?(?:Z|UTC|[+-]\d{2}:?\d{2}))?)?$/i;

function readTime(text: string): ReadExpiry | undefined {
  const match = time.exec(text);
  if (match === null) return undefined;
  const [year = 0, month = 0, date = 0] = match.slice(1, 4).map(Number);
  const endOfDay = match[4] === undefined;
  const [hours = 23, minutes = 59, seconds = 59] = endOfDay
    ? []
    : match.slice(4, 7).map((part) => Number(part ?? 0));
  const read = calendarTime({ year, month, date, hours, minutes, seconds }, match[7]);
  return read.ok ? { ...read, endOfDay } : read;
}

/** For the request: `2026-12-21T01:04:00Z`. */
export function isoSeconds(at: number): string {
  return `${new Date(at).toISOString().slice(0, 19)}Z`;
}

/** `2026-12-21 01:04 UTC`. */
export function utcText(at: number): string {
  return `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}

const two = (number: number): string => String(number).padStart(2, '0');

/** `2026-12-21 01:04 UTC, 02:04 here`; the day here too where it is another one. */
export function expiryText(at: number): string {
  const here = new Date(at);
  const clock = `${two(here.getHours())}:${two(here.getMinutes())}`;
  const dayHere = `${two(here.getMonth() + 1)}-${two(here.getDate())}`;
  const isSameDay = utcText(at).slice(5, 10) === dayHere;
  return `${utcText(at)}, ${isSameDay ? '' : `${dayHere} `}${clock} here`;
}

/**
 * The length of a grant as it would be typed, in its largest unit: `30d`. It was made a moment before
 * the service noted the time, so minutes are rounded. Empty where it has none.
 */
export function spanText(created: string, expires: string): string {
  const minutes = Math.round((Date.parse(expires) - Date.parse(created)) / minute);
  if (!(minutes > 0)) return '';
  const unit = ['d', 'h'].find((name) => (minutes * minute) % (units[name] ?? 1) === 0) ?? 'm';
  return `${(minutes * minute) / (units[unit] ?? minute)}${unit}`;
}
