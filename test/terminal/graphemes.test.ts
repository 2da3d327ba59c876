import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { Graphemes } from '../../source/terminal/graphemes.ts';

const stock = new Intl.Segmenter();
const ours = new Graphemes();

function expectSame(text: string): void {
  const clusters = (segments: Iterable<Pick<Intl.SegmentData, 'segment' | 'index'>>) =>
    Array.from(segments, ({ segment, index }) => ({ segment, index }));
  expect(clusters(ours.segment(text))).toEqual(clusters(stock.segment(text)));
}

test.each([
  'plain',
  '─│ 日本 😀',
  'e\u0301',
  '👩‍👩‍👧',
  '🇩🇪🇫🇷',
  'a\r\nb\n\rc\td',
  '\x1b[31mred',
  '한\u1112\u1161\u11ab',
  '\u{fdd0}\u{fdd0}',
])('%j has the clusters that Intl.Segmenter finds', expectSame);

test('any text has the clusters that Intl.Segmenter finds', () => {
  fc.assert(fc.property(fc.string({ unit: 'grapheme' }), expectSame));
  fc.assert(fc.property(fc.string({ unit: 'binary' }), expectSame));
});
