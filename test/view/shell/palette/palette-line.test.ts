import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { fitLine, lineWidth } from '../../../../source/view/text/fit.ts';
import {
  markedColumn,
  paletteLine,
  paletteLines,
} from '../../../../source/view/shell/palette/palette-line.ts';
import type { Line } from '../../../../source/view/text/line.ts';
import { codePoint } from '../../../support/code-point.ts';

const textOf = (line: Line) => line.map(({ text }) => text).join('');
const row = {
  id: 'close 1',
  name: 'close shop',
  isCommand: true,
  explanation: 'deployment',
  key: 'X',
  run() {},
};

test('a row has its name, its kind with the synonym that found it, and its key', () => {
  const found = { ...row, note: 'delete = close', marks: [6, 7, 9] };
  expect(textOf(fitLine(paletteLine(found, true, 60), 60))).toBe(
    '> Close shop          deployment  delete = close  X         ',
  );
  const command = { ...row, name: 'search', explanation: 'search lines', note: 'grep = search' };
  expect(textOf(paletteLine(command, false, 60))).toContain('  Search              grep = search ');
  expect(textOf(fitLine(paletteLine(found, false, 40), 40))).toBe(
    '  Close shop                  X         ',
  );
});

test('of rows that one synonym found, only the first names it', () => {
  const found = { ...row, name: 'shop', note: 'delete = close' };
  const rows = [found, { ...found, name: 'shop-2' }];
  const texts = (width: number) => paletteLines(rows, rows[0], width).map(textOf);
  expect(texts(60)).toEqual([
    '> Shop                deployment  delete = close  X',
    '  Shop-2              deployment                  X',
  ]);
  expect(texts(40).map((text) => text.trimEnd())).toEqual([
    '> Shop                        X',
    '    deployment  delete = close',
    '  Shop-2                      X',
  ]);
});

test('the name of a place keeps its letters', () => {
  expect(textOf(paletteLine({ ...row, isCommand: false }, false, 60))).toContain('close shop');
});

test('matched letters are marked, whole characters only', () => {
  const marked = (name: string, marks: readonly number[], width = 12) =>
    markedColumn(name, marks, width, 'focus').flatMap(({ text, token }) =>
      token === 'match' ? [text] : [],
    );
  expect(marked('close shop', [6, 7, 9])).toEqual(['sh', 'p']);
  expect(marked('cafe\u0301 a', [3])).toEqual(['e\u0301']);
  expect(marked('a\u{1f600}b', [2])).toEqual(['\u{1f600}']);
  expect(marked('evil\u001b[31m', [0, 1])).toEqual([]);
  expect(marked('a-very-long-name', [0, 11, 12], 8)).toEqual(['a']);
});

test('a marked name fills its column whatever its letters and marks are', () => {
  const name = fc.string({ unit: codePoint, maxLength: 20 });
  fc.assert(
    fc.property(
      name,
      fc.array(fc.nat(20)),
      fc.integer({ min: 2, max: 30 }),
      (text, marks, width) => {
        expect(lineWidth(markedColumn(text, marks, width, undefined))).toBe(width);
      },
    ),
  );
});
