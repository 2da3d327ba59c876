import { presentableDiff } from '@codemirror/merge';
import { countsOf, diffLines, type Hunk, type LineCounts } from './diff.ts';
import { type LineEnd, lineEnd, linesOf } from './text-lines.ts';

/** Characters of a row's text, UTF-16, `to` behind the last one. */
export interface ChangedRange {
  readonly from: number;
  readonly to: number;
}

/** A line as a difference shows it: its text is without the line end, and unsanitised. */
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
  /** What differs from the line that took its place; empty where that is all or cannot be told. */
  readonly changed: readonly ChangedRange[];
  /** A word for its line end, where that is a part of the change. */
  readonly end: 'LF' | 'CRLF' | 'CR' | 'no line end' | undefined;
}

/** Equal lines that are not shown. */
interface Skipped {
  readonly kind: 'skipped';
  readonly count: number;
}

/** Lines count from 1. */
export type DiffRow = DiffLine | Skipped;

/** Two lines beside each other; one of them is missing where the other replaces nothing. */
export type SideBySideRow =
  | {
      readonly kind: 'lines';
      readonly before: DiffLine | undefined;
      readonly after: DiffLine | undefined;
    }
  | Skipped;

const contextLines = 3;

/** The rows of a difference, and at which of them each change begins, in order. */
export interface Laid<Row> {
  readonly rows: readonly Row[];
  readonly changes: readonly number[];
}

/** What differs between two texts, with 3 lines around it. The rows are empty when nothing does. */
export interface Comparison {
  /** Of the longer text, for line numbers. */
  readonly lines: number;
  readonly counts: LineCounts;
  /** How many changes there are. */
  readonly changeCount: number;
  /**
   * Some changes are so large that their lines are not told apart: they are shown as removed and
   * added, whatever they have in common.
   */
  readonly rough: boolean;
  readonly unified: () => Laid<DiffRow>;
  /** As `unified`, removed lines to the left of the added ones. */
  readonly sideBySide: () => Laid<SideBySideRow>;
}

/** Compares by lines. The time is bounded by what a person waits for, also for texts of megabytes. */
export function compareTexts(before: string, after: string): Comparison {
  const compared = comparedLines(before, after);
  let unified: Laid<DiffRow> | undefined;
  let sideBySide: Laid<SideBySideRow> | undefined;
  return {
    lines: Math.max(compared.beforeLines.length, compared.afterLines.length),
    counts: countsOf(compared.hunks),
    changeCount: compared.hunks.length,
    rough: compared.hunks.some(isRough) || pairCount(compared.hunks) > pairsInDetail,
    unified: () => (unified ??= rowsOf(compared, unifiedLayout)),
    sideBySide: () => (sideBySide ??= rowsOf(compared, sideBySideLayout)),
  };
}

interface Compared {
  readonly beforeLines: readonly string[];
  readonly afterLines: readonly string[];
  readonly hunks: readonly Hunk[];
}

function comparedLines(before: string, after: string): Compared {
  const beforeLines = linesOf(before);
  const afterLines = linesOf(after);
  return { beforeLines, afterLines, hunks: diffLines(beforeLines, afterLines) };
}

