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
