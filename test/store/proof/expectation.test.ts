import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  negativeBinomialTail,
  probabilityOfErrors,
} from '../../../source/store/proof/expectation.ts';

const positive = fc.double({ min: 0.01, max: 1000, noNaN: true });

it('the tail of a negative binomial distribution of shape 1 is that of a geometric one', () => {
  fc.assert(
    fc.property(fc.nat(200), positive, (count, mean) => {
      const exact = (mean / (1 + mean)) ** count;
      expect(negativeBinomialTail(count, 1, mean)).toBeCloseTo(exact, 9);
    }),
  );
});

it('more errors are less likely, whatever the baseline', () => {
  const expectation = fc.record({
    errors: fc.nat(5000),
    runs: positive,
    burst: fc.double({ min: 1, max: 50, noNaN: true }),
  });
  fc.assert(
    fc.property(expectation, fc.nat(5000), fc.nat(500), (usual, errors, more) => {
      const probability = probabilityOfErrors(errors, usual);
      expect(probability).toBeGreaterThanOrEqual(0);
      expect(probability).toBeLessThanOrEqual(1);
      expect(probabilityOfErrors(errors + more, usual)).toBeLessThanOrEqual(probability + 1e-9);
    }),
  );
});

it('four errors after five clean starts are too many, and three may be chance', () => {
  const clean = { errors: 0, runs: 5, burst: 1 };
  expect(probabilityOfErrors(4, clean)).toBeLessThan(1 / 1000);
  expect(probabilityOfErrors(3, clean)).toBeGreaterThan(1 / 1000);
});

it('a busy service may write half as many errors again, and not three times as many', () => {
  const busy = { errors: 5000, runs: 5, burst: 1 };
  expect(probabilityOfErrors(1500, busy)).toBeGreaterThan(1 / 20);
  expect(probabilityOfErrors(3000, busy)).toBeLessThan(1 / 1000);
});