function isRough({ beforeFrom, beforeTo, afterFrom, afterTo }: Hunk): boolean {
  const [removed, added] = [beforeTo - beforeFrom, afterTo - afterFrom];
  return Math.min(removed, added) > 0 && Math.max(removed, added) > hunkInDetail;
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

function rowsOf<Row>({ beforeLines, afterLines, hunks }: Compared, layout: Layout<Row>): Laid<Row> {
  if (hunks.length === 0) return { rows: [], changes: [] };

  const rows: Row[] = [];
  const changes: number[] = [];
  const addSame = (from: number, to: number, offset: number): void => {
    for (const [index, line] of beforeLines.slice(from, to).entries()) {
      const beforeLine = from + index + 1;
      const afterLine = beforeLine + offset;
      rows.push(...layout.same({ kind: 'same', beforeLine, afterLine, text: textOf(line) }));
    }
  };
  let next = 0;
  let offset = 0;
  let pairs = 0;
  /** `after` and `ahead` are the lines that are shown behind the last change and before the next. */
  const addBetween = (to: number, after: number, ahead: number): void => {
    const from = Math.min(to, next + after);
    const resume = Math.max(from, to - ahead);
    addSame(next, from, offset);
    // A row that says "1 line" takes the room of the line.
    if (resume - from > 1) rows.push(layout.skipped(resume - from));
    else addSame(from, resume, offset);
    addSame(resume, to, offset);
  };
  for (const [index, hunk] of hunks.entries()) {
    addBetween(hunk.beforeFrom, index === 0 ? 0 : contextLines, contextLines);
    const { removed, added } = changedLines(beforeLines, afterLines, hunk, pairs < pairsInDetail);
    pairs += Math.min(removed.length, added.length);
    changes.push(rows.length);
    for (const row of layout.changed(removed, added)) rows.push(row);
    next = hunk.beforeTo;
    offset = hunk.afterTo - hunk.beforeTo;
  }
  addBetween(beforeLines.length, contextLines, 0);
  return { rows, changes };
}

/** Beyond these bounds lines are shown as changed, but not what in them: the time is bounded. */
const pairsInDetail = 5_000;
const hunkInDetail = 200;
const lineInDetail = 2_000;
const scanLimit = 200;

function changedLines(
  beforeLines: readonly string[],
  afterLines: readonly string[],
  { beforeFrom, beforeTo, afterFrom, afterTo }: Hunk,
  detailed: boolean,
): { readonly removed: readonly DiffLine[]; readonly added: readonly DiffLine[] } {
  const before = beforeLines.slice(beforeFrom, beforeTo);
  const after = afterLines.slice(afterFrom, afterTo);
  const inDetail = detailed && Math.max(before.length, after.length) <= hunkInDetail;
  const differences = before.map((line, index) =>
    inDetail ? changesIn(textOf(line), textOf(after[index] ?? '')) : [],
  );
  const removed = before.map((line, index): DiffLine => {
    const changed = (differences[index] ?? []).map(({ fromA, toA }) => ({ from: fromA, to: toA }));
    const end = endWord(line, after[index]);
    const beforeLine = beforeFrom + index + 1;
    return { kind: 'removed', beforeLine, text: textOf(line), changed: notEmpty(changed), end };
  });
  const added = after.map((line, index): DiffLine => {
    const changed = (differences[index] ?? []).map(({ fromB, toB }) => ({ from: fromB, to: toB }));
    const end = endWord(line, before[index]);
    const afterLine = afterFrom + index + 1;
    return { kind: 'added', afterLine, text: textOf(line), changed: notEmpty(changed), end };
  });
  return { removed, added };
}

function changesIn(before: string, after: string): ReturnType<typeof presentableDiff> {
  const tooLong = Math.max(before.length, after.length) > lineInDetail;
  return before === '' || after === '' || tooLong
    ? []
    : presentableDiff(before, after, { scanLimit });
}

function notEmpty(ranges: readonly ChangedRange[]): readonly ChangedRange[] {
  return ranges.filter(({ from, to }) => to > from);
}

function textOf(line: string): string {
  return line.slice(0, line.length - lineEnd(line).length);
}

const endWords: Readonly<Record<LineEnd, NonNullable<ChangedLine['end']>>> = {
  '\n': 'LF',
  '\r\n': 'CRLF',
  '\r': 'CR',
  '': 'no line end',
};

function endWord(line: string, other: string | undefined): ChangedLine['end'] {
  const end = lineEnd(line);
  const isChange = other === undefined ? end === '' : lineEnd(other) !== end;
  return isChange ? endWords[end] : undefined;
}
