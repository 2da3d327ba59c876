import { diffLines, type Hunk } from './diff.ts';
import { splitLines } from './text-lines.ts';

/** The three texts of a merge. */
export interface MergeInput {
  /** The text that both sides changed. */
  readonly base: string;
  readonly mine: string;
  readonly theirs: string;
}

/**
 * The result of a merge. Both lists of hunks lead from the base to the side they are named after.
 */
export type MergeResult = {
  readonly theirHunks: readonly Hunk[];
  readonly myHunks: readonly Hunk[];
} & (
  | { readonly kind: 'clean'; readonly text: string }
  /** `touches` counts my hunks that overlap or adjoin one of theirs. */
  | { readonly kind: 'touching'; readonly touches: number }
);

/**
 * Merges two changes of a text by lines. Changes to the same or adjacent lines conflict, unless
 * both sides made the same change. Lines keep their line ends.
 */
export function mergeTexts({ base, mine, theirs }: MergeInput): MergeResult {
  const baseLines = splitLines(base);
  const my = sideOf(baseLines, mine);
  const their = sideOf(baseLines, theirs);
  const hunks = { theirHunks: their.hunks, myHunks: my.hunks };
  const { changes, touches } = orderChanges(my, their);
  if (touches > 0) return { kind: 'touching', touches, ...hunks };

  const lines: string[] = [];
  let next = 0;
  for (const { side, hunk } of changes) {
    appendLines(lines, baseLines, next, hunk.beforeFrom);
    appendLines(lines, side.lines, hunk.afterFrom, hunk.afterTo);
    next = hunk.beforeTo;
  }
  appendLines(lines, baseLines, next, baseLines.length);
  // Each change keeps its own side's neighbouring lines, so no CR joins an LF and no line lacks its
  // end.
  return { kind: 'clean', text: lines.join(''), ...hunks };
}

interface Side {
  readonly lines: readonly string[];
  readonly hunks: readonly Hunk[];
}

function sideOf(baseLines: readonly string[], text: string): Side {
  const lines = splitLines(text);
  return { lines, hunks: diffLines(baseLines, lines) };
}

interface Change {
  readonly side: Side;
  readonly hunk: Hunk;
}

/**
 * Orders the changes of both sides by their place in the base. A change made by both appears once.
 */
function orderChanges(
  my: Side,
  their: Side,
): { readonly changes: readonly Change[]; readonly touches: number } {
  const changes: Change[] = [];
  let touches = 0;
  let theirNext = 0;
  for (const hunk of my.hunks) {
    let other = their.hunks[theirNext];
    while (other !== undefined && other.beforeTo < hunk.beforeFrom) {
      changes.push({ side: their, hunk: other });
      theirNext += 1;
      other = their.hunks[theirNext];
    }
    if (other !== undefined && other.beforeFrom <= hunk.beforeTo) {
      if (isSame({ side: my, hunk }, { side: their, hunk: other })) theirNext += 1;
      else touches += 1;
    }
    changes.push({ side: my, hunk });
  }
  for (const hunk of their.hunks.slice(theirNext)) changes.push({ side: their, hunk });
  return { changes, touches };
}

function isSame(mine: Change, theirs: Change): boolean {
  const [left, right] = [mine.hunk, theirs.hunk];
  const length = left.afterTo - left.afterFrom;
  if (
    left.beforeFrom !== right.beforeFrom ||
    left.beforeTo !== right.beforeTo ||
    length !== right.afterTo - right.afterFrom
  ) {
    return false;
  }
  const lines = mine.side.lines.slice(left.afterFrom, left.afterTo);
  return lines.every((line, index) => line === theirs.side.lines[right.afterFrom + index]);
}

function appendLines(to: string[], from: readonly string[], start: number, end: number): void {
  for (const line of from.slice(start, end)) to.push(line);
}
