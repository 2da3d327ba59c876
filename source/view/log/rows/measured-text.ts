/** Finds the part of a long text that is drawn, so that not all of it is processed. */
import type { LineMatcher, TextSpan } from '../../../tail/query/log-query.ts';
import { bisect } from '../../../tail/arena/bisect.ts';
import { silentCodes } from '../../../tail/silent-codes.ts';
import { cellWidth } from '../../../terminal/screen/cells.ts';
import { Graphemes } from '../../../terminal/screen/graphemes.ts';
import { sanitize } from '../../../terminal/screen/sanitize.ts';

/** The place where a character of a text is drawn. */
export interface TextPoint {
  /** Offset of the character. */
  readonly from: number;
  /** Cells of the text before it, which tab stops count from. */
  readonly cells: number;
  readonly row: number;
  /** Cells before it in its row. */
  readonly column: number;
}

/** The rows that a text is drawn in. */
export interface TextRows {
  /** Cells of a row; infinite for a text that is not wrapped. */
  readonly width: number;
  /** Cells before the text in its first row. */
  readonly column: number;
}

/** A text without its silent codes. */
interface Stripped {
  readonly text: string;
  readonly codes: readonly TextSpan[];
  /** Characters of all codes up to each one. */
  readonly removed: readonly number[];
}

interface KnownMatch {
  readonly test: LineMatcher;
  readonly from: number;
  readonly match: TextSpan | undefined;
}

/** Characters of the longest text whose matches are found at once. */
const longLength = 8192;
/** Characters between two points. */
const pointDistance = 4096;
/** Code units in which a character around a point ends. */
const longestCharacter = 64;
/** Codes before a point that its colours are read from. */
const maxCarriedCodes = 64;
/** Characters that an expensive expression is given at once. */
const expensivePart = 65_536;

const ascii = /^[\x20-\x7e]*$/;
const graphemes = new Graphemes();

/** A text of which parts are drawn. Its points are measured as far as they are wanted, and kept. */
export class MeasuredText {
  readonly #text: string;
  #stripped: Stripped | undefined;
  #rows: TextRows | undefined;
  #points: TextPoint[] = [];
  /** The first match of the text, and the last one that was wanted behind an offset. */
  readonly #matches: (KnownMatch | undefined)[] = [];

  constructor(text: string) {
    this.#text = text;
  }

  get #plain(): Stripped {
    return (this.#stripped ??= strip(this.#text));
  }

  /** Returns the last point that `isBefore` holds for; the start of the text without any. */
  pointBefore(rows: TextRows, isBefore: (point: TextPoint) => boolean): TextPoint {
    if (this.#rows?.width !== rows.width || this.#rows.column !== rows.column) {
      this.#rows = rows;
      this.#points = [];
    }
    const points = this.#points;
    const start = { from: 0, cells: 0, row: 0, column: rows.column };
    if (points.length === 0) points.push(start);
    for (let last = points.at(-1); last !== undefined && isBefore(last); last = points.at(-1)) {
      const next = this.#pointAfter(last, rows);
      if (next === undefined) break;
      points.push(next);
    }
    const count = bisect(points.length, (at) => isBefore(points[at] ?? start));
    return points[count - 1] ?? start;
  }

