import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  fillHoles,
  fitRow,
  parseRow,
  haveSameCells,
  renderRow,
} from '../../../source/terminal/screen/cell-row.ts';
import { applyCellSgr, encodeRow } from '../../../source/terminal/screen/cell-style.ts';
import { hostileText } from '../hostile-text.ts';
import { referenceRow } from './reference-screen.ts';
import { sanitize } from '../../../source/terminal/screen/sanitize.ts';
import { hole } from '../../../source/terminal/screen/cell-parser.ts';

const red = applyCellSgr(0, '31');
const inverse = applyCellSgr(0, '7');

describe('a row of text as cells', () => {
  test.each([
    ['ab', 4, ['a', 'b', ' ', ' ']],
    ['abcdef', 4, ['a', 'b', 'c', 'd']],
    ['中b', 4, ['中', '', 'b', ' ']],
    ['abc中', 4, ['a', 'b', 'c', ' ']],
    ['e\u0301x', 3, ['e\u0301', 'x', ' ']],
    ['か\u3099x', 4, ['か\u3099', '', 'x', ' ']],
    ['🇩🇪x', 4, ['🇩🇪', '', 'x', ' ']],
    ['\u0301ab', 3, ['a', 'b', ' ']],
    ['│é…', 4, ['│', 'é', '…', ' ']],
    ['', 2, [' ', ' ']],
  ])('%j in %d', (text, width, texts) => {
    expect(parseRow(text, width).texts).toEqual(texts);
  });

  test('has a style in each cell, and for blanks only the visible part', () => {
    const row = parseRow('a\x1b[31mb c\x1b[7md \x1b[m', 8);
    const both = applyCellSgr(red, '7');
    expect(Array.from(row.styles)).toEqual([0, red, 0, red, both, both, 0, 0]);
    expect(row.contentEnd).toBe(6);
  });

  test('gives wide characters their style in both cells', () => {
    expect(Array.from(parseRow('\x1b[31m中', 3).styles)).toEqual([red, red, 0]);
  });

  test('drops other sequences and controls', () => {
    const { texts, styles } = parseRow('a\x1b[2Jb\x07\x1b[31;1Hc\x1bc\x1b(Bd\x9b5ne\x85f\x1b', 8);
    expect(texts.join('')).toBe('abcdef  ');
    expect(Array.from(styles).every((style) => style === 0)).toBe(true);
  });

  test('is the same object for the same text and width while cached', () => {
    const row = parseRow('once', 7);
    parseRow('once', 9);
    expect(parseRow('once', 7)).toBe(row);
  });

  test('has the range of cells of uncertain width', () => {
    expect(parseRow('ab中', 6)).toMatchObject({ uncertainFrom: 6, uncertainTo: 0 });
    expect(parseRow('ab😀c', 8)).toMatchObject({ uncertainFrom: 2, uncertainTo: 4 });
    expect(parseRow('e\u0301·Ж', 8)).toMatchObject({ uncertainFrom: 0, uncertainTo: 4 });
  });

  test('has the cells of any sanitised text', () => {
    fc.assert(
      fc.property(hostileText, fc.integer({ min: 1, max: 30 }), (text, width) => {
        const safe = sanitize(text);
        const { texts } = parseRow(safe, width);
        expect(texts).toHaveLength(width);
        expect(texts).toEqual(referenceRow(safe, width).map((cell) => cell.text));
      }),
    );
  });

  test('has exactly the width and no control characters for any text', () => {
    fc.assert(
      fc.property(hostileText, fc.integer({ min: 1, max: 30 }), (text, width) => {
        const { texts, styles } = parseRow(text, width);
        expect(texts).toHaveLength(width);
        expect(styles).toHaveLength(width);
        expect(texts.join('')).not.toMatch(/\p{Cc}/u);
      }),
    );
  });
});

