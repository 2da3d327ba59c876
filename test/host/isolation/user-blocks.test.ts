import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  accountIds,
  blockSize,
  freeBlock,
  type IdRange,
  isFree,
  mappedIds,
  subordinateIds,
} from '../../../source/host/isolation/user-blocks.ts';

const all: readonly IdRange[] = [{ start: 0, count: 4_294_967_295 }];
const everything = [all, all];

const range = fc.record({
  start: fc.oneof(
    fc.integer({ min: 0, max: 0xffff_fffe }),
    fc.integer({ min: 0x6fff_0000, max: 0x7010_0000 }),
  ),
  count: fc.oneof(fc.constant(1), fc.integer({ min: 1, max: 5_000_000 })),
});

describe('a block of user ids', () => {
  it('is in a range that systemd does not assign', () => {
    expect(freeBlock({ taken: [], mapped: everything })).toBe(1_879_048_192);
  });

  it('has no id that is taken', () => {
    fc.assert(
      fc.property(fc.array(range, { maxLength: 40 }), (taken) => {
        const start = freeBlock({ taken, mapped: everything }) ?? Number.NaN;
        expect(start % blockSize).toBe(0);
        for (const one of taken) {
          const overlaps = one.start < start + blockSize && start < one.start + one.count;
          expect(overlaps).toBe(false);
        }
      }),
    );
  });

  it('is a low one in a namespace that maps only low ids, and missing when those are too few', () => {
    const low = [{ start: 0, count: 200_000 }];
    expect(freeBlock({ taken: [], mapped: [low, low] })).toBe(65_536);
    expect(freeBlock({ taken: [{ start: 100_000, count: 65_536 }], mapped: [low, low] })).toBe(
      undefined,
    );
    const rootless = [{ start: 0, count: 65_536 }];
    expect(freeBlock({ taken: [], mapped: [rootless, rootless] })).toBeUndefined();
    expect(freeBlock({ taken: [], mapped: [all, rootless] })).toBeUndefined();
  });

  it('may be mapped by several ranges, but not with a gap', () => {
    const start = 65_536;
    const pieces = [
      { start: 100_000, count: 100_000 },
      { start: 0, count: 100_000 },
    ];
    expect(isFree(start, { taken: [], mapped: [pieces] })).toBe(true);
    const holed = [
      { start: 0, count: 100_000 },
      { start: 100_001, count: 100_000 },
    ];
    expect(isFree(start, { taken: [], mapped: [holed] })).toBe(false);
  });
});

describe('the ids of a machine', () => {
  it('are parsed from accounts, subordinate ids and maps', () => {
    const passwd = '# local\nroot:x:0:0:root:/:/bin/bash\n\n+::::::\nme:x:1000:1000::/users/me:\n';
    expect(accountIds(passwd)).toEqual([
      { start: 0, count: 1 },
      { start: 1000, count: 1 },
    ]);
    expect(subordinateIds('me:100000:65536\n1001:165536:65536\nbroken:x:1\n')).toEqual([
      { start: 100_000, count: 65_536 },
      { start: 165_536, count: 65_536 },
    ]);
    expect(
      mappedIds('         0       1000          1\n         1     100000      65536\n'),
    ).toEqual([
      { start: 0, count: 1 },
      { start: 1, count: 65_536 },
    ]);
  });

  it('are parsed from invalid text as valid ranges only', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        for (const { start, count } of [
          ...accountIds(text),
          ...subordinateIds(text),
          ...mappedIds(text),
        ]) {
          expect(Number.isSafeInteger(start) && start >= 0).toBe(true);
          expect(Number.isSafeInteger(count) && count > 0).toBe(true);
        }
      }),
    );
  });
});
