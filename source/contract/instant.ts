/** Parses an ISO time to ms since the epoch; undefined when it is missing or invalid. */
export function parseInstant(text: string | undefined): number | undefined {
  const at = Date.parse(text ?? '');
  return Number.isNaN(at) ? undefined : at;
}

/** Nanoseconds in a millisecond. */
const perMillisecond = 1_000_000n;

/** Returns a time of ms since the epoch in ns. @param written its text, whose digits below ms count. */
export function nanoseconds(at: number, written = ''): bigint {
  const digits = /:\d\d[.,]\d{3}(\d{1,6})/.exec(written)?.[1] ?? '';
  return BigInt(at) * perMillisecond + BigInt(digits.padEnd(6, '0'));
}

/** Returns the millisecond of a time in ns. */
export function millisecondOf(time: bigint): number {
  return Number(time / perMillisecond);
}
