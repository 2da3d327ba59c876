const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

/** Formats a duration in ms in its largest unit, rounded down: `41d`, `6h`, `12m`, `3s`. Never negative. */
export function formatAge(milliseconds: number): string {
  const span = Math.max(0, milliseconds);
  if (span >= day) return `${Math.floor(span / day)}d`;
  if (span >= hour) return `${Math.floor(span / hour)}h`;
  if (span >= minute) return `${Math.floor(span / minute)}m`;
  return `${Math.floor(span / second)}s`;
}

/** Hours up to which tenths of an hour matter. */
const tenthsUntil = 100;

/** Formats a number of hours: `11.0h`, `16d`. */
export function formatHours(hours: number): string {
  return hours < tenthsUntil ? `${hours.toFixed(1)}h` : formatAge(hours * hour);
}

/** Returns the age of an ISO timestamp at `now` ms; empty when it is missing or invalid. */
export function ageSince(timestamp: string | undefined, now: number): string {
  const at = timestamp === undefined ? Number.NaN : Date.parse(timestamp);
  return Number.isNaN(at) ? '' : formatAge(now - at);
}

/** Formats a wait in ms as minutes and seconds: `0:42`, `75:03`. */
export function formatWait(milliseconds: number): string {
  const seconds = Math.max(0, Math.floor(milliseconds / second));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}
