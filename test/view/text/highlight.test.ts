import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { highlightLine } from '../../../source/view/text/highlight.ts';
import { type Line, span } from '../../../source/view/text/line.ts';

const finder = (word: string) => (text: string) =>
  [...text.matchAll(new RegExp(word, 'g'))].map(
    ({ index }) => [index, index + word.length] as const,
  );

test('a match is marked over the ends of spans, which keep their styles', () => {
  const line: Line = [span('  time', 'good'), span('out: 2s', 'bad')];
  expect(highlightLine(line, finder('timeout'))).toEqual([
    span('  ', 'good'),
    span('time', 'match'),
    span('out', 'match'),
    span(': 2s', 'bad'),
  ]);
});

test('spans that are not searched separate the text', () => {
  const line: Line = [span('80', 'quiet'), span('80 a'), span(' | ', 'quiet'), span('b 80')];
  const found = highlightLine(line, finder('80'), ({ token }) => token !== 'quiet');
  expect(found.filter(({ token }) => token === 'match')).toHaveLength(2);
  expect(found[0]).toEqual(span('80', 'quiet'));
});

test('highlighting changes no text', () => {
  const text = fc.string({ unit: fc.constantFrom('a', 'b'), maxLength: 5 });
  fc.assert(
    fc.property(fc.array(text), fc.constantFrom('a', 'ab', 'bab'), (texts, word) => {
      const line = texts.map((one) => span(one));
      const found = highlightLine(line, finder(word));
      expect(found.map((part) => part.text).join('')).toBe(texts.join(''));
      const marked = found.filter(({ token }) => token === 'match').map((part) => part.text);
      expect(marked.join('')).toBe(word.repeat(finder(word)(texts.join('')).length));
    }),
  );
});
