/**
 * The range of possible offsets, in ms, of the service's clock from the local one. A `Date` header has
 * a resolution of one second and is written at an unknown time between request and answer, so one
 * answer gives a range; further answers narrow it.
 */
export interface ClockOffsetRange {
  readonly min: number;
  readonly max: number;
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
export function narrowClockOffset(
  range: ClockOffsetRange | undefined,
  answer: DatedAnswer,
): ClockOffsetRange {
  const fresh = { min: answer.date - answer.receivedAt, max: answer.date + 999 - answer.sentAt };
  if (range === undefined) return fresh;
  const least = Math.max(range.min, fresh.min);
  const most = Math.min(range.max, fresh.max);
  return least <= most ? { min: least, max: most } : fresh;
}

/** Returns the middle of the range in ms, or 0 while the clocks may agree. */
export function estimateClockOffset(offset: ClockOffsetRange | undefined): number {
  if (offset === undefined || (offset.min <= 0 && offset.max >= 0)) return 0;
  return Math.round((offset.min + offset.max) / 2);
}
