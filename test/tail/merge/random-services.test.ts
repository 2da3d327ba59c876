import { describe, expect, it } from 'vitest';
import { simulate } from './simulated-run.ts';

const parts = 2;
const seedsInPart = 100;

describe('what is shown of a service of any shape, once settled, is what it has', () => {
  it.each(Array.from({ length: parts }, (_, part) => part * seedsInPart))(
    'from seed %d',
    (first) => {
      for (let seed = first; seed < first + seedsInPart; seed += 1) {
        expect(simulate(seed)).toBeUndefined();
      }
    },
  );

  it.each([
    ['the first pages do not tell the order of pages', [100_981, 101_624, 102_651]],
    ['the first pages tell a wrong order of pages', [102_669, 12_346, 6088, 24_794, 29_605]],
    ['lines are joined before the order of pages is refuted', [31_142, 18_009]],
    ['a stream repeats lines of the instant of known ones of another service', [101_153, 61_048]],
    ['the precision of instants changes behind the last line', [9514]],
    ['the precision of instants changes while a stream repeats lines', [19_283, 61_187]],
    ['ids that count anew follow each other by chance', [22_259]],
    ['an instant at the end of the log is in doubt', [24_542]],
    ['an instant in doubt is as large as a page, or larger', [31_273, 37_761]],
    ['an instant in doubt has lost its first lines', [40_003]],
    ['the last lines of a stream that breaks have ids of their service', [34_860]],
    ['lines of one instant show that each service counts its ids', [46_471]],
    ['a stream swaps lines of the same instant only', [17_062]],
  ])('although %s', (_, seeds) => {
    for (const seed of seeds) expect(simulate(seed)).toBeUndefined();
  });
});
