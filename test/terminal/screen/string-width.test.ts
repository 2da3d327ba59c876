import * as fc from 'fast-check';
import stockWidth from 'string-width';
import { expect, test } from 'vitest';
import { isWide, separateWidth } from '../../../source/terminal/screen/separate-characters.ts';
import { stringWidth } from '../../../source/terminal/screen/string-width.ts';
import { codePoint } from '../../support/code-point.ts';

const everyCodePoint = Array.from({ length: 0x110000 }, (_, codePoint) => codePoint);

/**
 * Code points of all scripts whose widths are summed. Of the 130,000 ideographs from U+20000 on, which both
 * tables have as one range, each 64th and those at the ends of the planes.
 */
const separate = everyCodePoint.filter(
  (codePoint) =>
    separateWidth(codePoint) !== undefined &&
    (codePoint < 0x20000 || codePoint % 64 === 0 || (codePoint + 64) % 0x10000 < 128),
);

const corpus = [
  ['', 'plain', 'ümläut', 'a\u0301e\u0308', '─│┬┤┌┐└┘…→', 'привет', 'שלום', 'مرحبا', 'ที่นี่'],
  ['日本語', 'ｶﾞｷﾞ', '한국어', '\u1112\u1161\u11ab', 'नमस्ते', 'क्ष', '😀😃', '❤', '❤️', '✌🏽', '1️⃣', '#⃣'],
  [
    '👩‍👩‍👧‍👦',
    '🏳️‍🌈',
    '🇩🇪🇫🇷',
    '🇦🇦',
    '🇩',
    '🇩🇪🇫',
    '🇩🇪\u0301',
    '🏴\u{e0067}\u{e0062}\u{e007f}',
    'x\u200dy',
  ],
  [
    '\u{fdd0}\u{fdd0}\u{fdd0}',
    '\u{fdd0}a\u{fdd0}',
    'a\nb',
    'a\r\nb',
    'a\tb',
    '\u0000',
    '\ud800',
    '\u00ad',
  ],
  [
    '\x1b[31mred\x1b[39m',
    '\x1b[38;2;1;2;3m─\x1b[0m',
    '\x1b[12345m─',
    '\x1b[;m─',
    '\x1b[m─',
    '\x9b1m─',
  ],
  [
    '\x1b]8;;https://a.example\x07─\x1b]8;;\x07',
    '\x1b[2J─',
    '\x1b─',
    '\x1b\x1b[1m[1m─',
    '\x1b[1m\u0301',
  ],
].flat();

/** Single characters of every kind, control sequences and clusters. */
const piece = fc.oneof(
  fc.nat(separate.length - 1).map((index) => String.fromCodePoint(separate[index] ?? 0)),
  fc.string({ unit: 'grapheme', maxLength: 3 }),
  fc.string({ unit: codePoint, maxLength: 3 }),
  fc.constantFrom(
    ...corpus,
    ...Array.from('\u{1f1e6}\u{1f1e9}\u{1f1ea}\u{1f3fb}\u200d\ufe0f\u20e3\u0301'),
  ),
);

test('every code point has the width of the package', () => {
  const differing = separate.filter((codePoint) => {
    const text = String.fromCodePoint(codePoint);
    return stringWidth(text) !== stockWidth(text);
  });
  expect(differing).toEqual([]);
  expect([0x4e00, 0x1f600, 0xac00, 0x20000].map(isWide)).toEqual([true, true, true, true]);
});

test('code points whose widths are summed form no clusters', () => {
  const segmenter = new Intl.Segmenter();
  const clusters = (text: string): number => Array.from(segmenter.segment(text)).length;
  const joining = separate.filter((codePoint) => {
    const text = String.fromCodePoint(codePoint);
    if (separateWidth(codePoint) === 0)
      return stockWidth(`a${text}日${text}😀${text}가${text}`) !== 7;
    return clusters(`a${text}${text}😀${text}가${text}日${text}a`) !== 10;
  });
  expect(joining).toEqual([]);
});

test.each(corpus)('%j is as wide as the package says', (text) => {
  expect(stringWidth(text)).toBe(stockWidth(text));
  const options = { ambiguousIsNarrow: false, countAnsiEscapeCodes: true };
  expect(stringWidth(text, options)).toBe(stockWidth(text, options));
});

test('every pair of flag letters has the width of the package', () => {
  const letters = Array.from({ length: 26 }, (_, index) => String.fromCodePoint(0x1f1e6 + index));
  const pairs = letters.flatMap((first) => letters.map((second) => first + second));
  expect(pairs.filter((pair) => stringWidth(pair) !== stockWidth(pair))).toEqual([]);
});

test('any text has the width of the package', () => {
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 8 }), (pieces) => {
      const text = pieces.join('');
      expect(stringWidth(text)).toBe(stockWidth(text));
    }),
    { numRuns: 5000 },
  );
});
