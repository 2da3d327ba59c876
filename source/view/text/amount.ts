const threeDigits = lazyFormat({ maximumSignificantDigits: 3, useGrouping: false });
const compact = lazyFormat({ maximumSignificantDigits: 3, notation: 'compact' });

const smallestCompact = 10_000;
const smallestRate = 0.001;

/** Formats spending per hour with three significant digits, because the rate is an estimate. */
export function formatRate(rate: number): string {
  if (rate > 0 && rate < smallestRate) return `<${smallestRate}`;
  return (rate < smallestCompact ? threeDigits : compact).format(rate);
}

/**
 * Draws a bar of `width` cells. It is full only at the limit and empty only when nothing is spent.
 * @param isFull True when the limit is reached, even if the numbers differ.
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

/** Formats an amount of memory in powers of 1024: `128 MiB`, `1.5 GiB`. */
export function formatMemory(bytes: number): string {
  const mebibytes = bytes / 2 ** 20;
  const [value, unit] = mebibytes < 1024 ? [mebibytes, 'MiB'] : [mebibytes / 1024, 'GiB'];
  return `${Number(value.toFixed(1))} ${unit}`;
}

/** Formats a count with thousands separators: `88,113`. */
export function formatCount(count: number): string {
  return String(count).replaceAll(/\B(?=(?:\d{3})+$)/g, ',');
}

/** Creates the number format on first use, because a process's first one takes milliseconds. */
function lazyFormat(options: Intl.NumberFormatOptions): Pick<Intl.NumberFormat, 'format'> {
  let format: Intl.NumberFormat | undefined;
  return { format: (value) => (format ??= new Intl.NumberFormat('en-US', options)).format(value) };
}
