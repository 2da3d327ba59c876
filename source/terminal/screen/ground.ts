import { type CellRow, restyleRow } from './cell-row.ts';
import { blankStyle, type CellStyle, styleOver } from './cell-style.ts';
import type { TextStyle } from './sgr.ts';

/**
 * Text and background colours below all rows of a screen. They are part of each cell, because not
 * every terminal erases and scrolls in the current background.
 */
export class Ground {
  readonly #style: TextStyle;
  readonly #styles = new Map<CellStyle, CellStyle>();
  /** Painted rows by the rows without it, as most rows stay the same. */
  readonly #rows = new WeakMap<CellRow, CellRow>();

  constructor(style: TextStyle) {
    this.#style = style;
  }

  rows(rows: readonly CellRow[]): readonly CellRow[] {
    return rows.map((row) => {
      const known = this.#rows.get(row);
      if (known !== undefined) return known;
      const painted = restyleRow(row, (style, text) => {
        const over = this.#over(style);
        return text === ' ' ? blankStyle(over) : over;
      });
      this.#rows.set(row, painted);
      return painted;
    });
  }

  #over(style: CellStyle): CellStyle {
    let over = this.#styles.get(style);
    if (over === undefined) this.#styles.set(style, (over = styleOver(style, this.#style)));
    return over;
  }
}
