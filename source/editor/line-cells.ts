import { ClusterWalk, type LineShape } from './cluster-walk.ts';
import { clusterEnd, isClusterStart } from './glyphs.ts';

/** Code units between two remembered places of a line that does not wrap. */
const markDistance = 512;

/** Code units before a change in which a cluster may be another one than before. */
const changeReach = 128;

interface Mark {
  readonly offset: number;
  readonly cell: number;
}

export interface CellPlace {
  readonly row: number;
  readonly cell: number;
}

/**
 * Where the characters of one line stand. Nothing is walked before it is asked for, nor twice: of a
 * long line, places on the way are remembered (where it wraps, the beginnings of its rows).
 */
export class LineCells {
  readonly text: string;
  readonly #shape: LineShape;
  /** In order. Where lines wrap, that of each row at its index. */
  readonly #marks: Mark[];
  #complete = false;

  constructor(text: string, shape: LineShape, marks: readonly Mark[] = [{ offset: 0, cell: 0 }]) {
    this.text = text;
    this.#shape = shape;
    this.#marks = [...marks];
  }

  /** The same line with another text from an offset on. */
  changed(text: string, from: number): LineCells {
    const kept = this.#marks.filter(({ offset }) => offset + changeReach <= from);
    return new LineCells(text, this.#shape, kept.length > 0 ? kept : undefined);
  }

  /** The place of the cluster at or around an offset; at the line's end, of the next character. */
  placeOf(offset: number): CellPlace {
    const { row, cell } = this.#clusterAt(offset);
    return { row, cell };
  }

  /** Where the cluster at or around an offset begins. */
  startOf(offset: number): number {
    return this.#clusterAt(offset).offset;
  }

  /** Cells of the cluster at or around an offset; none at the line's end. */
  cellsAt(offset: number): number {
    return this.#clusterAt(offset).cells;
  }

  /** Where the cluster after the one at or around an offset begins; the line's end at most. */
  after(offset: number): number {
    return isClusterStart(this.text, offset)
      ? clusterEnd(this.text, offset)
      : this.#clusterAt(offset).end;
  }

  /** Where the cluster before an offset begins; the line's start at least. */
  before(offset: number): number {
    if (offset <= 1) return 0;
    return isClusterStart(this.text, offset - 1) ? offset - 1 : this.#clusterAt(offset - 1).offset;
  }

  /** The offset of the cluster that covers a cell of a row, or of the last one of a shorter row. */
  offsetAt(row: number, cell: number): number {
    const walk = this.walkFrom(row, cell);
    let last = walk.offset;
    while (!walk.atEnd && walk.row === row && walk.cell + walk.cells <= cell) {
      last = walk.offset;
      walk.advance();
    }
    return walk.row === row ? walk.offset : last;
  }

  /** A walk that has not passed a cell of a row: it may stand before it. */
  walkFrom(row: number, cell: number): ClusterWalk {
    if (this.#shape.wrapAt !== undefined) {
      while (!this.#complete && this.#marks.length <= row) this.#extend();
      return this.#walk(Math.min(row, this.#marks.length - 1));
    }
    while (!this.#complete && this.#last().cell <= cell) this.#extend();
    return this.#walk(this.#lastIndex((mark) => mark.cell < cell));
  }

  /** Whether the line has such a row; the first is 0. */
  hasRow(row: number): boolean {
    if (this.#shape.wrapAt === undefined) return row === 0;
    while (!this.#complete && this.#marks.length <= row) this.#extend();
    return row < this.#marks.length;
  }

  /** How many rows the line takes. Walks the whole line, once. */
  rows(): number {
    if (this.#shape.wrapAt === undefined) return 1;
    while (!this.#complete) this.#extend();
    return this.#marks.length;
  }

  #clusterAt(offset: number): ClusterWalk {
    const wanted = Math.min(offset, this.text.length);
    while (!this.#complete && this.#last().offset <= wanted) this.#extend();
    const walk = this.#walk(this.#lastIndex((mark) => mark.offset <= wanted));
    while (!walk.atEnd && walk.end <= wanted) walk.advance();
    return walk;
  }

  #last(): Mark {
    return this.#marks.at(-1) ?? { offset: 0, cell: 0 };
  }

  #walk(index: number): ClusterWalk {
    const { offset, cell } = this.#marks[index] ?? { offset: 0, cell: 0 };
    const row = this.#shape.wrapAt === undefined ? 0 : index;
    return new ClusterWalk(this.text, this.#shape, offset, row, cell);
  }

  /** The last of the marks that are so; marks that are so come before the others. */
  #lastIndex(isSo: (mark: Mark) => boolean): number {
    let low = 0;
    let high = this.#marks.length;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      const mark = this.#marks[middle];
      if (mark !== undefined && isSo(mark)) low = middle;
      else high = middle;
    }
    return low;
  }

  /** Finds one more mark, or the line's end. */
  #extend(): void {
    const index = this.#marks.length - 1;
    const walk = this.#walk(index);
    const { offset, row } = walk;
    const isMark = (): boolean =>
      this.#shape.wrapAt === undefined ? walk.offset - offset >= markDistance : walk.row > row;
    while (!walk.atEnd && !isMark()) walk.advance();
    if (isMark()) this.#marks.push({ offset: walk.offset, cell: walk.cell });
    else this.#complete = true;
    if (walk.atEnd) this.#complete = true;
  }
}
