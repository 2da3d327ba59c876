import type { ChangeSet, Text } from '@codemirror/state';
import { type CellLayout, ClusterCursor } from './cluster-walk.ts';
import { findClusterEnd, isClusterStart } from './glyphs.ts';

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

/** Code units between two checkpoints of a line that does not wrap. */
const checkpointInterval = 512;

/** Code units before a change within which cluster boundaries may shift. */
const maxClusterReach = 128;

interface Checkpoint {
  readonly offset: number;
  readonly cell: number;
}

interface CellPosition {
  readonly row: number;
  readonly cell: number;
}

/**
 * Maps the characters of one line to cells, lazily. Checkpoints along a long line, or the row
 * starts of a wrapped one, keep any part from being walked twice.
 */
class LineCells {
  readonly text: string;
  readonly #shape: CellLayout;
  /** In order. For a wrapped line, the checkpoint at index n starts row n. */
  readonly #checkpoints: Checkpoint[];
  #isComplete = false;

  constructor(
    text: string,
    shape: CellLayout,
    checkpoints: readonly Checkpoint[] = [{ offset: 0, cell: 0 }],
  ) {
    this.text = text;
    this.#shape = shape;
    this.#checkpoints = [...checkpoints];
  }

  /** Returns the cells of the line after its text changed from an offset on. */
  withChange(text: string, from: number): LineCells {
    const unaffected = this.#checkpoints.filter(({ offset }) => offset + maxClusterReach <= from);
    return new LineCells(text, this.#shape, unaffected.length > 0 ? unaffected : undefined);
  }

  /**
   * Returns the cell position of the cluster that contains an offset; at the line's end, the
   * position of the next character.
   */
  positionOf(offset: number): CellPosition {
    const { row, cell } = this.#clusterAt(offset);
    return { row, cell };
  }

  /** Returns the cells of the cluster that contains an offset; 0 at the line's end. */
  widthAt(offset: number): number {
    return this.#clusterAt(offset).cells;
  }

  /** Returns the start of the next cluster; at most the line's end. */
  nextOffset(offset: number): number {
    return isClusterStart(this.text, offset)
      ? findClusterEnd(this.text, offset)
      : this.#clusterAt(offset).end;
  }

  /** Returns the start of the cluster before an offset; at least 0. */
  previousOffset(offset: number): number {
    if (offset <= 1) return 0;
    return isClusterStart(this.text, offset - 1) ? offset - 1 : this.#clusterAt(offset - 1).offset;
  }

  /** Returns the offset of the cluster at a cell of a row; of the last cluster in a shorter row. */
  offsetAt(row: number, cell: number): number {
    const walk = this.walkFrom(row, cell);
    let last = walk.offset;
    while (!walk.atEnd && walk.row === row && walk.cell + walk.cells <= cell) {
      last = walk.offset;
      walk.advance();
    }
    return walk.row === row ? walk.offset : last;
  }

  /** Returns a walk at or before a cell of a row. */
  walkFrom(row: number, cell: number): ClusterCursor {
    if (this.#shape.wrapWidth !== undefined) {
      while (!this.#isComplete && this.#checkpoints.length <= row) this.#addCheckpoint();
      return this.#walk(Math.min(row, this.#checkpoints.length - 1));
    }
    while (!this.#isComplete && this.#lastCheckpoint().cell <= cell) this.#addCheckpoint();
    return this.#walk(this.#lastIndex((checkpoint) => checkpoint.cell < cell));
  }

  /** Returns true when the line has a row with this index; the first is 0. */
  hasRow(row: number): boolean {
    if (this.#shape.wrapWidth === undefined) return row === 0;
    while (!this.#isComplete && this.#checkpoints.length <= row) this.#addCheckpoint();
    return row < this.#checkpoints.length;
  }

  /** Returns the rows of the line. The first call walks the whole line. */
  countRows(): number {
    if (this.#shape.wrapWidth === undefined) return 1;
    while (!this.#isComplete) this.#addCheckpoint();
    return this.#checkpoints.length;
  }

  #clusterAt(offset: number): ClusterCursor {
    const target = Math.min(offset, this.text.length);
    while (!this.#isComplete && this.#lastCheckpoint().offset <= target) this.#addCheckpoint();
    const walk = this.#walk(this.#lastIndex((checkpoint) => checkpoint.offset <= target));
    while (!walk.atEnd && walk.end <= target) walk.advance();
    return walk;
  }

  #lastCheckpoint(): Checkpoint {
    return this.#checkpoints.at(-1) ?? { offset: 0, cell: 0 };
  }

  #walk(index: number): ClusterCursor {
    const { offset, cell } = this.#checkpoints[index] ?? { offset: 0, cell: 0 };
    const row = this.#shape.wrapWidth === undefined ? 0 : index;
    return new ClusterCursor(this.text, this.#shape, offset, row, cell);
  }

  /**
   * Returns the index of the last checkpoint that passes a monotonic test: after the first failure
   * all others fail too.
   */
  #lastIndex(isBefore: (checkpoint: Checkpoint) => boolean): number {
    let low = 0;
    let high = this.#checkpoints.length;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      const checkpoint = this.#checkpoints[middle];
      if (checkpoint !== undefined && isBefore(checkpoint)) low = middle;
      else high = middle;
    }
    return low;
  }

  /** Walks to the next checkpoint or to the line's end. */
  #addCheckpoint(): void {
    const index = this.#checkpoints.length - 1;
    const walk = this.#walk(index);
    const { offset, row } = walk;
    const isAtCheckpoint = (): boolean =>
      this.#shape.wrapWidth === undefined
        ? walk.offset - offset >= checkpointInterval
        : walk.row > row;
    while (!walk.atEnd && !isAtCheckpoint()) walk.advance();
    if (isAtCheckpoint()) this.#checkpoints.push({ offset: walk.offset, cell: walk.cell });
    else this.#isComplete = true;
    if (walk.atEnd) this.#isComplete = true;
  }
}
