import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { Graphemes } from '../../../source/terminal/screen/graphemes.ts';
import { codePoint } from '../../support/code-point.ts';

const stock = new Intl.Segmenter();
const ours = new Graphemes();

function expectSame(text: string): void {
  const clusters = (segments: Iterable<Pick<Intl.SegmentData, 'segment' | 'index'>>) =>
    Array.from(segments, ({ segment, index }) => ({ segment, index }));
  const [mine, theirs] = [ours.segment(text), stock.segment(text)];
  expect(clusters(mine)).toEqual(clusters(theirs));
  for (let at = 0; at <= text.length; at += 1) {
    const [found, wanted] = [mine.containing(at), theirs.containing(at)];
    expect([found?.segment, found?.index]).toEqual([wanted?.segment, wanted?.index]);
  }
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

test('any text has the clusters of Intl.Segmenter', () => {
  fc.assert(fc.property(fc.string({ unit: 'grapheme' }), expectSame));
  fc.assert(fc.property(fc.string({ unit: codePoint }), expectSame));
});
