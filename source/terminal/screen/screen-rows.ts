import { type CellRow, hole, layRow, parseRow } from './cell-row.ts';
import type { StyledRow } from './cell-style.ts';
import { FilledRows } from './filled-rows.ts';
import type { Size } from './ink-stdout.ts';

/** A rectangle of the screen, in cells from its top left corner. */
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
 * What a region waits for: nothing, room on the link for its newest rows, the rest of rows that
 * went out in part, or nothing but the next frame, when a key or the layout changed it.
 */
type Due = 'nothing' | 'flow' | 'rest' | 'urgent';

const blank: StyledRow = [];

/** A rectangle whose rows are shown through the holes of Ink's frame. */
class Region {
  readonly area: Area;
  readonly #rows: RegionRows;
  readonly #filled = new FilledRows();
  due: Due = 'urgent';
  /** A change came while older rows were still going out. */
  again = false;
  /** The rows last taken: what is on the screen, or on its way. */
  cells: readonly CellRow[] = [];
  /**
   * The cells by their rows, for rows that scroll. Only the last picture is kept: with more of them,
   * the rows of a fast log would outlive collections of garbage, for which V8 makes more room each time.
   */
  #known: ReadonlyMap<StyledRow, CellRow> = new Map();

  constructor(area: Area, rows: RegionRows) {
    this.area = area;
    this.#rows = rows;
  }

  /** Takes the rows as they are now. */
  take(): void {
    const { width, height } = this.area;
    const rows = this.#rows();
    const known = new Map<StyledRow, CellRow>();
    this.cells = Array.from({ length: height }, (_, y) => {
      const row = rows[y] ?? blank;
      const cells = known.get(row) ?? this.#known.get(row) ?? layRow(row, width);
      known.set(row, cells);
      return cells;
    });
    this.#known = known;
  }

  /** Row `y` of the screen with the rows last taken in its holes. */
  through(row: CellRow, y: number): CellRow {
    const index = y - this.area.top;
    const inner = this.cells[index];
    return inner === undefined ? row : this.#filled.fill(index, row, this.area.left, inner);
  }
}

export type { Region };

/**
 * The picture that the terminal should show: Ink's frame, and the regions that show through its
 * holes. Changes of log rows wait for room on the link (`flow`), all else does not.
 */
export class ScreenPicture {
  #size: Size;
  #texts: readonly string[] = [];
  #rows: readonly CellRow[] = [];
  readonly #regions = new Set<Region>();
  /** Rows with holes where there were none: a box above a region is gone. */
  readonly #uncovered = new Set<number>();
  /** Where regions were when the picture was last drawn. */
  #places: string | undefined;
  /** Something else than log rows has changed since {@link urgent}. */
  #hurried = true;

  constructor(size: Size) {
    this.#size = size;
  }

  /** True when log rows wait for room. */
  get flowing(): boolean {
    return [...this.#regions].some(({ due }) => due === 'flow' || due === 'rest');
  }

  /** Whether {@link chrome} and {@link urgent} may give what is not shown yet. */
  get hurried(): boolean {
    return this.#hurried;
  }

  resize(size: Size): void {
    this.#size = size;
    this.#texts = [];
    this.#rows = [];
    this.renew();
  }

  /** Nothing of it is on the screen any more. */
  renew(): void {
    this.#places = undefined;
    this.#hurry();
  }

  /** Takes a frame of Ink. */
  frame(texts: readonly string[]): void {
    this.#hurried = true;
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

  add(area: Area, rows: RegionRows): Region {
    const region = new Region(area, rows);
    this.#regions.add(region);
    this.#hurried = true;
    return region;
  }

  remove(region: Region): void {
    this.#regions.delete(region);
    this.#hurried = true;
  }

  /** New rows are there, which may wait unless they are urgent. */
  changed(region: Region, urgent = false): void {
    if (urgent) {
      region.due = 'urgent';
      this.#hurried = true;
    }
    if (region.due === 'nothing') region.due = 'flow';
    else if (region.due === 'rest') region.again = true;
  }

  /**
   * Ink's frame, with what a box had covered as it was. The other holes stay: nothing changes there.
   * Undefined after a change of the layout: what stood in the holes before was something else.
   */
  chrome(): readonly CellRow[] | undefined {
    const places = [...this.#regions]
      .map(({ area }) => [area.left, area.top, area.width, area.height].join(' '))
      .join();
    const moved = places !== this.#places;
    this.#places = places;
    if (moved) this.#hurry();
    return moved ? undefined : this.#filled(this.#regions, this.#uncovered);
  }

  /** Ink's frame and the regions whose changes cannot wait. */
  urgent(): readonly CellRow[] {
    this.#uncovered.clear();
    this.#hurried = false;
    const due = [...this.#regions].filter((region) => region.due === 'urgent');
    for (const region of due) {
      region.take();
      region.due = 'nothing';
      region.again = false;
    }
    return this.#filled(due);
  }

  /** Everything, the rows that waited too. What has begun to go out goes on as it was. */
  whole(): readonly CellRow[] {
    for (const region of this.#regions) {
      if (region.due !== 'flow') continue;
      region.take();
      region.due = 'rest';
    }
    return this.#filled(this.#regions);
  }

  /** All of {@link whole} has gone out. */
  flowed(): void {
    for (const region of this.#regions) {
      if (region.due !== 'rest') continue;
      region.due = region.again ? 'flow' : 'nothing';
      region.again = false;
    }
  }

  #hurry(): void {
    this.#hurried = true;
    for (const region of this.#regions) region.due = 'urgent';
  }

  /** Ink's frame with the rows of these regions; only `which`, unless all. */
  #filled(regions: Iterable<Region>, which?: ReadonlySet<number>): readonly CellRow[] {
    const rows = [...this.#rows];
    for (const region of regions) {
      const { top, height } = region.area;
      for (let y = Math.max(0, top); y < top + height; y++) {
        const row = rows[y];
        if (row === undefined || which?.has(y) === false) continue;
        rows[y] = region.through(row, y);
      }
    }
    return rows;
  }
}

function hasNewHoles(before: CellRow | undefined, row: CellRow): boolean {
  if (!row.hasHoles) return false;
  return row.texts.some((text, x) => text === hole && before?.texts[x] !== hole);
}
