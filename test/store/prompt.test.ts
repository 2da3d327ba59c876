import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { completed } from '../../source/store/prompt.ts';

test('a single candidate is completed whole', () => {
  expect(completed('config/a', ['config/app.yaml', 'public/a'])).toBe('config/app.yaml');
});

test('several are completed as far as they agree', () => {
  expect(completed('c', ['config/app.yaml', 'config/apple', 'x'])).toBe('config/app');
});

test('what begins no candidate stays as it was typed', () => {
  expect(completed('z', ['config/app.yaml'])).toBe('z');
});

test('a completion begins every candidate that fits, and is never half a character', () => {
  const name = fc.string({ unit: 'grapheme', maxLength: 6 });
  fc.assert(
    fc.property(fc.array(name, { maxLength: 6 }), name, (names, typed) => {
      const longer = completed(typed, names);
      expect(longer.startsWith(typed)).toBe(true);
      for (const candidate of names.filter((each) => each.startsWith(typed))) {
        expect(candidate.startsWith(longer)).toBe(true);
      }
      expect(longer.isWellFormed()).toBe(true);
    }),
  );
});
