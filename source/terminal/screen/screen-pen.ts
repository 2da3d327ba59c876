import { isWidthUncertain, maxCells } from './width-ambiguity.ts';
import { type CellRow, characterCells } from './cell-row.ts';
import { blankStyle, type CellStyle, encodeStyleChange, encodeStyle } from './cell-style.ts';

/** Features that not every terminal has. */
export interface ScreenTraits {
  /** Synchronized output (private mode 2026). */
  readonly hasSynchronizedOutput: boolean;
  /** `CSI n X`, erase characters (ECH). */
  readonly canEraseCharacters: boolean;
  /** `CSI n G`, to a column of the row (CHA). */
  readonly canMoveToColumn: boolean;
}

/** An unknown coordinate. */
const unknown = -1;

/**
 * Produces the output for a terminal, and tracks the cursor's position and the style. Uses sequences
 * of ECMA-48 and xterm's ctlseqs that the Linux console has too. A row must be written from left to
 * right.
 */
export class Pen {
  readonly #columns: number;
  readonly #traits: ScreenTraits;
  #bytes = '';
  #x = unknown;
  #y = unknown;
  #style: CellStyle | undefined;
  #isCursorVisible: boolean | undefined;

  constructor(columns: number, traits: ScreenTraits) {
    this.#columns = columns;
    this.#traits = traits;
  }

  /** Length in UTF-16 units of the output not yet taken. */
  get length(): number {
    return this.#bytes.length;
  }

  /** Returns the output since the last call. */
  takeOutput(): string {
    const bytes = this.#bytes;
    this.#bytes = '';
    return bytes;
  }

  write(bytes: string): void {
    this.#bytes += bytes;
  }

  /** Marks the cursor's position as unknown. */
  forgetPosition(): void {
    this.#x = unknown;
    this.#y = unknown;
  }

