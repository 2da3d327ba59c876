import { setImmediate as turn } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isWidthUncertain } from '../../../source/terminal/screen/width-ambiguity.ts';
import { type CellRow, fillHoles, parseRow } from '../../../source/terminal/screen/cell-row.ts';
import { ShownScreen } from '../../../source/terminal/screen/shown-screen.ts';
import { ObservedTerminal } from '../../e2e/harness-terminal.ts';
import { type Frame, frames } from './any-rows.ts';
import { type ReferenceCell, referenceRow, seenThrough, writeAll } from './reference-screen.ts';
import { hole } from '../../../source/terminal/screen/cell-parser.ts';

const modern = { hasSynchronizedOutput: true, canEraseCharacters: true, canMoveToColumn: true };
const old = { hasSynchronizedOutput: false, canEraseCharacters: false, canMoveToColumn: false };
const regionWidth = 20;

/** Returns all cells as text, blanks with their visible style only. */
function picture(terminal: ObservedTerminal, height: number): string[] {
  return Array.from({ length: height }, (_, y) => {
    let row = '';
    for (let x = 0; x < terminal.cols; x++) row += ` ${cellAt(terminal, x, y)}`;
    return row;
  });
}

function cellAt(terminal: ObservedTerminal, x: number, y: number): string {
  const { text, width, color, backgroundColor, ...style } = terminal.cell(x, y);
  const { bold, dim, italic, underline, inverse, strikethrough } = style;
  const isBlank = (text === '' || text === ' ') && width === 1;
  if (isBlank && !inverse && !underline && !strikethrough) return `_${backgroundColor ?? ''}`;
  const flags = [bold, dim, italic, underline, inverse, strikethrough].map(Number).join('');
  return `${isBlank ? '_' : text}${width}${color ?? ''}/${backgroundColor ?? ''}/${flags}`;
}

function targetOf(frame: Frame): CellRow[] {
  return frame.rows.map((text, y) => {
    const row = parseRow(text, frame.columns);
    if (frame.region === undefined) return row;
    const { left, rows } = frame.region;
    return fillHoles(row, left, parseRow(rows[y] ?? '', regionWidth));
  });
}

/** Returns the cells after `frame` on a screen that showed `before`. */
function expectedOf(frame: Frame, before: readonly ReferenceCell[][]): ReferenceCell[][] {
  return frame.rows.map((text, y) => {
    const row = referenceRow(text, frame.columns);
    const inner = referenceRow(frame.region?.rows[y] ?? '', regionWidth);
    const filled = frame.region === undefined ? row : seenThrough(row, inner, frame.region.left);
    return seenThrough(filled, before[y] ?? referenceRow('', frame.columns));
  });
}

/** Draws frames in as many slices as their budgets require. */
class Drawing {
  readonly #traits: typeof modern;
  readonly screen: ShownScreen;
  /** Cells that the screen should show. */
  expected: ReferenceCell[][] = [];

  constructor(columns: number, rows: number, traits: typeof modern) {
    this.#traits = traits;
    this.screen = new ShownScreen(columns, rows, traits);
  }

  /** @param resize resizes the terminal before the bytes are written to it. */
  frame(frame: Frame, resize: (columns: number, rows: number) => void): string {
    const { columns, height, budget, cursor, before } = frame;
    const target = targetOf(frame);
    let bytes = '';
    if (before === 'noise' || before === 'resize') {
      this.expected = [];
      if (before === 'resize') resize(columns, height);
      bytes += '\x1b[2;5r\x1b[41m\x1b[2Jnoise\x1b[5;7Hmore\x0e\x1b[4h';
      this.screen.invalidate(columns, height);
    }
    this.expected = expectedOf(frame, this.expected);
    if (before === 'foreign') {
      bytes += writeAll(this.expected);
      this.screen.adopt(this.expected.map((row) => parseRow(rowText(row), columns)));
    }
    let slice = this.screen.draw(target, { budget, cursor });
    for (; !slice.complete; slice = this.screen.draw(target, { budget, cursor })) {
      bytes += slice.bytes;
    }
    return bytes + slice.bytes;
  }

