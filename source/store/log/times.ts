/** What stands before each log line: local time unless it says so. */
export const logTimes = ['time', 'time-utc', 'full', 'full-utc', 'relative', 'off'] as const;
export type LogTimes = (typeof logTimes)[number];

/** Whether times are shown, and read where one is typed, in UTC. */
export function isUtc(times: LogTimes): boolean {
  return times === 'time-utc' || times === 'full-utc';
}

/** The kind after this one; where local time is UTC, what would look the same is passed over. */
export function nextLogTimes(times: LogTimes, localIsUtc: boolean): LogTimes {
  const kinds = logTimes.filter((kind) => !localIsUtc || !isUtc(kind));
  const index = logTimes.indexOf(times);
  return kinds.find((kind) => logTimes.indexOf(kind) > index) ?? 'time';
}

const sentences: Readonly<Record<LogTimes, string>> = {
  time: 'Times: time of day, local.',
  'time-utc': 'Times: time of day, UTC.',
  full: 'Times: whole, local.',
  'full-utc': 'Times: whole, UTC.',
  relative: 'Times: how long ago.',
  off: 'Times: off.',
};

/** Says which kind is shown now. */
export function logTimesSentence(times: LogTimes): string {
  return sentences[times];
}

/** Reads what was kept; what is none counts as the first. */
export function readLogTimes(kept: unknown): LogTimes {
  return logTimes.find((kind) => kind === kept) ?? 'time';
}

/** Whether clocks here show UTC, in winter and in summer of the year of `now` (ms). */
export function isUtcHere(now: number): boolean {
  const year = new Date(now).getFullYear();
  return [0, 6].every((month) => new Date(year, month, 1).getTimezoneOffset() === 0);
}

const two = (value: number): string => String(value).padStart(2, '0');

/** `12:01:03.120`, of a time in ms since the epoch. */
export function timeOfDayText(at: number, utc: boolean): string {
  return partsOf(at, utc).slice(11, 23);
}

/** `12:01:03`, in UTC with `Z`. */
export function clockText(at: number, utc: boolean): string {
  return `${partsOf(at, utc).slice(11, 19)}${utc ? 'Z' : ''}`;
}

/** `2026-11-20T12:01:03.120+01:00`, in UTC with `Z`. */
export function wholeTimeText(at: number, utc: boolean): string {
  if (utc) return new Date(at).toISOString();
  const ahead = -new Date(at).getTimezoneOffset();
  const offset = `${two(Math.trunc(Math.abs(ahead) / 60))}:${two(Math.abs(ahead) % 60)}`;
  return `${partsOf(at, false)}${ahead < 0 ? '-' : '+'}${offset}`;
}

/** `2026-11-20 12:01:03`, or its time of day alone where that is today; `UTC` behind it where it is. */
export function momentText(at: number, now: number, utc: boolean): string {
  const whole = partsOf(at, utc);
  const isToday = whole.slice(0, 10) === partsOf(now, utc).slice(0, 10);
  const text = isToday ? whole.slice(11, 19) : whole.slice(0, 19).replace('T', ' ');
  return utc ? `${text} UTC` : text;
}

/** ISO 8601 without a zone. */
function partsOf(at: number, utc: boolean): string {
  const shift = utc ? 0 : new Date(at).getTimezoneOffset() * 60_000;
  const moved = new Date(at - shift);
  return Number.isNaN(moved.getTime())
    ? new Date(at).toISOString().slice(0, 23)
    : moved.toISOString().slice(0, 23);
}

/** `2026-11-20`. */
export function dayText(at: number, utc: boolean): string {
  return partsOf(at, utc).slice(0, 10);
}
