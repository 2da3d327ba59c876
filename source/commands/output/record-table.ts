/** Lays records out as an aligned table for a terminal, or as TSV for a pipe. Pure. */
import { cellWidth, padCells, truncateCells } from '../../terminal/screen/cells.ts';
import { sanitize } from '../../terminal/screen/sanitize.ts';
import type { RecordDetail, RecordColumn } from './record-view.ts';

/** Blank cells between two columns. */
const gap = 2;

/** Least cells of a column that was cut. */
const leastWidth = 8;

/**
 * Returns the lines of a table with a header, at most `width` cells wide where columns can be cut or left
 * out. A column without a value in any row is left out; a missing value is `-`.
 */
export function tableLines<T>(
  records: readonly T[],
  columns: readonly RecordColumn<T>[],
  width: number,
  now: number,
): readonly string[] {
  const all = columns
    .map((column) => ({ column, texts: records.map((record) => shownCell(column, record, now)) }))
    .filter(({ texts }) => texts.some((text) => text !== undefined))
    .map(({ column, texts: told }) => {
      const texts = told.map((text) => text ?? '-');
      const wanted = Math.max(cellWidth(column.title), ...texts.map(cellWidth));
      const shortest = Math.max(leastWidth, column.title.length);
      return { column, texts, wanted, least: column.isShrinkable === true ? shortest : undefined };
    });
  let cells = all;
  let widths = fitWidths(cells, roomFor(cells.length, width));
  while (sumOf(widths) > roomFor(cells.length, width)) {
    const dropped = cells.findLast(({ column }) => column.isOptional === true);
    if (dropped === undefined) break;
    cells = cells.filter((cell) => cell !== dropped);
    widths = fitWidths(cells, roomFor(cells.length, width));
  }
  const line = (textOf: (at: number) => string) =>
    cells
      .map(({ column }, at) => {
        const room = widths[at] ?? 0;
        return padCells(truncateCells(textOf(at), room), room, column.align);
      })
      .join(' '.repeat(gap))
      .trimEnd();
  return [
    line((at) => cells[at]?.column.title ?? ''),
    ...records.map((_, row) => line((at) => cells[at]?.texts[row] ?? '')),
  ];
}

/** Returns the cells that columns have beside the gaps between them. */
function roomFor(columns: number, width: number): number {
  return width - gap * Math.max(0, columns - 1);
}

function sumOf(widths: readonly number[]): number {
  return widths.reduce((sum, each) => sum + each, 0);
}

function shownCell<T>(column: RecordColumn<T>, record: T, now: number): string | undefined {
  const text = (column.shown ?? column.value)(record, now);
  return text === undefined || text === '' ? undefined : sanitize(text, { tab: 'visible' });
}

interface WantedWidth {
  readonly wanted: number;
  /** Least width of a column that may be cut; undefined for one that must not. */
  readonly least: number | undefined;
}

/** Returns the widths of columns, the widest cut first until all fit `room` or nothing can be cut. */
export function fitWidths(columns: readonly WantedWidth[], room: number): readonly number[] {
  const widths = columns.map(({ wanted }) => wanted);
  let excess = sumOf(widths) - room;
  while (excess > 0) {
    let widestAt = -1;
    for (const [at, { least }] of columns.entries()) {
      const width = widths[at] ?? 0;
      if (least !== undefined && width > least && width > (widths[widestAt] ?? 0)) widestAt = at;
    }
    if (widestAt === -1) break;
    widths[widestAt] = (widths[widestAt] ?? 0) - 1;
    excess -= 1;
  }
  return widths;
}

/** Returns one line a record with its values between tabs, all columns, without a header. */
export function tsvLines<T>(
  records: readonly T[],
  columns: readonly RecordColumn<T>[],
): readonly string[] {
  return records.map((record) =>
    columns.map(({ value }) => tsvCell(value(record) ?? '')).join('\t'),
  );
}

const named: Readonly<Record<string, string>> = {
  '\t': '\\t',
  '\n': '\\n',
  '\r': '\\r',
  '\\': '\\\\',
};

/** Returns a value as a cell of TSV: tabs, line ends, backslashes and other controls are escaped. */
export function tsvCell(text: string): string {
  // oxlint-disable-next-line no-control-regex -- Controls are what is escaped.
  return text.replaceAll(/[\u0000-\u001f\u007f-\u009f\\]/g, (character) => {
    const code = character.charCodeAt(0).toString(16).padStart(2, '0');
    return named[character] ?? `\\x${code}`;
  });
}

/** Returns the rows of a single record for a terminal; a row without a value is left out. */
export function detailLines(rows: readonly RecordDetail[]): readonly string[] {
  const known = rows.flatMap(({ title, value, shown = value }) =>
    shown === undefined || shown === '' ? [] : [{ title, text: sanitize(shown) }],
  );
  const first = Math.max(0, ...known.map(({ title }) => cellWidth(sanitize(title)))) + gap;
  return known.map(({ title, text }) => `${padCells(sanitize(title), first)}${text}`);
}

/** Returns the rows of a single record for a pipe: titles in lower case and values, between tabs. */
export function detailTsvLines(rows: readonly RecordDetail[]): readonly string[] {
  return rows.flatMap(({ title, value }) =>
    value === undefined ? [] : [`${tsvCell(title.toLowerCase())}\t${tsvCell(value)}`],
  );
}
