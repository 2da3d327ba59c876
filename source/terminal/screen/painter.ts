import type { Area, RegionRows } from './screen-rows.ts';
import type { TextStyle } from './sgr.ts';

/** A position by column and row, from 0. */
export interface Cell {
  readonly x: number;
  readonly y: number;
}

/** A region whose rows are painted without Ink. */
export interface PaintedRegion {
  /**
   * Reports new rows. The newest ones are painted when the link has room, or with the next frame if
   * `urgent`, as the response to a key is.
   */
  reportChange(urgent?: boolean): void;
  /** Returns whether the rows of the last reading are all written; a slow link writes them in parts. */
  isWritten(): boolean;
  remove(): void;
}

/** Paints regions on the screen. */
export interface Painter {
  /** Paints `rows` through the holes of Ink's frame in `area`, first with the next frame. */
  paint(area: Area, rows: RegionRows): PaintedRegion;
  /** Shows the terminal's cursor, which input methods follow, on a cell; undefined hides it. */
  placeCursor(cell: Cell | undefined): void;
  /** Paints these colours wherever the terminal's own would show; undefined leaves its own. */
  setGround(style: TextStyle | undefined): void;
  /** Calls `action` once the terminal shows all changes so far; at once if it never answers. */
  afterShown(action: () => void): void;
}
