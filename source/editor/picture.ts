import type { EditorState } from '@codemirror/state';
import type { PlainRow } from './row-pieces.ts';

/** A run of text with one style. */
export interface EditorRun {
  /** The drawn text: tabs as spaces, control characters in a visible form. */
  readonly text: string;
  /** The token kind in the file's language. */
  readonly kind?: string;
  readonly selected?: boolean;
  /** True for a part of a search match. */
  readonly match?: boolean;
  /** True for the bracket at the cursor and its counterpart. */
  readonly bracket?: boolean;
  /** True for a blank cell that stands for text beyond an edge of the viewport. */
  readonly isCut?: boolean;
}

/** A highlighted row of the editor. */
export interface EditorRow {
  /**
   * The number of the line that starts in this row, counted from 1; undefined for a wrapped row.
   */
  readonly line: number | undefined;
  readonly runs: readonly EditorRun[];
}

/** The rows and the cursor to draw. */
export interface EditorViewModel {
  /** The rows of the viewport; fewer at the end of the document. */
  readonly rows: readonly EditorRow[];
  /** The visible lines that differ from the saved text, counted from 1. */
  readonly changed: ReadonlySet<number>;
  /** The cursor in cells from the upper left corner; undefined when it is not visible. */
  readonly cursor: { readonly row: number; readonly column: number } | undefined;
}

export interface PositionSpan {
  readonly from: number;
  readonly to: number;
}

export interface KindSpan extends PositionSpan {
  readonly kind: string;
}

/** Returns the highlighted spans between two positions, in order and not nested. */
export type Highlighter = (state: EditorState, from: number, to: number) => readonly KindSpan[];

/** The sources of the styles of the text. */
export interface RowStyles {
  readonly kinds: Highlighter;
  readonly matches: (from: number, to: number) => readonly PositionSpan[];
  readonly brackets: readonly PositionSpan[];
}

/** The largest gap between two rows that are highlighted together. */
const maxMergedGap = 2000;

/** Styles rows. A row equal to one of the last call is returned as the same object. */
export class RowPainter {
  #last = new Map<string, EditorRow>();

  paint(state: EditorState, rows: readonly PlainRow[], looks: RowStyles): readonly EditorRow[] {
    const kinds: KindSpan[] = [];
    const matches: PositionSpan[] = [];
    for (const { from, to } of visibleRanges(rows)) {
      kinds.push(...looks.kinds(state, from, to));
      matches.push(...looks.matches(from, to));
    }
    const kindAt = spanFinder(kinds);
    const matchAt = spanFinder(matches);
    const { brackets } = looks;
    const { main } = state.selection;
    const styleAt = (position: number): Style => ({
      kind: kindAt(position)?.kind,
      match: matchAt(position) !== undefined,
      selected: position >= main.from && position < main.to,
      bracket: brackets.some(({ from, to }) => position >= from && position < to),
    });
    const previousRows = this.#last;
    this.#last = new Map();
    return rows.map((bareRow) => {
      const row = styleRow(bareRow, styleAt, main);
      const key = JSON.stringify(row);
      const shared = previousRows.get(key) ?? this.#last.get(key) ?? row;
      this.#last.set(key, shared);
      return shared;
    });
  }
}

interface Style {
  readonly kind: string | undefined;
  readonly match: boolean;
  readonly selected: boolean;
  readonly bracket: boolean;
  readonly isCut?: boolean;
}

const cutStyle: Style = {
  kind: undefined,
  match: false,
  selected: false,
  bracket: false,
  isCut: true,
};

function styleRow(
  { clusters, line, isContinuation, to, hasEndCell }: PlainRow,
  styleAt: (position: number) => Style,
  selection: PositionSpan,
): EditorRow {
  const runs: EditorRun[] = [];
  let text = '';
  let style: Style | undefined;
  const add = (next: Style, added: string): void => {
    if (style !== undefined && !isSame(style, next)) {
      runs.push(runOf(style, text));
      text = '';
    }
    style = next;
    text += added;
  };
  for (const piece of clusters) {
    add(piece.isCut === true ? cutStyle : styleAt(piece.from), piece.text);
  }
  // A selected line break is drawn as a cell, so that a selected empty line is visible.
  if (hasEndCell && selection.from <= to && selection.to > to) {
    add({ kind: undefined, match: false, selected: true, bracket: false }, ' ');
  }
  if (style !== undefined) runs.push(runOf(style, text));
  return { line: isContinuation ? undefined : line, runs };
}

function isSame(a: Style, b: Style): boolean {
  return (
    a.kind === b.kind &&
    a.match === b.match &&
    a.selected === b.selected &&
    a.bracket === b.bracket &&
    a.isCut === b.isCut
  );
}

function runOf({ kind, selected, match, bracket, isCut }: Style, text: string): EditorRun {
  return {
    text,
    ...(kind !== undefined && { kind }),
    ...(selected && { selected }),
    ...(match && { match }),
    ...(bracket && { bracket }),
    ...(isCut === true && { isCut }),
  };
}

/** Returns the ranges that the rows show, without the hidden parts of very long lines. */
function visibleRanges(rows: readonly PlainRow[]): PositionSpan[] {
  const ranges: { from: number; to: number }[] = [];
  for (const { from, to } of rows) {
    const last = ranges.at(-1);
    if (last !== undefined && from - last.to <= maxMergedGap) last.to = Math.max(last.to, to);
    else ranges.push({ from, to });
  }
  return ranges;
}

/** Returns a lookup of the span at a position. Positions must be queried in ascending order. */
function spanFinder<S extends PositionSpan>(
  spans: readonly S[],
): (position: number) => S | undefined {
  let index = 0;
  return (position) => {
    let span = spans[index];
    while (span !== undefined && span.to <= position) {
      index += 1;
      span = spans[index];
    }
    return span !== undefined && span.from <= position ? span : undefined;
  };
}
