import { describe, expect, it } from 'vitest';
import { simulate } from './simulated-run.ts';

const parts = 20;
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

  /**
   * In the first six, the first pages do not tell the order of pages, or tell it wrongly at first. In
   * the next two, a stream repeats lines of the instant in which known ones of another service are. In
   * the last one, the precision of instants changes behind the last line.
   */
  it.each([100_981, 101_624, 102_651, 102_669, 12_346, 6088, 101_153, 9514])(
    'from seed %d alone',
    (seed) => {
      expect(simulate(seed)).toBeUndefined();
    },
  );
});
