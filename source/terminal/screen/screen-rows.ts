import { type CellRow, fillHoles, parseRow, renderRow } from './cell-row.ts';
import type { StyledRow } from './cell-style.ts';
import type { TerminalSize } from './ink-stdout.ts';
import { hole } from './cell-parser.ts';

/** A rectangle of the screen, in cells from the top left corner. */
export interface Area {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/**
 * Returns the rows of a painted region as they are now. A row that is the same object has not
 * changed; missing ones are blank.
 */
export type RegionRows = () => readonly StyledRow[];

/**
 * Pending output of a region: none, its newest rows once the link has room (`flow`), the rest of rows
 * written in part, or rows for the next frame, after a key or a change of the layout.
 */
type Due = 'nothing' | 'flow' | 'rest' | 'urgent';

const blank: StyledRow = [];

/** A rectangle whose rows are shown through the holes of Ink's frame. */
class Region {
  readonly area: Area;
  readonly #rows: RegionRows;
  readonly #filled = new FilledRows();
  pending: Due = 'urgent';
  /** True after a change while older rows were still being written. */
  hasChangedAgain = false;
  /** Cells of the rows on the screen, or being written. */
  cells: readonly CellRow[] = [];
  /**
   * Cells of the current rows, as most rows only scroll. Older rows are dropped: the rows of a fast log
   * would otherwise survive garbage collections, and V8 would enlarge its heap each time.
   */
  #cellsByRow: ReadonlyMap<StyledRow, CellRow> = new Map();

  constructor(area: Area, rows: RegionRows) {
    this.area = area;
    this.#rows = rows;
  }

  /** Reads the current rows. */
  readRows(): void {
    const { width, height } = this.area;
    const rows = this.#rows();
    const cellsByRow = new Map<StyledRow, CellRow>();
    this.cells = Array.from({ length: height }, (_, y) => {
      const row = rows[y] ?? blank;
      const cells = cellsByRow.get(row) ?? this.#cellsByRow.get(row) ?? renderRow(row, width);
      cellsByRow.set(row, cells);
      return cells;
    });
    this.#cellsByRow = cellsByRow;
  }

  /** Returns row `y` of the screen with the region's rows in its holes. */
  fillRow(row: CellRow, y: number): CellRow {
    const index = y - this.area.top;
    const inner = this.cells[index];
    return inner === undefined ? row : this.#filled.fill(index, row, this.area.left, inner);
  }
}

export type { Region };

/**
 * Composes the rows that the terminal should show: Ink's frame, and the regions that show through its
 * holes. Only changes of log rows wait for room on the link (`flow`).
 */
export class ComposedScreen {
  #size: TerminalSize;
  #texts: readonly string[] = [];
  #rows: readonly CellRow[] = [];
  readonly #regions = new Set<Region>();
  /** Rows with new holes, where a box above a region has closed. */
  readonly #uncovered = new Set<number>();
  /** Areas of the regions at the last draw. */
  #places: string | undefined;
  /** True after a change other than of log rows since {@link urgentRows}. */
  #isHurried = true;

  constructor(size: TerminalSize) {
    this.#size = size;
  }

