import type { LogLine } from '../../../contract/logs.ts';
import { bisect } from '../../../tail/arena/bisect.ts';
import type { Entry, GapEntry } from '../../../tail/arena/entries.ts';

/** Pinned entries before the first entry that a log still has in memory. */
export interface PinnedHead {
  readonly held: readonly Entry<LogLine>[];
  /** `seq` of the oldest entry in memory. */
  readonly oldest: number | undefined;
  /** Number of pinned entries that memory has dropped. */
  readonly count: number;
  /** Gap between those and the first entry in memory, if lines are missing there. */
  readonly gap: GapEntry<LogLine> | undefined;
  /** Number of entries before the first entry in memory, including the gap. */
  readonly length: number;
}

export const noHead: PinnedHead = {
  held: [],
  oldest: undefined,
  count: 0,
  gap: undefined,
  length: 0,
};

/** Returns how many of the entries lie before `first`. */
export function countBefore(held: readonly Entry<LogLine>[], first: Entry<LogLine>): number {
  let count = lowerBound(held, held.length, first.seq);
  // The same line may have another `seq` after it was fetched again.
  for (; count > 0 && isAtOrAfter(held[count - 1], first); count -= 1);
  return count;
}

function isAtOrAfter(entry: Entry<LogLine> | undefined, first: Entry<LogLine>): boolean {
  if (entry?.kind !== 'line' || first.kind !== 'line') return false;
  const { id, deploymentId } = entry.line;
  if (id === undefined || first.line.id === undefined) return false;
  return deploymentId === first.line.deploymentId && id >= first.line.id;
}

/**
 * Returns a gap between two entries with its previous `seq`; undefined if no line can be missing.
 */
export function droppedGapBetween(
  before: Entry<LogLine>,
  first: Entry<LogLine>,
  previous: GapEntry<LogLine> | undefined,
): GapEntry<LogLine> | undefined {
  if (first.kind === 'gap' || first.seq - before.seq === 1) return undefined;
  const after = before.kind === 'line' ? before.line : before.until;
  if (before.kind === 'gap' && isSameLine(after, first.line)) return undefined;
  return {
    kind: 'gap',
    seq:
      previous !== undefined && previous.seq < first.seq
        ? previous.seq
        : (before.seq + first.seq) / 2,
    place: first.place,
    state: { kind: 'missing', why: 'dropped' },
    after,
    until: first.line,
  };
}

/** Returns whether two objects represent the same line, which may have been decoded twice. */
export function isSameLine(line: LogLine, other: LogLine): boolean {
  return (
    line.id === other.id &&
    line.timestamp === other.timestamp &&
    line.logLine === other.logLine &&
    line.serviceName === other.serviceName
  );
}

/** Returns the entries with one more entry, and with gaps where lines may be missing beside it. */
export function withEntry(
  held: readonly Entry<LogLine>[],
  entry: Entry<LogLine> | undefined,
): readonly Entry<LogLine>[] {
  if (entry?.kind !== 'line') return held;
  const index = lowerBound(held, held.length, entry.seq);
  const [before, next] = [held[index - 1], held[index]];
  if (next?.seq === entry.seq) return held;
  const gapAbove = before && droppedGapBetween(before, entry, undefined);
  const gapBelow = next && droppedGapBetween(entry, next, undefined);
  return [
    ...held.slice(0, index),
    ...(gapAbove === undefined || before?.kind === 'gap' ? [] : [gapAbove]),
    entry,
    ...(gapBelow === undefined ? [] : [gapBelow]),
    ...held.slice(index),
  ];
}

export function gapsOf({ held, count, gap }: PinnedHead): readonly GapEntry<LogLine>[] {
  const pinnedGaps = held.slice(0, count).filter((entry) => entry.kind === 'gap');
  return gap === undefined ? pinnedGaps : [...pinnedGaps, gap];
}

/** Returns the index of the first of `count` entries with this `seq` or a higher one. */
export function lowerBound(entries: readonly Entry<LogLine>[], count: number, seq: number): number {
  return bisect(count, (index) => (entries[index]?.seq ?? seq) < seq);
}
