import type { Line, SelectionRange } from '@codemirror/state';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { EditorCommand } from '../../source/editor/editor-command.ts';
import { findClusterEnd } from '../../source/editor/glyphs.ts';
import type { EditorRow, PositionSpan } from '../../source/editor/picture.ts';
import { createTextEditor, type TextEditor } from '../../source/editor/text-editor.ts';
import { drawing } from './cells-drawing.ts';

const tabSize = 4;
const { show, measure } = drawing;

const textOf = ({ runs }: EditorRow): string =>
  runs.map(({ text, isCut }) => (isCut === true ? '…' : text)).join('');

interface Drawn {
  readonly from: number;
  readonly cell: number;
  readonly cells: number;
  readonly shown: string;
}

/** The rows of one line, computed by brute force. */
function naiveRows(text: string, columns: number | undefined): Drawn[][] {
  let row: Drawn[] = [];
  const rows = [row];
  let cell = 0;
  const wrap = (): void => {
    row = [];
    rows.push(row);
    cell = 0;
  };
  for (let from = 0; from < text.length; from = findClusterEnd(text, from)) {
    const cluster = text.slice(from, findClusterEnd(text, from));
    if (columns !== undefined && cluster === '\t' && cell >= columns) wrap();
    const tab = Math.min(tabSize - (cell % tabSize), (columns ?? Infinity) - cell);
    let cells = cluster === '\t' ? tab : measure(show(cluster));
    let shown = cluster === '\t' ? ' '.repeat(tab) : show(cluster);
    if (columns !== undefined && cell + cells > columns) {
      if (cell > 0) wrap();
      if (cells > columns) {
        cells = columns;
        shown = ' '.repeat(cells);
      }
    }
    row.push({ from, cell, cells, shown });
    cell += cells;
  }
  if (columns !== undefined && cell >= columns) wrap();
  return rows;
}

/** The cells of a part of a row; blank where an edge cuts through a character. */
function cut(row: readonly Drawn[], { from, to }: PositionSpan): string {
  let text = '';
  for (const { cell, cells, shown } of row) {
    const seen = Math.min(to, cell + cells) - Math.max(from, cell);
    if (seen > 0) text += seen === cells ? shown : ' '.repeat(seen);
  }
  return text;
}

/** Returns whether text of a row lies left and right of the columns, which marks show. */
function cutEdges(row: readonly Drawn[], left: number, columns: number): [boolean, boolean] {
  const last = row.at(-1);
  const end = last === undefined ? 0 : last.cell + last.cells;
  return [left > 0 && row.length > 0, end > left + columns];
}

/** The cell after a line when its line break is selected and a cell is free. */
function lineBreakOf(
  rows: readonly Drawn[],
  line: Line,
  selection: SelectionRange,
  seen: PositionSpan,
): string {
  const last = rows.at(-1);
  const end = last === undefined ? 0 : last.cell + last.cells;
  const isSelected = selection.from <= line.to && selection.to > line.to;
  return isSelected && end >= seen.from && end < seen.to ? ' ' : '';
}

const piece = fc.constantFrom(
  'a',
  'bc ',
  '日',
  '\t',
  '\n',
  'e\u0301',
  '👩‍👩‍👧',
  '\u0007',
  '\u0301',
  '🇩🇪',
  'שלום',
  '日本語日本語',
);
const anyText = fc.array(piece, { maxLength: 40 }).map((parts) => parts.join(''));
const names: readonly EditorCommand[] = [
  ...(['left', 'right', 'up', 'down', 'word-left', 'word-right', 'line-start'] as const),
  ...(['line-end', 'page-up', 'page-down', 'document-start', 'document-end'] as const),
  ...(['select-down', 'select-right', 'newline', 'backspace', 'undo', 'cut-line'] as const),
];
const action = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...names).map((name) => ({ name })) },
  { weight: 1, arbitrary: anyText.map((paste) => ({ paste })) },
  { weight: 1, arbitrary: fc.boolean().map((wrap) => ({ wrap })) },
  {
    weight: 1,
    arbitrary: fc
      .record({ rows: fc.integer({ min: 1, max: 9 }), columns: fc.integer({ min: 1, max: 12 }) })
      .map((size) => ({ size })),
  },
);

