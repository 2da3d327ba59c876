/** Sizes of boxes: a frame over the middle of the screen, or a sheet on a small terminal. */

/** Smallest terminal that shows frames; in a smaller one they would cut their text. */
const smallestFrame = { columns: 60, rows: 16 };

/** Maximum width of a frame in cells. */
const widest = 64;

/** Cells of a frame beside its text: an edge and a blank on each side. */
const frameSides = 4;

/** Rows of the screen that a frame leaves free, and its two edges. */
const frameChrome = 4;

/** Rows of the screen beside the text of a sheet: row 1, the title and the keys. */
const sheetChrome = 3;

/** Form and size of a box. */
export interface BoxShape {
  /** True for a sheet: all rows but the first, without sides. */
  readonly isSheet: boolean;
  /** Width in cells, sides included. */
  readonly width: number;
  /** Cells of a row of text. */
  readonly inner: number;
  /** Maximum rows between title and keys. */
  readonly room: number;
}

/** Returns the shape of a box in a terminal of this size. */
export function boxShape(columns: number, rows: number): BoxShape {
  if (columns < smallestFrame.columns || rows < smallestFrame.rows) {
    return { isSheet: true, width: columns, inner: columns, room: rows - sheetChrome };
  }
  const width = Math.min(widest, columns - 2);
  return { isSheet: false, width, inner: width - frameSides, room: rows - frameChrome };
}

/** Position and height of a box on the screen, and the column of its text. */
export interface BoxPlace {
  readonly left: number;
  readonly top: number;
  readonly height: number;
  readonly textLeft: number;
}

/** Returns the place of a box with `inside` rows between title and keys. */
export function boxPlace(columns: number, rows: number, inside: number): BoxPlace {
  const { isSheet, width, room } = boxShape(columns, rows);
  if (isSheet) return { left: 0, top: 1, height: rows - 1, textLeft: 0 };
  const height = Math.min(inside, room) + 2;
  const left = Math.floor((columns - width) / 2);
  const top = Math.max(1, Math.floor((rows - height) / 2));
  return { left, top, height, textLeft: left + frameSides / 2 };
}