/** Returns whether no character continues from one text into the next, as Hangul syllables can. */
function hasWholeCharacters(texts: readonly string[]): boolean {
  const segments = new Intl.Segmenter(undefined, { granularity: 'grapheme' }).segment(
    texts.join(''),
  );
  const starts = new Set(Array.from(segments, ({ index }) => index));
  let end = 0;
  return texts.slice(0, -1).every((text) => {
    end += text.length;
    return starts.has(end) || end === texts.join('').length;
  });
}

test('styled spans have the cells of their text with SGR', () => {
  const style = fc.constantFrom('', '31', '7', '1;4', '2;38;5;208', '48;2;1;2;3');
  const span = fc.record({
    text: hostileText.map((text) => sanitize(text)),
    style: style.map((codes) => applyCellSgr(0, codes)),
  });
  const spans = fc.array(span, { maxLength: 5 });
  fc.assert(
    fc.property(spans, fc.integer({ min: 1, max: 30 }), (row, width) => {
      fc.pre(hasWholeCharacters(row.map(({ text }) => text)));
      const { texts, styles } = renderRow(row, width);
      const parsed = parseRow(encodeRow(row), width);
      expect(texts).toEqual(parsed.texts);
      expect(styles).toEqual(parsed.styles);
    }),
    { numRuns: 1000 },
  );
});

describe('holes', () => {
  const open = hole.repeat(4);

  test('show the cells of the region', () => {
    const row = fillHoles(parseRow(`│${open}│`, 6), 1, parseRow('\x1b[31mlogs', 4));
    expect(row.texts.join('')).toBe('│logs│');
    expect(Array.from(row.styles)).toEqual([0, red, red, red, red, 0]);
    expect(row.hasHoles).toBe(false);
  });

  test('keep the cells that cover the region', () => {
    const row = fillHoles(parseRow(`${hole}[]${hole}`, 4), 0, parseRow('logs', 4));
    expect(row.texts.join('')).toBe('l[]s');
  });

  test('blank a wide character that is half covered', () => {
    const inner = parseRow('\x1b[7m中文', 4);
    const row = fillHoles(parseRow(`${hole}xx${hole}`, 4), 0, inner);
    expect(row.texts).toEqual([' ', 'x', 'x', ' ']);
    expect(Array.from(row.styles)).toEqual([inverse, 0, 0, inverse]);
  });

  test('outside of the region remain holes', () => {
    const row = fillHoles(parseRow(open, 4), 1, parseRow('ab', 2));
    expect(row.texts).toEqual([hole, 'a', 'b', hole]);
    expect(row.hasHoles).toBe(true);
    expect(fillHoles(parseRow(open, 4), -1, parseRow('中c', 3)).texts).toEqual([
      ' ',
      'c',
      hole,
      hole,
    ]);
    expect(fillHoles(parseRow(open, 4), 3, parseRow('中c', 3)).texts).toEqual([
      hole,
      hole,
      hole,
      ' ',
    ]);
  });

  test('across the whole row return the row of the region itself', () => {
    const inner = parseRow('\x1b[7m中文\x1b[0mab', 6);
    expect(fillHoles(parseRow(hole.repeat(6), 6), 0, inner)).toBe(inner);
    expect(fillHoles(parseRow(hole.repeat(7), 7), 0, inner).texts.at(-1)).toBe(hole);
    expect(fillHoles(parseRow(hole.repeat(6), 6), 1, inner).texts.at(0)).toBe(hole);
  });

  test('filled with the same cells make equal rows', () => {
    const filled = fillHoles(parseRow(`a${hole}c`, 3), 1, parseRow('b', 1));
    expect(haveSameCells(filled, parseRow('abc', 3))).toBe(true);
    expect(haveSameCells(filled, parseRow('abd', 3))).toBe(false);
    expect(haveSameCells(filled, undefined)).toBe(false);
  });
});

test('a row of another width is cut or padded', () => {
  expect(fitRow(parseRow('ab中', 4), 3).texts).toEqual(['a', 'b', ' ']);
  expect(fitRow(parseRow('ab', 2), 4).texts).toEqual(['a', 'b', ' ', ' ']);
});
