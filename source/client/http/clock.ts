/**
 * The range of possible offsets, in ms, of the service's clock from the local one. A `Date` header has
 * a resolution of one second and is written at an unknown time between request and answer, so one
 * answer gives a range; further answers narrow it.
 */
export interface ClockOffset {
  readonly least: number;
  readonly most: number;
}

/** The `Date` header of one answer with the local times of request and answer, all in ms. */
export interface DatedAnswer {
  readonly date: number;
  readonly sentAt: number;
  readonly receivedAt: number;
}

/**
 * Returns the range narrowed by one more answer. An answer that contradicts the range means that a
 * clock was set, so the range restarts from that answer.
 */
export function narrowed(range: ClockOffset | undefined, answer: DatedAnswer): ClockOffset {
  const fresh = { least: answer.date - answer.receivedAt, most: answer.date + 999 - answer.sentAt };
  if (range === undefined) return fresh;
  const least = Math.max(range.least, fresh.least);
  const most = Math.min(range.most, fresh.most);
  return least <= most ? { least, most } : fresh;
}

/** Returns the middle of the range in ms, or 0 while the clocks may agree. */
export function offsetIn(offset: ClockOffset | undefined): number {
  if (offset === undefined || (offset.least <= 0 && offset.most >= 0)) return 0;
  return Math.round((offset.least + offset.most) / 2);
}
