import type { LogLine } from '../../../contract/logs.ts';
import type { Entry } from '../../../tail/arena/entries.ts';

export interface PinBounds {
  /** Entries kept to each side of the one that is held; more than fit a screen. */
  readonly around: number;
  /** The same where lines are so long that there is no room for more. */
  readonly least: number;
  /** Entries kept in all. */
  readonly most: number;
  /** Characters taken at once: lines may be a megabyte long. */
  readonly characters: number;
}

interface Taken {
  /** Index of the first of them. */
  readonly from: number;
  readonly entries: readonly Entry<LogLine>[];
  /** There was no room for more. */
  readonly isCut: boolean;
}

/** Copies of the entries around `index`, as far as they are within `from` and `to`. */
export function pinAround(
  index: number,
  bounds: PinBounds & { readonly from: number; readonly to: number },
  at: (index: number) => Entry<LogLine> | undefined,
): Taken {
  const { around, least, from, to } = bounds;
  let room = bounds.characters;
  const take = (next: number): Entry<LogLine> | undefined => {
    const distance = Math.abs(next - index);
    if (next < from || next >= to || distance > (room > 0 ? around : least)) return undefined;
    const entry = at(next);
    if (entry?.kind === 'line') room -= entry.line.logLine.length;
    return entry === undefined ? undefined : copied(entry);
  };
  const start = Math.max(index, from);
  const entries: Entry<LogLine>[] = [];
  const older: Entry<LogLine>[] = [];
  for (let entry = take(start); entry !== undefined; entry = take(start + entries.length)) {
    entries.push(entry);
  }
  for (let entry = take(start - 1); entry !== undefined; entry = take(start - 1 - older.length)) {
    older.push(entry);
  }
  return {
    from: start - older.length,
    entries: [...older.toReversed(), ...entries],
    isCut: room <= 0,
  };
}

/** A line of its own: what a log hands out may be read from memory that is written anew. */
export function copied(entry: Entry<LogLine>): Entry<LogLine> {
  if (entry.kind === 'gap') return entry;
  const { id, deploymentId, serviceName, timestamp, logLine, stream, instance } = entry.line;
  return {
    ...entry,
    line: { id, deploymentId, serviceName, timestamp, logLine, stream, instance },
  };
}
