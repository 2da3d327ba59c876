/** What was spent of a grant at one moment. */
export interface SpendReading {
  /** Clock of the service, ms. */
  readonly at: number;
  readonly spent: number;
}

/** Oldest first. */
export type SpendReadings = readonly SpendReading[];

/** Spending that is longer ago says little of the rate now, ms. */
export const rateWindow = 300_000;
/** Services charge each second or each block of some; over less than this the rate would jump, ms. */
export const shortestSpan = 10_000;
/** Readings that are kept lie at least this far apart, ms. */
const spacing = 15_000;
/** The clock of the service is an estimate that gets better: so far back it may move by that, ms. */
const jitter = 2000;

const hour = 3_600_000;

/** Whether a clock was set between two moments, or nobody looked for so long. */
export function isBreak(before: number, after: number): boolean {
  return after < before - jitter || after > before + rateWindow;
}

/**
 * The readings after one more: those in the window and one before it, thinned out. They start anew
 * where less is spent than before, or where a clock was set.
 */
export function withReading(readings: SpendReadings, reading: SpendReading): SpendReadings {
  const last = readings.at(-1);
  if (last === undefined || reading.spent < last.spent || isBreak(last.at, reading.at)) {
    return [reading];
  }
  const newest = reading.at > last.at ? reading : { at: last.at, spent: reading.spent };
  const before = readings.at(-2);
  const isThin = before === undefined ? newest.at > last.at : last.at - before.at >= spacing;
  const kept = isThin && newest.at > last.at ? readings : readings.slice(0, -1);
  const start = newest.at - rateWindow;
  const first = kept.findLastIndex(({ at }) => at <= start);
  return [...kept.slice(Math.max(0, first)), newest];
}

/**
 * What is spent an hour by the readings of the window; 0 when nothing is. Undefined while they span
 * too little time to tell.
 */
export function ratePerHour(readings: SpendReadings): number | undefined {
  const [first, second] = readings;
  const last = readings.at(-1);
  if (first === undefined || second === undefined || last === undefined) return undefined;
  const from = Math.max(first.at, last.at - rateWindow);
  const span = last.at - from;
  if (span < shortestSpan) return undefined;
  const share = (from - first.at) / (second.at - first.at);
  const spentBefore = first.spent + (second.spent - first.spent) * share;
  return (Math.max(0, last.spent - spentBefore) / span) * hour;
}

/** What ends a grant first if it goes on like this, and when (ms); `at` is undefined for never. */
export interface GrantEnd {
  readonly by: 'limit' | 'expiry';
  readonly at: number | undefined;
}

/**
 * Whether a grant runs out before it expires.
 * @param left what is left of its limit, 0 or more.
 * @param rate what is spent an hour.
 * @param expires when it expires, ms; NaN when that cannot be told.
 */
export function grantEnd(left: number, rate: number, now: number, expires: number): GrantEnd {
  const out = rate > 0 ? now + (left / rate) * hour : Number.POSITIVE_INFINITY;
  if (out < expires || (Number.isNaN(expires) && Number.isFinite(out))) {
    return { by: 'limit', at: out };
  }
  return { by: 'expiry', at: Number.isNaN(expires) ? undefined : expires };
}
