import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { deriveEach } from '../../../source/store/lists/memoize-last.ts';

it('derives the same from each list of a sequence as from the list alone', () => {
  const row = fc.record({ name: fc.constantFrom('a', 'b'), other: fc.nat() });
  fc.assert(
    fc.property(fc.array(fc.array(row.map((value) => ({ value })))), (lists) => {
      const shout = ({ name }: { readonly name: string }) => `${name}!`;
      const derive = deriveEach(shout, (before, now) => before.name === now.name);
      for (const rows of lists) {
        const derived = derive(rows);
        expect(derived).toEqual(rows.map(({ value }) => shout(value)));
        expect(derive(rows)).toBe(derived);
      }
    }),
  );
});

it('keeps its array while no value changes', () => {
  const derive = deriveEach(
    ({ name }: { readonly name: string; readonly age: number }) => ({ name }),
    (before, now) => before.name === now.name,
  );
  const first = derive([{ value: { name: 'a', age: 1 } }]);
  expect(derive([{ value: { name: 'a', age: 2 } }])).toBe(first);
  expect(derive([{ value: { name: 'b', age: 2 } }])).not.toBe(first);
});
