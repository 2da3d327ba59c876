/**
 * Where the offset of a service's clock from ours can lie, in ms. A `Date` header has a resolution
 * of one second and was written somewhere between sending and receiving, so one answer only gives
 * an interval; several narrow it down.
 */
export interface ClockOffset {
  readonly least: number;
  readonly most: number;
}

/** What one answer says: its `Date` (ms), and when we sent the request and had the answer. */
export interface DatedAnswer {
  readonly date: number;
  readonly sentAt: number;
  readonly receivedAt: number;
}

/**
 * The interval after one more answer. An answer that contradicts the earlier ones means that a
 * clock was set, and starts anew.
 */
export function narrowed(known: ClockOffset | undefined, answer: DatedAnswer): ClockOffset {
  const fresh = { least: answer.date - answer.receivedAt, most: answer.date + 999 - answer.sentAt };
  if (known === undefined) return fresh;
  const least = Math.max(known.least, fresh.least);
  const most = Math.min(known.most, fresh.most);
  return least <= most ? { least, most } : fresh;
}

/** The best single value: none while the clocks may agree, else the middle of what is possible. */
export function offsetIn(offset: ClockOffset | undefined): number {
  if (offset === undefined || (offset.least <= 0 && offset.most >= 0)) return 0;
  return Math.round((offset.least + offset.most) / 2);
}
