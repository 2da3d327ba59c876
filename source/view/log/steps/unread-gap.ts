/** The gaps of unread lines that a step through the log must search before it goes on behind them. */
import type { LogLine } from '../../../contract/logs.ts';
import { isUnread } from '../../../store/log/feed/unread-time.ts';
import type { WalkSide } from '../../../store/log/feed/walk-path.ts';
import type { Tail } from '../../../store/log/tail.ts';
import type { GapEntry } from '../../../tail/arena/entries.ts';

/**
 * Returns the nearest gap of unread lines on one side of a place; undefined without one.
 * @param from `seq` of the place; undefined for the end of the log.
 */
export function nearestUnreadGap(
  { entries: { gaps } }: Pick<Tail, 'entries'>,
  from: number | undefined,
  side: WalkSide,
): GapEntry<LogLine> | undefined {
  const start = from ?? Number.POSITIVE_INFINITY;
  return side === 'older'
    ? gaps.findLast((gap) => isUnread(gap) && gap.seq < start)
    : gaps.find((gap) => isUnread(gap) && gap.seq > start);
}

/** Returns whether a line lies behind a gap. */
export function isBehind(gap: GapEntry<LogLine>, seq: number, side: WalkSide): boolean {
  return side === 'older' ? seq < gap.seq : seq > gap.seq;
}

/**
 * Returns the gap before which a step must find its line after a walk has read the lines up to it. The
 * walk may have left a gap between the place and the page with the line; its lines are known to be others.
 */
export function gapAfterWalk(
  tail: Pick<Tail, 'entries'>,
  from: number | undefined,
  side: WalkSide,
): GapEntry<LogLine> | undefined {
  const first = nearestUnreadGap(tail, from, side);
  return first && nearestUnreadGap(tail, first.seq, side);
}
