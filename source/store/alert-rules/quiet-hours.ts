/** Hours of the day in which nothing rings and nothing is notified. */

/** Quiet hours by the clock on the wall, in minutes of the day; `to` is the first minute after them. */
export interface QuietHours {
  readonly from: number;
  readonly to: number;
}

/**
 * Returns whether a minute of the day is quiet; hours that end before they begin last over midnight.
 * The minute is that of a wall clock, so that quiet hours begin and end when people expect it, also
 * in a night in which the clock changes.
 */
export function isQuietMinute({ from, to }: QuietHours, minute: number): boolean {
  return from <= to ? from <= minute && minute < to : from <= minute || minute < to;
}

/** Returns whether a time is quiet. @param now ms since the epoch. */
export function isQuiet(quiet: QuietHours | undefined, now: number): boolean {
  if (quiet === undefined) return false;
  const time = new Date(now);
  return isQuietMinute(quiet, time.getHours() * 60 + time.getMinutes());
}

/** Returns `Nothing is told from 22:00 to 07:00.`, or until when where it is quiet now. */
export function quietSentence(quiet: QuietHours, now: number): string {
  const end = clockText(quiet.to);
  return isQuiet(quiet, now)
    ? `Quiet hours: nothing is told until ${end}.`
    : `Nothing is told from ${clockText(quiet.from)} to ${end}.`;
}

function clockText(minute: number): string {
  const [hours, minutes] = [Math.floor(minute / 60) % 24, minute % 60];
  return `${String(hours).padStart(2, '0')}:${String(minutes).padStart(2, '0')}`;
}
