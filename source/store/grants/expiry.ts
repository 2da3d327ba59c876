import { calendarTime } from '../time/calendar-time.ts';

/** Result of parsing an expiry: a time in ms since the epoch, or the problem with the input. */
export type ParsedExpiry =
  | { readonly ok: true; readonly at: number; readonly endOfDay: boolean }
  | { readonly ok: false; readonly problem: string };

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;
const units: Readonly<Record<string, number>> = { m: minute, h: hour, d: day, w: 7 * day };

const failed = (problem: string): ParsedExpiry => ({ ok: false, problem });

const formatHint = 'Try 30d, 12h, 2w, 90m, 2026-12-24 or 2026-12-24 18:00.';

/** ISO 8601 writes later years with a sign, which few services can parse. */
const latestExpiry = Date.UTC(9999, 11, 31, 23, 59, 59);

/**
 * Parses the end of a grant: a span from `now`, a local day (its last second), a local time, or a
 * time with a zone. The result has whole seconds.
 * @param now ms since the epoch, by the clock of the service.
 */
export function parseExpiry(typed: string, now: number): ParsedExpiry {
  const text = typed.trim();
  if (text === '') return failed(formatHint);
  const expiry = readSpan(text, now) ?? readTime(text);
  if (expiry === undefined) return failed(formatHint);
  if (!expiry.ok) return expiry;
  const at = Math.floor(expiry.at / 1000) * 1000;
  // A very long span is not a number.
  if (!(at <= latestExpiry)) return failed('Too far in the future.');
  if (at <= now) return failed(`In the past: the service's clock shows ${utcText(now)}.`);
  return { ...expiry, at };
}

function readSpan(text: string, now: number): ParsedExpiry | undefined {
  const [, count, unit = ''] = /^(\d+) ?([mhdw])$/i.exec(text) ?? [];
  const length = units[unit.toLowerCase()];
  if (count === undefined || length === undefined) return undefined;
  return { ok: true, at: now + Number(count) * length, endOfDay: false };
}

const timePattern =
  /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:\.\d+)?)?( ?(?:Z|UTC|[+-]\d{2}:?\d{2}))?)?$/i;

function readTime(text: string): ParsedExpiry | undefined {
  const match = timePattern.exec(text);
  if (match === null) return undefined;
  const [year = 0, month = 0, date = 0] = match.slice(1, 4).map(Number);
  const endOfDay = match[4] === undefined;
  const [hours = 23, minutes = 59, seconds = 59] = endOfDay
    ? []
    : match.slice(4, 7).map((part) => Number(part ?? 0));
  const read = calendarTime({ year, month, date, hours, minutes, seconds }, match[7]);
  return read.ok ? { ...read, endOfDay } : read;
}

/** Formats a time for a request: `2026-12-21T01:04:00Z`. */
export function isoSeconds(at: number): string {
  return `${new Date(at).toISOString().slice(0, 19)}Z`;
}

/** Formats a time as `2026-12-21 01:04 UTC`. */
export function utcText(at: number): string {
  return `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}

const twoDigits = (number: number): string => String(number).padStart(2, '0');

/** Formats a time as `2026-12-21 01:04 UTC, 02:04 here`, with the local day if it differs. */
export function expiryText(at: number): string {
  const local = new Date(at);
  const localTime = `${twoDigits(local.getHours())}:${twoDigits(local.getMinutes())}`;
  const localDay = `${twoDigits(local.getMonth() + 1)}-${twoDigits(local.getDate())}`;
  const isSameDay = utcText(at).slice(5, 10) === localDay;
  return `${utcText(at)}, ${isSameDay ? '' : `${localDay} `}${localTime} here`;
}

/**
 * Formats the length of a grant in its largest unit: `30d`. Minutes are rounded, because the
 * service records the creation a moment after the request. Empty if a time is invalid.
 */
export function durationText(created: string, expires: string): string {
  const minutes = Math.round((Date.parse(expires) - Date.parse(created)) / minute);
  if (!(minutes > 0)) return '';
  const unit = ['d', 'h'].find((name) => (minutes * minute) % (units[name] ?? 1) === 0) ?? 'm';
  return `${(minutes * minute) / (units[unit] ?? minute)}${unit}`;
}
