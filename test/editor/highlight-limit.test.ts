import { Text } from '@codemirror/state';
import { expect, test } from 'vitest';
import { canHighlightLength, canHighlight } from '../../source/editor/highlight-limit.ts';

test.each([
  [2 * 1024 * 1024, undefined, true],
  [2 * 1024 * 1024 + 1, undefined, false],
  [2 * 1024 * 1024, 'yaml', true],
  [128 * 1024, 'html', true],
  [128 * 1024 + 1, 'html', false],
  [128 * 1024 + 1, 'markdown', false],
] as const)('a text of %i code units in %s is highlighted: %s', (length, language, is) => {
  expect(canHighlightLength(length, language)).toBe(is);
});

test.each([
  ['lines that are short', Array.from({ length: 5000 }, () => 'a line'), 'yaml', true],
  ['a line that is as long as may be', ['', 'x'.repeat(20_000), ''], 'yaml', true],
  ['a line that is longer', ['', 'x'.repeat(20_001), ''], 'yaml', false],
  [
    'a long line among many',
    [...Array.from({ length: 5000 }, () => ''), 'x'.repeat(20_001)],
    'css',
    false,
  ],
  ['a long paragraph', Array.from({ length: 1000 }, () => 'x'.repeat(25)), 'markdown', false],
  ['short paragraphs', Array.from({ length: 1000 }, (_, i) => 'x'.repeat(i % 9)), 'markdown', true],
  [
    'as long a paragraph elsewhere',
    Array.from({ length: 1000 }, () => 'x'.repeat(25)),
    'html',
    true,
  ],
] as const)('a text with %s is parsed or not', (_, lines, language, is) => {
  expect(canHighlight(Text.of(lines), language)).toBe(is);
});
