import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { findClusterEnd, isClusterStart } from '../../source/editor/glyphs.ts';

const unit = fc.constantFrom(
  ...Array.from('aяש日한ก\u0e33\u0301\u200d\ufe0f\t\r\u0007\ud83d\udc69\udde9'),
  '👩',
  '🇩',
  '🇪',
  '🏽',
  '\u0d4d',
  '\u302a',
  '\u1112\u1161',
  '\u0301'.repeat(70),
);
const anyText = fc.array(unit, { maxLength: 20 }).map((parts) => parts.join(''));

test('a certain cluster start is also one in a walk from the line start', () => {
  fc.assert(
    fc.property(anyText, (text) => {
      const starts = new Set<number>();
      for (let from = 0; from < text.length; from = findClusterEnd(text, from)) starts.add(from);
      const sure = Array.from(text, (_, index) => index).filter((at) => isClusterStart(text, at));
      expect(sure.filter((at) => !starts.has(at))).toEqual([]);
    }),
    { numRuns: 3000 },
  );
});

test('a cluster has a bounded length', () => {
  const hostile = `a${'\u0301'.repeat(1000)}${'\u200d'.repeat(1000)}${'👩\u200d'.repeat(1000)}`;
  const lengths: number[] = [];
  for (let from = 0; from < hostile.length; ) {
    const end = findClusterEnd(hostile, from);
    lengths.push(end - from);
    from = end;
  }
  expect(Math.max(...lengths)).toBeLessThanOrEqual(64);
  expect(Math.min(...lengths)).toBeGreaterThan(0);
});