describe('a line longer than the editor', () => {
  const open = (text: string) =>
    createTextEditor({ ...drawing, text, tabSize, size: { rows: 2, columns: 10 } });
  const shown = (editor: TextEditor) => editor.viewModel().rows.map(textOf);

  test('has a mark at each edge beyond which it goes on, and so have the lines around it', () => {
    const editor = open('0123456789abcdefghijk\nxy');
    expect(shown(editor)).toEqual(['012345678…', 'xy']);
    editor.run('line-end');
    expect(shown(editor)).toEqual(['…ijk', '…']);
    editor.run('word-left');
    expect(shown(editor)).toEqual(['012345678…', 'xy']);
  });

  test('that just fits has none', () => {
    const editor = open('0123456789');
    expect(shown(editor)).toEqual(['0123456789']);
    for (let step = 0; step < 9; step += 1) editor.run('right');
    expect([shown(editor), editor.viewModel().cursor?.column]).toEqual([['0123456789'], 9]);
  });

  test('scrolls only when the cursor would leave it, also beside wide characters', () => {
    const editor = open('日本語日本語日本語日本語');
    const drawn = Array.from({ length: 13 }, (_, step) => {
      if (step > 0) editor.run('right');
      return shown(editor)[0];
    });
    expect(drawn.filter((row, step) => row !== drawn[step - 1])).toEqual([
      '日本語日 …',
      '…日本語日…',
      '…日本語',
    ]);
  });
});

describe('the picture of an editor', () => {
  test('shows the cursor and the text around it, at most as wide as the screen', () => {
    fc.assert(
      fc.property(anyText, fc.array(action, { maxLength: 25 }), (text, actions) => {
        let size = { rows: 5, columns: 9 };
        let wraps = false;
        const editor = createTextEditor({ ...drawing, text, tabSize, size });
        for (const act of actions) {
          if ('name' in act) editor.run(act.name);
          else if ('paste' in act) editor.paste(act.paste);
          else if ('wrap' in act) {
            wraps = act.wrap;
            editor.setWrap(wraps);
          } else {
            ({ size } = act);
            editor.resize(size);
          }
          checkPicture(editor, size, wraps);
        }
      }),
      { numRuns: 400 },
    );
  });
});

function checkPicture(
  editor: TextEditor,
  { rows, columns }: { readonly rows: number; readonly columns: number },
  wraps: boolean,
): void {
  const picture = editor.viewModel();
  const { cursor } = picture;
  if (cursor === undefined) throw new Error('the cursor is not on the screen');
  expect(cursor.row).toBeGreaterThanOrEqual(0);
  expect(cursor.row).toBeLessThan(picture.rows.length);
  expect(cursor.column).toBeGreaterThanOrEqual(0);
  expect(cursor.column).toBeLessThan(columns);
  for (const row of picture.rows) expect(measure(textOf(row))).toBeLessThanOrEqual(columns);

  const { head } = editor.state.selection.main;
  const at = editor.state.doc.lineAt(head);
  const lines = editor.state.doc
    .toJSON()
    .map((line) => naiveRows(line, wraps ? columns : undefined));
  const before = lines.slice(0, at.number - 1).flat().length;
  const own = lines[at.number - 1] ?? [];
  // The row and the cell of the character that contains the cursor.
  const offset = head - at.from;
  const drawn = own.flat().findLast(({ from }) => from <= offset);
  const isEnd = offset === at.length;
  const inLine = isEnd ? own.length - 1 : own.findIndex((row) => drawn && row.includes(drawn));
  const last = own.at(-1)?.at(-1);
  const cell = isEnd ? (last ? last.cell + last.cells : 0) : (drawn?.cell ?? 0);
  const left = cell - cursor.column;
  expect(left).toBeGreaterThanOrEqual(0);
  if (wraps) expect(left).toBe(0);

  const { main } = editor.state.selection;
  const marksCuts = !wraps && columns >= 8;
  const all = lines.flatMap((lineRows, index) =>
    lineRows.map((row) => {
      const isLast = row === lineRows.at(-1);
      const line = editor.state.doc.line(index + 1);
      const [before, behind] = marksCuts ? cutEdges(row, left, columns) : [false, false];
      const seen = { from: left + (before ? 1 : 0), to: left + columns - (behind ? 1 : 0) };
      const end = isLast ? lineBreakOf(row, line, main, seen) : '';
      return `${before ? '…' : ''}${cut(row, seen)}${end}${behind ? '…' : ''}`;
    }),
  );
  const [isCutLeft, isCutRight] = cutEdges(own[inLine] ?? [], left, columns);
  if (marksCuts && isCutLeft) expect(cursor.column).toBeGreaterThan(0);
  if (marksCuts && isCutRight) expect(cursor.column).toBeLessThan(columns - 1);
  const top = before + inLine - cursor.row;
  expect(top).toBeGreaterThanOrEqual(0);
  expect(picture.rows.map(textOf)).toEqual(all.slice(top, top + rows));
  // No row stays empty while text precedes the top; two rows surround the cursor if possible.
  expect(picture.rows.length).toBe(Math.min(rows, all.length));
  const margin = Math.min(2, (rows - 1) >> 1);
  expect(cursor.row).toBeGreaterThanOrEqual(Math.min(margin, before + inLine));
  expect(picture.rows.length - 1 - cursor.row).toBeGreaterThanOrEqual(
    Math.min(margin, all.length - 1 - before - inLine),
  );
}
