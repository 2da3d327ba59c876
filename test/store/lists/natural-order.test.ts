import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { naturalKey } from '../../../source/store/lists/natural-order.ts';

const inOrder = (names: readonly string[]): readonly string[] =>
  names.toSorted((left, right) => {
    const [a, b] = [naturalKey(left), naturalKey(right)];
    if (a === b) return 0;
    return a < b ? -1 : 1;
  });

test('numbers anywhere in a name are ordered by value', () => {
  expect(inOrder(['v10', 'v2', '10', 'v2b3', 'v002a', '9', 'v', 'v2b20'])).toEqual([
    '9',
    '10',
    'v',
    'v2',
    'v002a',
    'v2b3',
    'v2b20',
    'v10',
  ]);
});

test('case, accents and leading zeros do not affect the key', () => {
  expect(naturalKey('CAFÉ-007')).toBe(naturalKey('cafe-7'));
  expect(naturalKey('a000')).toBe(naturalKey('a0'));
});

test('any two numbers between the same words are ordered numerically', () => {
  const zeros = fc.integer({ min: 0, max: 3 });
  const number = fc.bigInt({ min: 0n, max: 10n ** 30n });
  const word = fc.stringMatching(/^[a-zé ._-]{0,5}$/);
  fc.assert(
    fc.property(word, word, number, number, zeros, (before, after, left, right, padding) => {
      const key = (value: bigint) => naturalKey(`${before}${'0'.repeat(padding)}${value}${after}`);
      const [a, b] = [key(left), key(right)];
      expect(a < b).toBe(left < right);
      expect(a === b).toBe(left === right);
    }),
  );
});