  /** True while log rows wait for room. */
  get flowing(): boolean {
    return [...this.#regions].some(({ pending }) => pending === 'flow' || pending === 'rest');
  }

  /** True when {@link chromeRows} and {@link urgentRows} may return new rows. */
  get hurried(): boolean {
    return this.#isHurried;
  }

  resize(size: TerminalSize): void {
    this.#size = size;
    this.#texts = [];
    this.#rows = [];
    this.invalidate();
  }

  /** Marks all rows as urgent, after the screen was cleared. */
  invalidate(): void {
    this.#places = undefined;
    this.#hurry();
  }

  /** Sets the frame of Ink. */
  setFrame(texts: readonly string[]): void {
    this.#isHurried = true;
    const before = { texts: this.#texts, rows: this.#rows };
    this.#rows = Array.from({ length: this.#size.rows }, (_, y) => {
      const text = texts[y] ?? '';
      const old = before.rows[y];
      if (old !== undefined && before.texts[y] === text) return old;
      const row = parseRow(text, this.#size.columns);
      if (hasNewHoles(old, row)) this.#uncovered.add(y);
      return row;
    });
    this.#texts = Array.from({ length: this.#size.rows }, (_, y) => texts[y] ?? '');
  }

  addRegion(area: Area, rows: RegionRows): Region {
    const region = new Region(area, rows);
    this.#regions.add(region);
    this.#isHurried = true;
    return region;
  }

  removeRegion(region: Region): void {
    this.#regions.delete(region);
    this.#isHurried = true;
  }

  /** Records new rows of a region, which may wait unless they are urgent. */
  markChanged(region: Region, urgent = false): void {
    if (urgent) {
      region.pending = 'urgent';
      this.#isHurried = true;
    }
    if (region.pending === 'nothing') region.pending = 'flow';
    else if (region.pending === 'rest') region.hasChangedAgain = true;
  }

  /**
   * Returns Ink's frame, with the former rows of regions where a box had covered them. Other holes
   * remain, as those cells do not change. Undefined after a change of the layout, when the former
   * cells under holes are of other regions.
   */
  chromeRows(): readonly CellRow[] | undefined {
    const places = [...this.#regions]
      .map(({ area }) => [area.left, area.top, area.width, area.height].join(' '))
      .join();
    const hasMoved = places !== this.#places;
    this.#places = places;
    if (hasMoved) this.#hurry();
    return hasMoved ? undefined : this.#filled(this.#regions, this.#uncovered);
  }

  /** Returns Ink's frame with the regions that have urgent changes. */
  urgentRows(): readonly CellRow[] {
    this.#uncovered.clear();
    this.#isHurried = false;
    const due = [...this.#regions].filter((region) => region.pending === 'urgent');
    for (const region of due) {
      region.readRows();
      region.pending = 'nothing';
      region.hasChangedAgain = false;
    }
    return this.#filled(due);
  }

  /** Returns all rows, including deferred ones. Rows written in part stay the same. */
  allRows(): readonly CellRow[] {
    for (const region of this.#regions) {
      if (region.pending !== 'flow') continue;
      region.readRows();
      region.pending = 'rest';
    }
    return this.#filled(this.#regions);
  }

  /** Returns whether the rows that a region has read last are all written. */
  isWritten({ pending }: Region): boolean {
    return pending !== 'rest';
  }

  /** Records that all rows of {@link allRows} have been written. */
  markFlowed(): void {
    for (const region of this.#regions) {
      if (region.pending !== 'rest') continue;
      region.pending = region.hasChangedAgain ? 'flow' : 'nothing';
      region.hasChangedAgain = false;
    }
  }

  #hurry(): void {
    this.#isHurried = true;
    for (const region of this.#regions) region.pending = 'urgent';
  }

  /** Returns Ink's frame with these regions, in all rows or only in some. */
  #filled(regions: Iterable<Region>, only?: ReadonlySet<number>): readonly CellRow[] {
    const rows = [...this.#rows];
    for (const region of regions) {
      const { top, height } = region.area;
      for (let y = Math.max(0, top); y < top + height; y++) {
        const row = rows[y];
        if (row === undefined || only?.has(y) === false) continue;
        rows[y] = region.fillRow(row, y);
      }
    }
    return rows;
  }
}

function hasNewHoles(before: CellRow | undefined, row: CellRow): boolean {
  if (!row.hasHoles) return false;
  return row.texts.some((text, x) => text === hole && before?.texts[x] !== hole);
}

interface FilledRow {
  readonly row: CellRow;
  readonly left: number;
  readonly inner: CellRow;
  readonly result: CellRow;
}

/** Caches the last row with filled holes at each place, as mostly the same rows are filled again. */
export class FilledRows {
  readonly #last: FilledRow[] = [];

  /** Fills the holes of the row at `place` as {@link fillHoles} does. */
  fill(place: number, row: CellRow, left: number, inner: CellRow): CellRow {
    if (!row.hasHoles) return row;
    const last = this.#last[place];
    if (last?.row === row && last.left === left && last.inner === inner) return last.result;
    const result = fillHoles(row, left, inner);
    this.#last[place] = { row, left, inner, result };
    return result;
  }
}
