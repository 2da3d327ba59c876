import type { LogLine } from '../../../contract/logs.ts';
import { bisect } from '../../../tail/arena/bisect.ts';
import type { Entry, GapEntry } from '../../../tail/arena/entries.ts';

/** What stands before the first entry that a log has left. */
export interface PinnedHead {
  readonly held: readonly Entry<LogLine>[];
  /** `seq` of the oldest entry that is left. */
  readonly oldest: number | undefined;
  /** So many of the held entries are dropped. */
  readonly count: number;
  /** Stands where lines between them and the first that is left are gone. */
  readonly hole: GapEntry<LogLine> | undefined;
  /** Entries before the first one of the log. */
  readonly length: number;
}

export const noHead: PinnedHead = {
  held: [],
  oldest: undefined,
  count: 0,
  hole: undefined,
  length: 0,
};

/** How many of the entries stand before `first`. */
export function countBefore(held: readonly Entry<LogLine>[], first: Entry<LogLine>): number {
  let count = lowerBound(held, held.length, first.seq);
  // Fetched once more, the same line may have got another number.
  for (; count > 0 && isBehind(held[count - 1], first); count -= 1);
  return count;
}

function isBehind(entry: Entry<LogLine> | undefined, first: Entry<LogLine>): boolean {
  if (entry?.kind !== 'line' || first.kind !== 'line') return false;
  const { id, deploymentId } = entry.line;
  if (id === undefined || first.line.id === undefined) return false;
  return deploymentId === first.line.deploymentId && id >= first.line.id;
}

/** A gap between two entries, which keeps its number; undefined where nothing can be between them. */
export function holeBetween(
  before: Entry<LogLine>,
  first: Entry<LogLine>,
  known: GapEntry<LogLine> | undefined,
): GapEntry<LogLine> | undefined {
  if (first.kind === 'gap' || first.seq - before.seq === 1) return undefined;
  const after = before.kind === 'line' ? before.line : before.until;
  if (before.kind === 'gap' && isSameLine(after, first.line)) return undefined;
  return {
    kind: 'gap',
    seq: known !== undefined && known.seq < first.seq ? known.seq : (before.seq + first.seq) / 2,
    place: first.place,
    state: { kind: 'missing', why: 'dropped' },
    after,
    until: first.line,
  };
}

/** Whether two objects are of one line: it may have been read twice. */
export function isSameLine(line: LogLine, other: LogLine): boolean {
  return (
    line.id === other.id &&
    line.timestamp === other.timestamp &&
    line.logLine === other.logLine &&
    line.serviceName === other.serviceName
  );
}

/** Entries with one more of the same log, and a gap where lines may be missing beside it. */
export function withEntry(
  held: readonly Entry<LogLine>[],
  entry: Entry<LogLine> | undefined,
): readonly Entry<LogLine>[] {
  if (entry?.kind !== 'line') return held;
  const index = lowerBound(held, held.length, entry.seq);
  const [before, next] = [held[index - 1], held[index]];
  if (next?.seq === entry.seq) return held;
  const above = before && holeBetween(before, entry, undefined);
  const below = next && holeBetween(entry, next, undefined);
  return [
    ...held.slice(0, index),
    ...(above === undefined || before?.kind === 'gap' ? [] : [above]),
    entry,
    ...(below === undefined ? [] : [below]),
    ...held.slice(index),
  ];
}

export function gapsOf({ held, count, hole }: PinnedHead): readonly GapEntry<LogLine>[] {
  const kept = held.slice(0, count).filter((entry) => entry.kind === 'gap');
  return hole === undefined ? kept : [...kept, hole];
}

/** Index of the first of `count` entries with this `seq` or a higher one. */
export function lowerBound(entries: readonly Entry<LogLine>[], count: number, seq: number): number {
  return bisect(count, (index) => (entries[index]?.seq ?? seq) < seq);
}
