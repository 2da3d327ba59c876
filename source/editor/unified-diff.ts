import { diffLines, type Hunk } from './diff.ts';

/** A line of a unified difference without its line feed; not sanitised. */
export interface UnifiedLine {
  /** `mark` is the line that tells of a missing line feed at the end of a text. */
  readonly kind: 'head' | 'same' | 'removed' | 'added' | 'mark';
  readonly text: string;
}

/** Equal lines around a change. */
const contextLines = 3;

const noLineFeed: UnifiedLine = { kind: 'mark', text: '\\ No newline at end of file' };

/**
 * Compares two texts and returns the unified difference without its two lines of file names, in the
 * form that `patch` and `git apply` read. Lines end with a line feed alone, so that a carriage return
 * is part of its line. Equal texts have no lines.
 */
export function unifiedDifference(before: string, after: string): readonly UnifiedLine[] {
  const [beforeLines, afterLines] = [linesOf(before), linesOf(after)];
  const groups = groupHunks(diffLines(beforeLines, afterLines));
  return groups.flatMap((group) => groupLines(group, beforeLines, afterLines));
}

/** Splits behind each line feed. */
function linesOf(text: string): readonly string[] {
  return text === '' ? [] : text.split(/(?<=\n)/);
}

/** Joins the hunks whose context would touch. */
function groupHunks(hunks: readonly Hunk[]): readonly (readonly Hunk[])[] {
  const groups: Hunk[][] = [];
  for (const hunk of hunks) {
    const last = groups.at(-1);
    const isNear = hunk.beforeFrom - (last?.at(-1)?.beforeTo ?? 0) <= 2 * contextLines;
    if (last !== undefined && isNear) last.push(hunk);
    else groups.push([hunk]);
  }
  return groups;
}

function groupLines(
  group: readonly Hunk[],
  before: readonly string[],
  after: readonly string[],
): readonly UnifiedLine[] {
  const [first, last] = [group[0], group.at(-1)];
  if (first === undefined || last === undefined) return [];
  const leading = Math.min(contextLines, first.beforeFrom);
  const trailing = Math.min(contextLines, before.length - last.beforeTo);
  const range = {
    beforeFrom: first.beforeFrom - leading,
    beforeTo: last.beforeTo + trailing,
    afterFrom: first.afterFrom - leading,
    afterTo: last.afterTo + trailing,
  };
  const lines: UnifiedLine[] = [{ kind: 'head', text: headOf(range) }];
  const add = (kind: 'same' | 'removed' | 'added', sign: string, side: readonly string[]): void => {
    for (const line of side) {
      const isComplete = line.endsWith('\n');
      lines.push({ kind, text: sign + (isComplete ? line.slice(0, -1) : line) });
      if (!isComplete) lines.push(noLineFeed);
    }
  };
  let next = range.beforeFrom;
  for (const { beforeFrom, beforeTo, afterFrom, afterTo } of group) {
    add('same', ' ', before.slice(next, beforeFrom));
    add('removed', '-', before.slice(beforeFrom, beforeTo));
    add('added', '+', after.slice(afterFrom, afterTo));
    next = beforeTo;
  }
  add('same', ' ', before.slice(next, range.beforeTo));
  return lines;
}

function headOf({ beforeFrom, beforeTo, afterFrom, afterTo }: Hunk): string {
  return `@@ -${rangeText(beforeFrom, beforeTo)} +${rangeText(afterFrom, afterTo)} @@`;
}

/** Returns a range as `LINE,COUNT`; an empty one names the line before it, and a count of 1 is left out. */
function rangeText(from: number, to: number): string {
  const count = to - from;
  if (count === 0) return `${from},0`;
  return count === 1 ? String(from + 1) : `${from + 1},${count}`;
}
