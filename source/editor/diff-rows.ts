import { presentableDiff } from '@codemirror/merge';
import { countChangedLines, diffLines, type Hunk, type LineCounts } from './diff.ts';
import { type LineEnd, lineEndOf, splitLines } from './text-lines.ts';

/** A range of a row's text in UTF-16 code units; `to` is exclusive. */
export interface ChangedRange {
  readonly from: number;
  readonly to: number;
}

/** A line of a comparison. Its text has no line end and is not sanitised. */
export type DiffLine =
  | {
      readonly kind: 'same';
      readonly beforeLine: number;
      readonly afterLine: number;
      readonly text: string;
    }
  | ({ readonly kind: 'removed'; readonly beforeLine: number } & ChangedLine)
  | ({ readonly kind: 'added'; readonly afterLine: number } & ChangedLine);

interface ChangedLine {
  readonly text: string;
  /**
   * The ranges that differ from the paired line; empty when all of it differs or was not compared.
   */
  readonly changed: readonly ChangedRange[];
  /** The name of its line end, when that is part of the change. */
  readonly end: 'LF' | 'CRLF' | 'CR' | 'no line end' | undefined;
}

/** A run of equal lines that is not shown. */
interface Skipped {
  readonly kind: 'skipped';
  readonly count: number;
}

/** A row of a unified comparison. Lines count from 1. */
export type DiffRow = DiffLine | Skipped;

/** A row of a side-by-side comparison; one side is missing when the other replaces nothing. */
export type SideBySideRow =
  | {
      readonly kind: 'lines';
      readonly before: DiffLine | undefined;
      readonly after: DiffLine | undefined;
    }
  | Skipped;

const contextLines = 3;

/** The rows of a comparison, and the index of the first row of each change. */
export interface DiffLayout<Row> {
  readonly rows: readonly Row[];
  readonly changes: readonly number[];
}

/** A comparison of two texts with 3 lines of context. Equal texts have no rows. */
export interface Comparison {
  /** Lines of the longer text, for the width of line numbers. */
  readonly lines: number;
  readonly counts: LineCounts;
  /** The number of changes. */
  readonly changeCount: number;
  /**
   * True when a change is too large to compare its lines in detail: all of them count as changed.
   */
  readonly rough: boolean;
  readonly unified: () => DiffLayout<DiffRow>;
  /** The same rows with removed lines to the left of the added ones. */
  readonly sideBySide: () => DiffLayout<SideBySideRow>;
}

/** Compares two texts by lines. The time is bounded, even for texts of megabytes. */
export function compareTexts(before: string, after: string): Comparison {
  const comparison = compareLines(before, after);
  let unified: DiffLayout<DiffRow> | undefined;
  let sideBySide: DiffLayout<SideBySideRow> | undefined;
  return {
    lines: Math.max(comparison.beforeLines.length, comparison.afterLines.length),
    counts: countChangedLines(comparison.hunks),
    changeCount: comparison.hunks.length,
    rough: comparison.hunks.some(isRough) || pairCount(comparison.hunks) > maxDetailedPairs,
    unified: () => (unified ??= rowsOf(comparison, unifiedLayout)),
    sideBySide: () => (sideBySide ??= rowsOf(comparison, sideBySideLayout)),
  };
}

interface LineComparison {
  readonly beforeLines: readonly string[];
  readonly afterLines: readonly string[];
  readonly hunks: readonly Hunk[];
}

function compareLines(before: string, after: string): LineComparison {
  const beforeLines = splitLines(before);
  const afterLines = splitLines(after);
  return { beforeLines, afterLines, hunks: diffLines(beforeLines, afterLines) };
}

function isRough({ beforeFrom, beforeTo, afterFrom, afterTo }: Hunk): boolean {
  const [removed, added] = [beforeTo - beforeFrom, afterTo - afterFrom];
  return Math.min(removed, added) > 0 && Math.max(removed, added) > maxDetailedHunkLines;
}

function pairCount(hunks: readonly Hunk[]): number {
  return hunks.reduce(
    (sum, hunk) => sum + Math.min(hunk.beforeTo - hunk.beforeFrom, hunk.afterTo - hunk.afterFrom),
    0,
  );
}

interface Layout<Row> {
  same(line: DiffLine): readonly Row[];
  changed(removed: readonly DiffLine[], added: readonly DiffLine[]): readonly Row[];
  skipped(count: number): Row;
}

const unifiedLayout: Layout<DiffRow> = {
  same: (line) => [line],
  changed: (removed, added) => [...removed, ...added],
  skipped: (count) => ({ kind: 'skipped', count }),
};

const sideBySideLayout: Layout<SideBySideRow> = {
  same: (line) => [{ kind: 'lines', before: line, after: line }],
  changed: (removed, added) =>
    Array.from({ length: Math.max(removed.length, added.length) }, (_, index) => ({
      kind: 'lines',
      before: removed[index],
      after: added[index],
    })),
  skipped: (count) => ({ kind: 'skipped', count }),
};

