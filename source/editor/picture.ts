import type { EditorState } from '@codemirror/state';
import type { BareRow } from './row-pieces.ts';

/** Text of one look. */
export interface EditorRun {
  /** As it is drawn: tabs as spaces, control characters in a visible form. */
  readonly text: string;
  /** What kind of word it is in the file's language. */
  readonly kind?: string;
  readonly selected?: boolean;
  /** A part of something that was searched for. */
  readonly match?: boolean;
  /** The bracket at the cursor, or the one that belongs to it. */
  readonly bracket?: boolean;
}

export interface EditorRow {
  /** The line that begins in this row, counted from 1; undefined where a line goes on. */
  readonly line: number | undefined;
  readonly runs: readonly EditorRun[];
}

export interface EditorPicture {
  /** As many as the screen has, or fewer where the document ends. */
  readonly rows: readonly EditorRow[];
  /** In cells from the upper left corner; undefined where it cannot be seen. */
  readonly cursor: { readonly row: number; readonly column: number } | undefined;
}

export interface CellSpan {
  readonly from: number;
  readonly to: number;
}

export interface KindSpan extends CellSpan {
  readonly kind: string;
}

/** Finds what is coloured between two positions: in order, nothing inside another. */
export type Highlight = (state: EditorState, from: number, to: number) => readonly KindSpan[];

/** What is seen in the text beside its characters, between two positions each. */
export interface Looks {
  readonly kinds: Highlight;
  readonly matches: (from: number, to: number) => readonly CellSpan[];
  readonly brackets: readonly CellSpan[];
}

/** Positions between two rows up to which they are looked at as one. */
const nearby = 2000;

/** The rows with their colours; those that were in the last picture are the same objects. */
export class RowPainter {
  #last = new Map<string, EditorRow>();

  paint(state: EditorState, rows: readonly BareRow[], looks: Looks): readonly EditorRow[] {
    const kinds: KindSpan[] = [];
    const matches: CellSpan[] = [];
    for (const { from, to } of stretchesOf(rows)) {
      kinds.push(...looks.kinds(state, from, to));
      matches.push(...looks.matches(from, to));
    }
    const kindAt = spanFinder(kinds);
    const matchAt = spanFinder(matches);
    const { brackets } = looks;
    const { main } = state.selection;
    const lookAt = (position: number): Look => ({
      kind: kindAt(position)?.kind,
      match: matchAt(position) !== undefined,
      selected: position >= main.from && position < main.to,
      bracket: brackets.some(({ from, to }) => position >= from && position < to),
    });
    const known = this.#last;
    this.#last = new Map();
    return rows.map((bare) => {
      const row = coloured(bare, lookAt, main);
      const key = JSON.stringify(row);
      const same = known.get(key) ?? this.#last.get(key) ?? row;
      this.#last.set(key, same);
      return same;
    });
  }
}

interface Look {
  readonly kind: string | undefined;
  readonly match: boolean;
  readonly selected: boolean;
  readonly bracket: boolean;
}

function coloured(
  { pieces, line, continues, to, showsEnd }: BareRow,
  lookAt: (position: number) => Look,
  selection: CellSpan,
): EditorRow {
  const runs: EditorRun[] = [];
  let text = '';
  let look: Look | undefined;
  const add = (next: Look, more: string): void => {
    if (look !== undefined && !isSame(look, next)) {
      runs.push(runOf(look, text));
      text = '';
    }
    look = next;
    text += more;
  };
  for (const piece of pieces) add(lookAt(piece.from), piece.text);
  // A selected line break is seen as a cell, so that a selected empty line shows.
  if (showsEnd && selection.from <= to && selection.to > to) {
    add({ kind: undefined, match: false, selected: true, bracket: false }, ' ');
  }
  if (look !== undefined) runs.push(runOf(look, text));
  return { line: continues ? undefined : line, runs };
}

function isSame(a: Look, b: Look): boolean {
  return (
    a.kind === b.kind && a.match === b.match && a.selected === b.selected && a.bracket === b.bracket
  );
}

function runOf({ kind, selected, match, bracket }: Look, text: string): EditorRun {
  return {
    text,
    ...(kind !== undefined && { kind }),
    ...(selected && { selected }),
    ...(match && { match }),
    ...(bracket && { bracket }),
  };
}

/** What the rows show, in few parts that leave out what is hidden of very long lines. */
function stretchesOf(rows: readonly BareRow[]): CellSpan[] {
  const stretches: { from: number; to: number }[] = [];
  for (const { from, to } of rows) {
    const last = stretches.at(-1);
    if (last !== undefined && from - last.to <= nearby) last.to = Math.max(last.to, to);
    else stretches.push({ from, to });
  }
  return stretches;
}

/** Finds the span at a position, asked for in rising order. */
function spanFinder<S extends CellSpan>(spans: readonly S[]): (position: number) => S | undefined {
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
