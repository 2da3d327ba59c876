/** Formats of the time before each log line; local unless named UTC. */
export const logTimeFormats = [
  'time',
  'time-utc',
  'full',
  'full-utc',
  'relative',
  'between',
  'off',
] as const;
export type LogTimeFormat = (typeof logTimeFormats)[number];

/** Returns whether times are shown and parsed in UTC. */
export function isUtcFormat(format: LogTimeFormat): boolean {
  return format === 'time-utc' || format === 'full-utc';
}

/** Returns the next format; where local time is UTC, the UTC formats are skipped as duplicates. */
export function nextLogTimeFormat(format: LogTimeFormat, localIsUtc: boolean): LogTimeFormat {
  const formats = logTimeFormats.filter((kind) => !localIsUtc || !isUtcFormat(kind));
  const index = logTimeFormats.indexOf(format);
  return formats.find((kind) => logTimeFormats.indexOf(kind) > index) ?? 'time';
}

const sentences: Readonly<Record<LogTimeFormat, string>> = {
  time: 'Time format: time of day, local.',
  'time-utc': 'Time format: time of day, UTC.',
  full: 'Time format: date and time, local.',
  'full-utc': 'Time format: date and time, UTC.',
  relative: 'Time format: age.',
  between: 'Time format: time since the line before.',
  off: 'Time format: off.',
};

/** Returns the message that names the current format. */
export function logTimeFormatMessage(format: LogTimeFormat): string {
  return sentences[format];
}

/** Parses a stored format; an unknown value becomes the first format. */
export function parseLogTimeFormat(stored: unknown): LogTimeFormat {
  return logTimeFormats.find((kind) => kind === stored) ?? 'time';
}

/** Returns whether local time is UTC, in winter and in summer of the year of `now` (ms). */
export function isLocalTimeUtc(now: number): boolean {
  const year = new Date(now).getFullYear();
  return [0, 6].every((month) => new Date(year, month, 1).getTimezoneOffset() === 0);
}

/** Formats the time between two lines, in ms: `+0.120s`, `+12.1s`, `+4m12s`, `+2h05m`, `+3d04h`. */
export function timeBetweenText(milliseconds: number): string {
  const sign = milliseconds < 0 ? '-' : '+';
  const size = Math.abs(milliseconds);
  const seconds = Math.floor(size / 1000);
  const minutes = Math.floor(seconds / 60);
  const hours = Math.floor(minutes / 60);
  if (size < 10_000) return `${sign}${(size / 1000).toFixed(3)}s`;
  if (seconds < 60) return `${sign}${Math.floor(size / 100) / 10}s`;
  if (minutes < 60) return `${sign}${minutes}m${twoDigits(seconds % 60)}s`;
  if (hours < 24) return `${sign}${hours}h${twoDigits(minutes % 60)}m`;
  return `${sign}${Math.floor(hours / 24)}d${twoDigits(hours % 24)}h`;
}

const twoDigits = (value: number): string => String(value).padStart(2, '0');

/** Formats a time in ms since the epoch as `12:01:03.120`. */
export function timeOfDayText(at: number, utc: boolean): string {
  return partsOf(at, utc).slice(11, 23);
}

/** Formats a time as `12:01:03`, in UTC with `Z`. */
export function clockText(at: number, utc: boolean): string {
  return `${partsOf(at, utc).slice(11, 19)}${utc ? 'Z' : ''}`;
}

/** Formats a time as `2026-11-20T12:01:03.120+01:00`, in UTC with `Z`. */
export function dateTimeText(at: number, utc: boolean): string {
  if (utc) return new Date(at).toISOString();
  const minutesAhead = -new Date(at).getTimezoneOffset();
  const size = Math.abs(minutesAhead);
  const offset = `${twoDigits(Math.trunc(size / 60))}:${twoDigits(size % 60)}`;
  return `${partsOf(at, false)}${minutesAhead < 0 ? '-' : '+'}${offset}`;
}

/** Formats a time as `2026-11-20 12:01:03`, without the date if it is today; in UTC with ` UTC`. */
export function momentText(at: number, now: number, utc: boolean): string {
  const whole = partsOf(at, utc);
  const isToday = whole.slice(0, 10) === partsOf(now, utc).slice(0, 10);
  const text = isToday ? whole.slice(11, 19) : whole.slice(0, 19).replace('T', ' ');
  return utc ? `${text} UTC` : text;
}

/** Formats a time in ISO 8601 without a zone. */
function partsOf(at: number, utc: boolean): string {
  const shift = utc ? 0 : new Date(at).getTimezoneOffset() * 60_000;
  const shifted = new Date(at - shift);
  return Number.isNaN(shifted.getTime())
    ? new Date(at).toISOString().slice(0, 23)
    : shifted.toISOString().slice(0, 23);
}

/** Formats the day of a time as `2026-11-20`. */
export function dayText(at: number, utc: boolean): string {
  return partsOf(at, utc).slice(0, 10);
}
