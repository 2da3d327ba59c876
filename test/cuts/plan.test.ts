import { expect, it } from 'vitest';
import { planOf } from './plan.ts';

it('a plan has as many cuts as asked for, the same for the same seed and round', () => {
  const plans = Array.from({ length: 20 }, (_, round) => planOf(3, round, 50));
  expect(planOf(3, 7, 50)).toEqual(plans[7]);
  expect(planOf(4, 7, 50)).not.toEqual(plans[7]);
  expect(plans.every((plan) => plan.length === 50)).toBe(true);
  const kinds = new Set(plans.flat().map(({ cut }) => cut.kind));
  expect([...kinds].sort()).toEqual(
    ['away', 'cut', 'frame', 'handshake', 'page', 'service', 'silence'].sort(),
  );
});
