import type { LogLine } from '../../../contract/logs.ts';
import type { Entry } from '../../../tail/arena/entries.ts';

/** Limits of the entries that are pinned around the cursor. */
export interface PinLimits {
  /** Entries on each side of the cursor; more than a screen. */
  readonly around: number;
  /** Entries on each side of the cursor where lines are so long that they exceed `characters`. */
  readonly least: number;
  /** Entries in all. */
  readonly most: number;
  /** Characters of the lines that are pinned at once: a line may have a megabyte. */
  readonly characters: number;
}

interface PinnedRange {
  /** Index of the first entry. */
  readonly from: number;
  readonly entries: readonly Entry<LogLine>[];
  /** True when the limit of characters was reached. */
  readonly isCut: boolean;
}

/** Copies the entries around `index` that lie between `from` and `to`. */
export function copyAround(
  index: number,
  bounds: PinLimits & { readonly from: number; readonly to: number },
  at: (index: number) => Entry<LogLine> | undefined,
): PinnedRange {
  const { around, least, from, to } = bounds;
  let charactersLeft = bounds.characters;
  const pin = (next: number): Entry<LogLine> | undefined => {
    const distance = Math.abs(next - index);
    if (next < from || next >= to || distance > (charactersLeft > 0 ? around : least))
      return undefined;
    const entry = at(next);
    if (entry?.kind === 'line') charactersLeft -= entry.line.logLine.length;
    return entry === undefined ? undefined : copyEntry(entry);
  };
  const start = Math.max(index, from);
  const entries: Entry<LogLine>[] = [];
  const older: Entry<LogLine>[] = [];
  for (let entry = pin(start); entry !== undefined; entry = pin(start + entries.length)) {
    entries.push(entry);
  }
  for (let entry = pin(start - 1); entry !== undefined; entry = pin(start - 1 - older.length)) {
    older.push(entry);
  }
  return {
    from: start - older.length,
    entries: [...older.toReversed(), ...entries],
    isCut: charactersLeft <= 0,
  };
}

/** Copies an entry, because the line of a log may refer to memory that is reused. */
export function copyEntry(entry: Entry<LogLine>): Entry<LogLine> {
  if (entry.kind === 'gap') return entry;
  const { id, deploymentId, serviceName, timestamp, logLine, stream, instance } = entry.line;
  return {
    ...entry,
    line: { id, deploymentId, serviceName, timestamp, logLine, stream, instance },
  };
}
