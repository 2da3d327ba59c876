/** Letters of a thousand, a million and so on. */
const magnitudes = ['', 'K', 'M', 'B', 'T'];

const smallestCompact = 10_000;
const smallestRate = 0.001;

/**
 * Formats spending per hour with three significant digits, because the rate is an estimate: `0.72`,
 * `12.3K`. The first `Intl.NumberFormat` of a process takes 20 ms, which the next key would wait for.
 */
export function formatRate(rate: number): string {
  if (rate > 0 && rate < smallestRate) return `<${smallestRate}`;
  const rounded = Number(rate.toPrecision(3));
  if (rate < smallestCompact) return String(rounded);
  const thousands = Math.floor(Math.log10(rounded) / 3 + 1e-9);
  const magnitude = Math.min(thousands, magnitudes.length - 1);
  return `${Number((rounded / 1000 ** magnitude).toPrecision(3))}${magnitudes[magnitude]}`;
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

/** Formats an amount of memory in powers of 1024: `512 B`, `128 MiB`, `1.5 GiB`. */
export function formatMemory(bytes: number): string {
  const units = ['B', 'KiB', 'MiB', 'GiB'];
  const power = Math.min(Math.floor(Math.log2(Math.max(bytes, 1)) / 10), units.length - 1);
  return `${Number((bytes / 2 ** (10 * power)).toFixed(1))} ${units[power]}`;
}

/** Formats a count with thousands separators: `88,113`. */
export function formatCount(count: number): string {
  return String(count).replaceAll(/\B(?=(?:\d{3})+$)/g, ',');
}