function rowsOf<Row>(
  { beforeLines, afterLines, hunks }: LineComparison,
  layout: Layout<Row>,
): DiffLayout<Row> {
  if (hunks.length === 0) return { rows: [], changes: [] };

  const rows: Row[] = [];
  const changes: number[] = [];
  const addSame = (from: number, to: number, offset: number): void => {
    for (const [index, line] of beforeLines.slice(from, to).entries()) {
      const beforeLine = from + index + 1;
      const afterLine = beforeLine + offset;
      rows.push(
        ...layout.same({ kind: 'same', beforeLine, afterLine, text: withoutLineEnd(line) }),
      );
    }
  };
  let next = 0;
  let offset = 0;
  let pairs = 0;
  /** Adds equal lines up to `to`: `after` follow the last change, `ahead` precede the next. */
  const addBetween = (to: number, after: number, ahead: number): void => {
    const from = Math.min(to, next + after);
    const resume = Math.max(from, to - ahead);
    addSame(next, from, offset);
    // A single line is shown: a row saying "1 line" would need the same space.
    if (resume - from > 1) rows.push(layout.skipped(resume - from));
    else addSame(from, resume, offset);
    addSame(resume, to, offset);
  };
  for (const [index, hunk] of hunks.entries()) {
    addBetween(hunk.beforeFrom, index === 0 ? 0 : contextLines, contextLines);
    const { removed, added } = changedLines(
      beforeLines,
      afterLines,
      hunk,
      pairs < maxDetailedPairs,
    );
    pairs += Math.min(removed.length, added.length);
    changes.push(rows.length);
    for (const row of layout.changed(removed, added)) rows.push(row);
    next = hunk.beforeTo;
    offset = hunk.afterTo - hunk.beforeTo;
  }
  addBetween(beforeLines.length, contextLines, 0);
  return { rows, changes };
}

/** Limits of the comparison within lines. A line beyond them is marked as changed as a whole. */
const maxDetailedPairs = 5_000;
const maxDetailedHunkLines = 200;
const maxDetailedLineLength = 2_000;
const scanLimit = 200;

function changedLines(
  beforeLines: readonly string[],
  afterLines: readonly string[],
  { beforeFrom, beforeTo, afterFrom, afterTo }: Hunk,
  isDetailed: boolean,
): { readonly removed: readonly DiffLine[]; readonly added: readonly DiffLine[] } {
  const before = beforeLines.slice(beforeFrom, beforeTo);
  const after = afterLines.slice(afterFrom, afterTo);
  const hasDetail = isDetailed && Math.max(before.length, after.length) <= maxDetailedHunkLines;
  const differences = before.map((line, index) =>
    hasDetail ? changedRanges(withoutLineEnd(line), withoutLineEnd(after[index] ?? '')) : [],
  );
  const removed = before.map((line, index): DiffLine => {
    const changed = (differences[index] ?? []).map(({ fromA, toA }) => ({ from: fromA, to: toA }));
    const end = lineEndName(line, after[index]);
    const beforeLine = beforeFrom + index + 1;
    return {
      kind: 'removed',
      beforeLine,
      text: withoutLineEnd(line),
      changed: withoutEmpty(changed),
      end,
    };
  });
  const added = after.map((line, index): DiffLine => {
    const changed = (differences[index] ?? []).map(({ fromB, toB }) => ({ from: fromB, to: toB }));
    const end = lineEndName(line, before[index]);
    const afterLine = afterFrom + index + 1;
    return {
      kind: 'added',
      afterLine,
      text: withoutLineEnd(line),
      changed: withoutEmpty(changed),
      end,
    };
  });
  return { removed, added };
}

function changedRanges(before: string, after: string): ReturnType<typeof presentableDiff> {
  const isTooLong = Math.max(before.length, after.length) > maxDetailedLineLength;
  return before === '' || after === '' || isTooLong
    ? []
    : presentableDiff(before, after, { scanLimit });
}

function withoutEmpty(ranges: readonly ChangedRange[]): readonly ChangedRange[] {
  return ranges.filter(({ from, to }) => to > from);
}

function withoutLineEnd(line: string): string {
  return line.slice(0, line.length - lineEndOf(line).length);
}

const lineEndNames: Readonly<Record<LineEnd, NonNullable<ChangedLine['end']>>> = {
  '\n': 'LF',
  '\r\n': 'CRLF',
  '\r': 'CR',
  '': 'no line end',
};

function lineEndName(line: string, other: string | undefined): ChangedLine['end'] {
  const end = lineEndOf(line);
  const isChange = other === undefined ? end === '' : lineEndOf(other) !== end;
  return isChange ? lineEndNames[end] : undefined;
}
