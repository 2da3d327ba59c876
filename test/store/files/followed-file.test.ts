import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  contentMark,
  isRefetchDue,
  largeRefetchInterval,
  mostRefetched,
  refetchInterval,
} from '../../../source/store/files/followed-file.ts';

const record = fc.record(
  { path: fc.constant('a'), size: fc.nat(3), modifiedAt: fc.constantFrom('1', '2') },
  { requiredKeys: ['path'] },
);
const mark = fc.option(fc.option(record, { nil: undefined }).map(contentMark), { nil: undefined });

it('a mark differs with the size, with the time, and for a file that is not listed', () => {
  const at = { path: 'a', size: 1, modifiedAt: '1' };
  const marks = [at, { ...at, size: 2 }, { ...at, modifiedAt: '2' }, { path: 'a', size: 1 }];
  expect(new Set([...marks.map(contentMark), contentMark(undefined)]).size).toBe(5);
  expect(contentMark({ path: 'a' })).toBeUndefined();
});

it('a file is fetched when its mark changes, and else only while it is small and shown', () => {
  const outcome = fc.constantFrom('changed', 'same', 'failed', undefined);
  const last = fc.record({ mark, at: fc.nat(2 * largeRefetchInterval), outcome });
  const now = fc.record({
    mark,
    at: fc.nat(4 * largeRefetchInterval),
    size: fc.constantFrom(0, mostRefetched - 1, mostRefetched),
    isShown: fc.boolean(),
  });
  fc.assert(
    fc.property(last, now, (before, after) => {
      const isDue = isRefetchDue(before, after);
      const isSmall = after.size < mostRefetched;
      const since = after.at - before.at;
      const isSoon = since >= 0 && since < refetchInterval;
      const isWaiting = since >= 0 && since < (isSmall ? refetchInterval : largeRefetchInterval);
      if (after.mark !== undefined && after.mark === before.mark) expect(isDue).toBe(false);
      if (after.mark === undefined) expect(isDue).toBe(isSmall && after.isShown && !isSoon);
      else if (after.mark !== before.mark) {
        const isInVain = before.outcome === 'same' ? isWaiting : isSoon;
        expect(isDue).toBe(
          before.outcome === undefined || before.outcome === 'changed' || !isInVain,
        );
      }
    }),
  );
});