  /** Returns the colour codes that hold at an offset. */
  coloursAt(offset: number): string {
    const { codes } = this.#plain;
    const before = bisect(codes.length, (at) => (codes[at]?.[0] ?? 0) < offset);
    return codes
      .slice(Math.max(0, before - maxCarriedCodes), before)
      .map(([from, to]) => this.#text.slice(from, to))
      .filter((code) => code.startsWith('\x1b['))
      .join('');
  }

  /** Returns the matches that overlap a part of the text. */
  marks(test: LineMatcher, from: number, to: number): readonly TextSpan[] {
    if (this.#text.length <= longLength)
      return test.spans(this.#text).filter(([first, end]) => first < to && end > from);
    const { text } = this.#plain;
    return test
      .spans(text, this.#plainOffset(from), this.#plainOffset(to))
      .map(([first, end]) => [this.#rawOffset(first, true), this.#rawOffset(end, false)]);
  }

  #plainOffset(offset: number): number {
    const { codes, removed } = this.#plain;
    const before = bisect(codes.length, (at) => (codes[at]?.[1] ?? 0) <= offset);
    const inside = Math.max(0, offset - (codes[before]?.[0] ?? offset));
    return offset - (removed[before - 1] ?? 0) - inside;
  }

  /** Returns the offset of a character of the plain text, or of the end behind the one before it. */
  #rawOffset(offset: number, isStart: boolean): number {
    const { codes, removed } = this.#plain;
    const before = bisect(codes.length, (at) => {
      const place = (codes[at]?.[0] ?? 0) - (removed[at - 1] ?? 0);
      return isStart ? place <= offset : place < offset;
    });
    return offset + (removed[before - 1] ?? 0);
  }

  /** Returns the first match that ends behind an offset. */
  matchBehind(test: LineMatcher, offset: number): TextSpan | undefined {
    const kind = offset === 0 ? 0 : 1;
    const known = this.#matches[kind];
    const isKnown = known?.test === test && known.from <= offset;
    if (isKnown && (known.match === undefined || known.match[1] > offset)) return known.match;
    const match = this.#findMatch(test, offset);
    this.#matches[kind] = { test, from: offset, match };
    return match;
  }

  #findMatch(test: LineMatcher, offset: number): TextSpan | undefined {
    const step = test.isCheap ? Number.POSITIVE_INFINITY : expensivePart;
    for (let from = offset; from < this.#text.length; from += step) {
      const [match] = this.marks(test, from, from + step);
      if (match !== undefined) return match;
    }
    return undefined;
  }

  #pointAfter(point: TextPoint, { width }: TextRows): TextPoint | undefined {
    const from = this.#boundary(point.from + pointDistance);
    if (from === undefined) return undefined;
    const [first, end] = [this.#plainOffset(point.from), this.#plainOffset(from)];
    const text = sanitize(this.#plain.text.slice(first, end), { column: point.cells });
    const cells = point.cells + cellWidth(text);
    if (width === Number.POSITIVE_INFINITY)
      return { from, cells, row: 0, column: point.column + cells - point.cells };
    if (ascii.test(text)) {
      const total = point.column + text.length;
      const rows = Math.max(0, Math.ceil(total / width) - 1);
      return { from, cells, row: point.row + rows, column: total - rows * width };
    }
    let { row, column } = point;
    for (const { segment } of graphemes.segment(text)) {
      const wanted = cellWidth(segment);
      if (column + wanted > width) {
        row += 1;
        column = 0;
      }
      column += wanted;
    }
    return { from, cells, row, column };
  }

  /** Returns the start of the character, or the end of the silent code, at an offset; undefined at the end. */
  #boundary(offset: number): number | undefined {
    const text = this.#text;
    if (offset + longestCharacter >= text.length) return undefined;
    const { codes } = this.#plain;
    const code = codes[bisect(codes.length, (at) => (codes[at]?.[1] ?? 0) <= offset)];
    if (code !== undefined && code[0] < offset) return code[1];
    const start = offset - longestCharacter;
    const around = graphemes.segment(text.slice(start, offset + longestCharacter));
    return start + (around.containing(longestCharacter)?.index ?? longestCharacter);
  }
}

function strip(text: string): Stripped {
  const codes = silentCodes(text);
  const parts: string[] = [];
  const removed: number[] = [];
  let at = 0;
  let length = 0;
  for (const [from, to] of codes) {
    parts.push(text.slice(at, from));
    length += to - from;
    removed.push(length);
    at = to;
  }
  return { text: codes.length === 0 ? text : parts.join('') + text.slice(at), codes, removed };
}
