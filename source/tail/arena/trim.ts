/** Chooses the lines that memory drops while a reader is paused. */
import type { Arena } from './arena.ts';
import type { Block } from './block.ts';

/** The entries that a paused reader shows, by `seq`. */
export interface Shown {
  /** The entries between these two are shown. */
  readonly from: number;
  readonly to: number;
  /** Entries that are shown elsewhere, since a filter hides the ones between them. */
  readonly others: ReadonlySet<number>;
}

/**
 * Returns what a paused reader shows; undefined while nobody is paused.
 * @param level 0 with all that may be shown next; a higher one leaves out what is farther from the cursor,
 * until the line under the cursor is left at level 16.
 */
export type ShownAt = (level: number) => Shown | undefined;

const lastLevel = 16;

/** The reserve for what is shown, a part of the log's memory. */
export interface Reserve {
  readonly bytes: number;
  readonly lines: number;
}

/** A block to drop, except some of its lines. */
export interface Trim {
  readonly number: number;
  /** Indexes of the lines that stay. */
  readonly kept: readonly number[];
}

/**
 * Returns the oldest block with lines that are not shown. When the reserve is used up, less is shown. The
 * newest block always stays; undefined when nothing can go.
 */
export function nextTrim(arena: Arena, shownAt: ShownAt, reserve: Reserve): Trim | undefined {
  for (let level = 0; level <= lastLevel; level += 1) {
    const shown = shownAt(level);
    if (shown === undefined) return arena.blocks.length > 1 ? { number: 0, kept: [] } : undefined;
    const limit = level < lastLevel ? reserve : unlimited;
    const trim = trimWithin(arena, shown, limit);
    if (trim !== 'over') return trim;
  }
  return undefined;
}

const unlimited: Reserve = { bytes: Number.POSITIVE_INFINITY, lines: Number.POSITIVE_INFINITY };

/** Returns the oldest block with lines that are not shown; `over` when those before exceed the reserve. */
function trimWithin(arena: Arena, shown: Shown, reserve: Reserve): Trim | 'over' | undefined {
  let bytes = 0;
  let lines = 0;
  for (let number = 0; number < arena.blocks.length - 1; number += 1) {
    const block = arena.blocks[number];
    if (block === undefined) break;
    const kept = shownIn(block, shown);
    if (kept.length < block.count) return { number, kept };
    bytes += block.size;
    lines += block.count;
    if (bytes > reserve.bytes || lines > reserve.lines) return 'over';
  }
  return undefined;
}

function shownIn(block: Block, { from, to, others }: Shown): readonly number[] {
  const isApart = block.seq(0) > to || block.seq(block.count - 1) < from;
  if (isApart && others.size === 0) return [];
  const kept: number[] = [];
  for (let index = 0; index < block.count; index += 1) {
    const seq = block.seq(index);
    if ((from <= seq && seq <= to) || others.has(seq)) kept.push(index);
  }
  return kept;
}