  anew({ columns, height, cursor }: Frame): string {
    const fresh = new ShownScreen(columns, height, this.#traits);
    return fresh.draw(
      this.expected.map((row) => parseRow(rowText(row), columns)),
      { cursor },
    ).bytes;
  }
}

function rowText(cells: readonly ReferenceCell[]): string {
  return cells.map(({ text, sgr }) => (text === '' ? '' : `\x1b[m${sgr}${text}`)).join('');
}

async function follow(
  sequence: readonly Frame[],
  columns: number,
  rows: number,
  traits: typeof modern,
): Promise<void> {
  const drawing = new Drawing(columns, rows, traits);
  const terminals = [0, 1, 2].map(() => new ObservedTerminal(columns, rows));
  const [terminal, whole, plain] = terminals;
  if (terminal === undefined || whole === undefined || plain === undefined) return;
  let bytes = '\x1b[31mleft\r\nover';
  for (const frame of sequence) {
    bytes += drawing.frame(frame, (...size) => terminals.forEach((each) => each.resize(...size)));
    await Promise.all([
      terminal.write(bytes),
      whole.write(`\x1bc${drawing.anew(frame)}`),
      plain.write(writeAll(drawing.expected)),
    ]);
    bytes = '';
    const { cursor, height } = frame;
    const seen = picture(terminal, height);
    expect(seen).toEqual(picture(whole, height));
    expect(seen).toEqual(picture(plain, height));
    expect(terminal.modes).toMatchObject({
      cursorVisible: cursor.visible,
      synchronizedOutput: false,
    });
    if (cursor.visible) expect(terminal.cursor).toEqual({ x: cursor.x, y: cursor.y });
    expect(drawing.screen.draw(targetOf(frame), { cursor })).toEqual({ bytes: '', complete: true });
  }
  for (const each of terminals) each.dispose();
}

/** Returns the columns of characters of uncertain width. */
function uncertainCells(row: readonly ReferenceCell[]): Set<number> {
  const columns = new Set<number>();
  row.forEach(({ text }, x) => {
    if (isWidthUncertain(text) || (text === '' && columns.has(x - 1))) columns.add(x);
  });
  return columns;
}

async function followDisagreeing(
  sequence: readonly Frame[],
  columns: number,
  rows: number,
): Promise<void> {
  const drawing = new Drawing(columns, rows, modern);
  const terminal = new ObservedTerminal(columns, rows, 'stock');
  const plain = new ObservedTerminal(columns, rows, 'stock');
  const resize = (...size: [number, number]): void => {
    for (const each of [terminal, plain]) each.resize(...size);
  };
  for (const frame of sequence) {
    const bytes = drawing.frame(
      { ...frame, before: frame.before === 'foreign' ? undefined : frame.before },
      resize,
    );
    const doubtful = drawing.expected.map(uncertainCells);
    const certain = drawing.expected.map((row, y) =>
      row.map((cell, x) => (doubtful[y]?.has(x) ? { text: ' ', sgr: '' } : cell)),
    );
    await Promise.all([terminal.write(bytes), plain.write(writeAll(certain))]);
    /** Only parts of the row's uncertain characters may differ, in any of their cells. */
    const at = (screen: ObservedTerminal): string[][] =>
      doubtful.map((unsure, y) => {
        const parts = Array.from(unsure, (x) => drawing.expected[y]?.[x]?.text).join('');
        return Array.from({ length: frame.columns }, (_, x) => {
          const points = Array.from(screen.cell(x, y).text);
          const isPart = points.every((point) => point === ' ' || parts.includes(point));
          return unsure.has(x) && isPart ? '?' : cellAt(screen, x, y);
        });
      });
    expect(at(terminal)).toEqual(at(plain));
  }
  for (const each of [terminal, plain]) each.dispose();
}

/** Several series at once, as a terminal processes output in its next turn of the event loop. */
function several(columns: number, rows: number, count: number): fc.Arbitrary<Frame[][]> {
  return fc.array(frames(columns, rows, 20), { minLength: count, maxLength: count });
}

describe('the difference between two frames', () => {
  test('results in the same cells as a full redraw', async () => {
    await fc.assert(
      fc.asyncProperty(several(32, 10, 10), fc.boolean(), async (some, isOld) => {
        await Promise.all(some.map((one) => follow(one, 32, 10, isOld ? old : modern)));
      }),
      { numRuns: 3, endOnFailure: true },
    );
  }, 120_000);

  test('results in the same cells as a full redraw on a large screen', async () => {
    await fc.assert(
      fc.asyncProperty(frames(200, 50, 12), (one) => follow(one, 200, 50, modern)),
      { numRuns: 2, endOnFailure: true },
    );
  });

  test('leaves no remains on a terminal with other character widths', async () => {
    await fc.assert(
      fc.asyncProperty(several(40, 12, 12), async (some) => {
        await Promise.all(some.map((one) => followDisagreeing(one, 40, 12)));
      }),
      { numRuns: 2, endOnFailure: true },
    );
  });
});

test('rows that once filled holes are not retained', async () => {
  setFlagsFromString('--expose-gc');
  const collect: unknown = runInNewContext('gc');
  const screen = new ShownScreen(10, 1, modern);
  const seen: WeakRef<CellRow>[] = [];
  for (let count = 0; count < 5000; count++) {
    const row = parseRow(`${count}`.padEnd(8) + hole.repeat(2), 10);
    if (count < 100) seen.push(new WeakRef(row));
    screen.draw([row]);
  }
  await turn();
  if (typeof collect === 'function') collect();
  expect(seen.filter((row) => row.deref() !== undefined)).toEqual([]);
});
