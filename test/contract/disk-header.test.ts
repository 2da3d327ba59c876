import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { formatLowDisk, parseLowDisk } from '../../source/contract/disk-header.ts';

test('the header of a low disk says what it was made of', () => {
  const bytes = fc.integer({ min: 0, max: 2 ** 49 });
  fc.assert(
    fc.property(bytes, bytes, (free, kept) => {
      expect(parseLowDisk(formatLowDisk({ free, kept }))).toEqual({ free, kept });
    }),
  );
});

test('a header in another form says nothing', () => {
  for (const value of [undefined, '', 'low', 'free=1', 'free=-1, kept=2', 'free=1, kept=2, x=3']) {
    expect(parseLowDisk(value)).toBeUndefined();
  }
});
