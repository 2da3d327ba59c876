import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type CellRow, parseRow } from '../../source/terminal/cell-row.ts';
import { cellWidth } from '../../source/terminal/cells.ts';
import { ShownScreen } from '../../source/terminal/screen-diff.ts';
import { ObservedTerminal } from '../e2e/harness-terminal.ts';
import { type Frame, frames } from './pictures.ts';

const traits = { synchronized: true, eraseCharacters: true };

/** All cells as text; of a blank only what is seen. */
function picture(terminal: ObservedTerminal, height: number): string[] {
  return Array.from({ length: height }, (_, y) =>
    Array.from({ length: terminal.cols }, (_cell, x) => {
      const { text, width, ...style } = terminal.cell(x, y);
      const blank = (text === '' || text === ' ') && width === 1;
      const shown = style.inverse || style.underline || style.strikethrough;
      if (blank && !shown) return `_${style.backgroundColor ?? ''}`;
      return `${blank ? '_' : text}${width}${Object.values(style).join()}`;
    }).join(' '),
  );
}

const introducer = '\x1b[';
const graphemes = new Intl.Segmenter();

/** Every row whole, each character placed by its own jump. */
function naive(rows: readonly string[], columns: number): string {
  let out = '\x1b[?7l\x1b[m\x1b[2J';
  rows.forEach((text, y) => {
    let x = 0;
    out += '\x1b[m';
    for (const [index, piece] of text.split(introducer).entries()) {
      const [sgr = ''] = index === 0 ? [] : (/^[\d;]*m/.exec(piece) ?? []);
      if (index > 0) out += introducer + sgr;
      for (const { segment } of graphemes.segment(piece.slice(sgr.length))) {
        const width = cellWidth(segment);
        if (width > 0 && x + width <= columns) out += `\x1b[${y + 1};${x + 1}H${segment}`;
        else if (width > 0 && x < columns) out += `\x1b[${y + 1};${x + 1}H `;
        x += width;
      }
    }
  });
  return out;
}

/** Draws the frames one after another, each compared with two other ways to draw it. */
async function follow(sequence: readonly Frame[], columns: number, rows: number): Promise<void> {
  const screen = new ShownScreen(columns, rows, traits);
  const terminal = new ObservedTerminal(columns, rows);
  const whole = new ObservedTerminal(columns, rows);
  const plain = new ObservedTerminal(columns, rows);
  let bytes = '\x1b[?1049h\x1b[31mleft\r\nover';
  for (const { rows: texts, budget, cursor, forgotten } of sequence) {
    const target: CellRow[] = texts.map((text) => parseRow(text, columns));
    if (forgotten) {
      bytes += '\x1b[2;5r\x1b[41m\x1b[2Jnoise\x1b[5;7Hmore\x0e\x1b[4h';
      screen.forget();
    }
    let slice = screen.draw(target, { budget, cursor });
    for (; !slice.complete; slice = screen.draw(target, { budget, cursor })) bytes += slice.bytes;
    const anew = new ShownScreen(columns, rows, traits).draw(target, { cursor });
    await Promise.all([
      terminal.write(bytes + slice.bytes),
      whole.write(`\x1bc${anew.bytes}`),
      plain.write(naive(texts, columns)),
    ]);
    bytes = '';
    const seen = picture(terminal, rows);
    expect(seen).toEqual(picture(whole, rows));
    expect(seen).toEqual(picture(plain, rows));
    expect(terminal.modes.cursorVisible).toBe(cursor.visible);
    if (cursor.visible) expect(terminal.cursor).toEqual({ x: cursor.x, y: cursor.y });
    expect(screen.draw(target, { cursor })).toEqual({ bytes: '', complete: true });
  }
  for (const each of [terminal, whole, plain]) each.dispose();
}

describe('the difference between two pictures', () => {
  test('shows what writing the whole picture anew shows', async () => {
    const sequences = fc.array(frames(40, 12, 10), { minLength: 10, maxLength: 10 });
    await fc.assert(
      fc.asyncProperty(sequences, async (some) => {
        await Promise.all(some.map((sequence) => follow(sequence, 40, 12)));
      }),
      { numRuns: 10, endOnFailure: true },
    );
  });
});
