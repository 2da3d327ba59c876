/** Formats the local time of day: `12:00:41`. */
export function formatTimeOfDay(at: number): string {
  const date = new Date(at);
  return [date.getHours(), date.getMinutes(), date.getSeconds()]
    .map((part) => String(part).padStart(2, '0'))
    .join(':');
}

/** Formats a local time with its date: `2026-11-22 11:38`. */
export function localMinuteText(at: number): string {
  const date = new Date(at);
  const day = [date.getFullYear(), date.getMonth() + 1, date.getDate()]
    .map((part) => String(part).padStart(2, '0'))
    .join('-');
  return `${day} ${formatTimeOfDay(at).slice(0, 5)}`;
}
