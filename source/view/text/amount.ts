const threeDigits = lateFormat({ maximumSignificantDigits: 3, useGrouping: false });
const short = lateFormat({ maximumSignificantDigits: 3, notation: 'compact' });

const fromHereShort = 10_000;
const smallestRate = 0.001;

/** What is spent an hour: an estimate, so that three digits say enough. */
export function formatRate(rate: number): string {
  if (rate > 0 && rate < smallestRate) return `<${smallestRate}`;
  return (rate < fromHereShort ? threeDigits : short).format(rate);
}

/**
 * A bar of `width` cells; full only when the limit is reached, empty only when nothing is spent.
 * @param isFull whether it is reached, where the numbers do not tell it.
 */
export function spentBar(
  spent: number,
  limit: number,
  width: number,
  isFull = spent >= limit,
): string {
  const share = limit > 0 ? spent / limit : 1;
  const most = isFull ? width : width - 1;
  const least = isFull ? width : spent > 0 ? 1 : 0;
  const filled = Math.min(Math.max(Math.round(share * width), least), Math.max(most, 0));
  return '#'.repeat(filled) + '-'.repeat(width - filled);
}

/** Bytes with one decimal from a thousand up: `812 B`, `1.2 kB`, `3.4 MB`. */
export function formatBytes(bytes: number): string {
  const units = ['B', 'kB', 'MB', 'GB', 'TB'];
  let value = bytes;
  let unit = 0;
  while (value >= 999.95 && unit < units.length - 1) {
    value /= 1000;
    unit += 1;
  }
  return `${unit === 0 ? String(value) : value.toFixed(1)} ${units[unit]}`;
}

/** A count with thousands separated: `88,113`. */
export function formatCount(count: number): string {
  return String(count).replaceAll(/\B(?=(?:\d{3})+$)/g, ',');
}

/** A number format that is made when it is first used: a process's first one takes milliseconds. */
function lateFormat(options: Intl.NumberFormatOptions): Pick<Intl.NumberFormat, 'format'> {
  let made: Intl.NumberFormat | undefined;
  return { format: (value) => (made ??= new Intl.NumberFormat('en-US', options)).format(value) };
}