  setCursor(x: number, y: number, visible: boolean): void {
    if (visible) this.moveTo(x, y);
    if (visible === this.#isCursorVisible) return;
    this.#bytes += visible ? '\x1b[?25h' : '\x1b[?25l';
    this.#isCursorVisible = visible;
  }

  setStyle(style: CellStyle): void {
    this.#bytes +=
      this.#style === undefined ? encodeStyle(style) : encodeStyleChange(this.#style, style);
    this.#style = style;
  }

  moveTo(x: number, y: number): void {
    this.#bytes += this.#jump(x, y);
    this.#x = x;
    this.#y = y;
  }

  /**
   * Moves on along the row that is being written, over cells that need no change: by a jump, or by
   * writing them once more where that is shorter. The style will next be that at `x`.
   */
  skipTo(row: CellRow, x: number, y: number): void {
    if (this.#y === y && this.#x === x) return;
    const jump = this.#jump(x, y);
    const rewritten =
      this.#y === y && this.#x >= 0 && this.#x < x ? this.#rewrite(row, x, jump.length) : undefined;
    if (rewritten === undefined) {
      this.moveTo(x, y);
      return;
    }
    this.#bytes += rewritten.bytes;
    this.#style = rewritten.style;
    this.#x = x;
  }

  /** Writes the character at `x` of the row, at the cursor; returns its number of cells. */
  writeCharacter(row: CellRow, x: number): number {
    const text = row.texts[x] ?? ' ';
    const style = row.styles[x] ?? 0;
    if (this.#style === undefined || text !== ' ' || blankStyle(this.#style) !== style) {
      if (style !== this.#style) this.setStyle(style);
    }
    const hasUncertainWidth = isWidthUncertain(text);
    // Without line wrap (DECAWM), a character that is wider than expected stays in its row.
    if (hasUncertainWidth && x + maxCells(text) > this.#columns) this.#bytes += '\x1b[?7l';
    this.#bytes += text;
    const cells = characterCells(row.texts, x);
    this.#x = hasUncertainWidth ? unknown : x + cells;
    // After the last column, some terminals have a pending wrap and others none.
    if (x + cells >= this.#columns) this.forgetPosition();
    return cells;
  }

  /** Blanks the rest of the row in the plain style. */
  eraseRest(): void {
    if (blankStyle(this.#style ?? 0) !== 0 || this.#style === undefined) this.setStyle(0);
    this.#bytes += '\x1b[K';
  }

  /**
   * Blanks cells from the cursor on in the plain style if that takes fewer bytes than spaces; returns
   * whether it did.
   */
  eraseCells(count: number): boolean {
    const bytes = `\x1b[${count}X`;
    const next = `\x1b[${count}C`;
    if (!this.#traits.canEraseCharacters || bytes.length + next.length >= count) return false;
    if (blankStyle(this.#style ?? 0) !== 0 || this.#style === undefined) this.setStyle(0);
    this.#bytes += bytes;
    return true;
  }

  /** Scrolls the rows from `top` to `bottom` up by `rows`, or down if negative; adds blank rows. */
  scroll(top: number, bottom: number, rows: number): void {
    this.setStyle(0);
    this.#bytes += `\x1b[${top + 1};${bottom + 1}r`;
    // Column 0, because a line feed may be sent as CR LF. Setting margins homes the cursor.
    this.#x = 0;
    this.#y = 0;
    if (rows > 0) this.#bytes += `\x1b[${bottom + 1}H${'\n'.repeat(rows)}`;
    else this.#bytes += `${top === 0 ? '' : `\x1b[${top + 1}H`}${'\x1bM'.repeat(-rows)}`;
    this.#bytes += '\x1b[r';
  }

  #jump(x: number, y: number): string {
    if (this.#y === y && this.#x === x) return '';
    const column = x === 0 ? '' : `;${x + 1}`;
    const row = y === 0 ? '' : `${y + 1}`;
    let best = `\x1b[${row}${column}H`;
    const offer = (other: string): void => {
      if (other.length < best.length) best = other;
    };
    if (this.#y === y) {
      if (this.#traits.canMoveToColumn) offer(`\x1b[${x === 0 ? '' : x + 1}G`);
      if (this.#x >= 0 && x > this.#x) offer(relative(x - this.#x, 'C'));
      if (this.#x > x) offer(relative(this.#x - x, 'D'));
    } else if (this.#x === x && this.#y >= 0) {
      offer(y > this.#y ? relative(y - this.#y, 'B') : relative(this.#y - y, 'A'));
    }
    return best;
  }

  /** Returns the cells from the cursor to `x` as output, if that costs fewer bytes than a jump. */
  #rewrite(row: CellRow, x: number, jump: number): { bytes: string; style: CellStyle } | undefined {
    if (this.#style === undefined || x - this.#x > 16) return undefined;
    // A cursor that was placed for input may be on the second half of a wide character.
    if (row.texts[this.#x] === '') return undefined;
    const next = row.styles[x] ?? 0;
    const limit = jump + styleCost(this.#style, row, x);
    let style = this.#style;
    let bytes = '';
    let cost = 0;
    for (let at = this.#x; at < x; at++) {
      const text = row.texts[at] ?? ' ';
      if (isWidthUncertain(text)) return undefined;
      const wanted = row.styles[at] ?? 0;
      if (text !== ' ' || blankStyle(style) !== wanted) {
        const change = encodeStyleChange(style, wanted);
        bytes += change;
        cost += change.length;
        style = wanted;
      }
      bytes += text;
      cost += byteLength(text);
      if (cost > limit) return undefined;
    }
    if (row.texts[x] !== ' ' || blankStyle(style) !== next)
      cost += encodeStyleChange(style, next).length;
    return cost < limit ? { bytes, style } : undefined;
  }
}

function styleCost(style: CellStyle, row: CellRow, x: number): number {
  const wanted = row.styles[x] ?? 0;
  if (row.texts[x] === ' ' && blankStyle(style) === wanted) return 0;
  return encodeStyleChange(style, wanted).length;
}

function relative(count: number, final: string): string {
  return `\x1b[${count === 1 ? '' : count}${final}`;
}

/** Returns the UTF-8 bytes of a character of one UTF-16 unit, or of an empty text. */
function byteLength(text: string): number {
  const code = text.charCodeAt(0);
  if (Number.isNaN(code)) return 0;
  return code < 0x80 ? 1 : code < 0x800 ? 2 : 3;
}
