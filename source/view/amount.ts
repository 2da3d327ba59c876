/**
 * A decimal amount without float noise: 0.1 + 0.2 reads `0.3`, 1e-7 reads `0.0000001`. Fifteen
 * significant digits are what a double carries truly; the rest is noise of the binary form.
 */
export function formatAmount(amount: number): string {
  return decimal.format(amount);
}

const decimal = lateFormat({
  maximumSignificantDigits: 15,
  useGrouping: false,
});

const decimalDown = lateFormat({
  maximumSignificantDigits: 15,
  useGrouping: false,
  roundingMode: 'trunc',
});

/** What was spent of a limit; never rounded up to a limit that is not reached. */
export function formatSpent(spent: number, limit: number): string {
  const rounded = decimal.format(spent);
  return spent < limit && Number(rounded) >= limit ? decimalDown.format(spent) : rounded;
}

const compactDown = lateFormat({
  maximumFractionDigits: 3,
  useGrouping: false,
  roundingMode: 'trunc',
});

const smallestCompact = 0.001;

/**
 * An amount for a narrow column, rounded down to three decimals; details have it whole. What is
 * there is never shown as nothing.
 */
export function formatCompact(amount: number): string {
  if (amount > 0 && amount < smallestCompact) return `<${smallestCompact}`;
  return compactDown.format(Number(decimal.format(amount)));
}

const threeDigits = lateFormat({ maximumSignificantDigits: 3, useGrouping: false });
const short = lateFormat({ maximumSignificantDigits: 3, notation: 'compact' });

const fromHereShort = 10_000;

/** What is spent an hour: an estimate, so that three digits say enough. */
export function formatRate(rate: number): string {
  if (rate > 0 && rate < smallestCompact) return `<${smallestCompact}`;
  return (rate < fromHereShort ? threeDigits : short).format(rate);
}

/** A bar of `width` cells; full only when the limit is reached, empty only when nothing is spent. */
export function spentBar(spent: number, limit: number, width: number): string {
  const share = limit > 0 ? spent / limit : 1;
  const most = spent < limit ? width - 1 : width;
  const least = spent > 0 ? 1 : 0;
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
