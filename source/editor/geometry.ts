import type { ChangeSet, Text } from '@codemirror/state';
import type { CellLayout } from './cluster-walk.ts';
import { LineCells } from './line-cells.ts';

/** A row of the document: a line, or a row of a wrapped line. */
export interface DocumentRow {
  /** The line number, counted from 1. */
  readonly line: number;
  /** The row within the line, counted from 0. */
  readonly row: number;
}

const maxCachedLines = 1024;

/** Maps the lines of a document to cells and rows, lazily. */
export class Geometry {
  #doc: Text;
  #shape: CellLayout;
  #lines = new Map<number, LineCells>();

  constructor(doc: Text, shape: CellLayout) {
    this.#doc = doc;
    this.#shape = shape;
  }

  get shape(): CellLayout {
    return this.#shape;
  }

  setLayout(shape: CellLayout): void {
    this.#shape = shape;
    this.#lines.clear();
  }

  /** Applies a change of the document. Cached lines that it does not touch stay cached. */
  applyChange(doc: Text, changes: ChangeSet): void {
    const before = this.#doc;
    this.#doc = doc;
    const previousLines = this.#lines;
    this.#lines = new Map();
    let count = 0;
    changes.iterChangedRanges((fromA, toA) => {
      count += 1;
      if (count > 1) return;
      const first = before.lineAt(fromA);
      const last = before.lineAt(toA).number;
      const shift = doc.lines - before.lines;
      for (const [number, cells] of previousLines) {
        if (number < first.number) this.#lines.set(number, cells);
        else if (number > last) this.#lines.set(number + shift, cells);
        else if (number === first.number) {
          const { text } = doc.line(number);
          this.#lines.set(number, cells.withChange(text, fromA - first.from));
        }
      }
    });
    if (count > 1) this.#lines.clear();
  }

  /** Returns the cells of a line, counted from 1. */
  line(number: number): LineCells {
    let cells = this.#lines.get(number);
    if (cells === undefined) {
      if (this.#lines.size >= maxCachedLines) this.#lines.clear();
      cells = new LineCells(this.#doc.line(number).text, this.#shape);
      this.#lines.set(number, cells);
    }
    return cells;
  }

  /** Returns the row that contains a document position. */
  rowAt(position: number): DocumentRow {
    const { number, from } = this.#doc.lineAt(position);
    return { line: number, row: this.line(number).positionOf(position - from).row };
  }

  /** Returns the row `rows` below, or above when negative, clamped to the document. */
  step({ line, row }: DocumentRow, rows: number): DocumentRow {
    if (this.#shape.wrapWidth === undefined) {
      return { line: Math.max(1, Math.min(this.#doc.lines, line + rows)), row: 0 };
    }
    return rows < 0 ? this.#up(line, row, -rows) : this.#down(line, row, rows);
  }

  /** Returns how many rows `to` is below `from`. Past `limit` it may stop counting early. */
  distance(from: DocumentRow, to: DocumentRow, limit: number): number {
    if (this.#shape.wrapWidth === undefined) return to.line - from.line;
    let rows = -from.row;
    for (let line = from.line; line < to.line; line += 1) {
      if (rows > limit) return rows;
      rows += this.#rowsUpTo(line, limit - rows + 1);
    }
    return rows + to.row;
  }

  #rowsUpTo(line: number, limit: number): number {
    const cells = this.line(line);
    return cells.hasRow(limit) ? limit : cells.countRows();
  }

  #up(line: number, row: number, rows: number): DocumentRow {
    let above = row - rows;
    let number = line;
    while (above < 0 && number > 1) {
      number -= 1;
      above += this.line(number).countRows();
    }
    return { line: number, row: Math.max(0, above) };
  }

  #down(line: number, row: number, rows: number): DocumentRow {
    let number = line;
    let below = row + rows;
    while (!this.line(number).hasRow(below)) {
      const count = this.line(number).countRows();
      if (number === this.#doc.lines) return { line: number, row: count - 1 };
      below -= count;
      number += 1;
    }
    return { line: number, row: below };
  }
}

/** Returns true when row `a` precedes row `b`. */
export function isAbove(a: DocumentRow, b: DocumentRow): boolean {
  return a.line < b.line || (a.line === b.line && a.row < b.row);
}
