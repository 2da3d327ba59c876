import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { stepsTo } from '../../../source/view/parts/select-list.tsx';

test('the steps to an item lead to it in a circle, by the shorter way', () => {
  const lists = fc.uniqueArray(fc.string(), { minLength: 1, maxLength: 12 });
  fc.assert(
    fc.property(lists, fc.nat(), fc.nat(), (values, one, other) => {
      const [from, to] = [one % values.length, other % values.length];
      const steps = stepsTo(values, values[from], values[to] ?? '');
      expect((from + steps + values.length) % values.length).toBe(to);
      expect(Math.abs(steps)).toBeLessThanOrEqual(values.length / 2);
    }),
  );
  expect(stepsTo(['a', 'b'], undefined, 'b')).toBe(1);
});
