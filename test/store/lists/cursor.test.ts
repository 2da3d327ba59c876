import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  bindCursor,
  type Cursor,
  cursorAt,
  cursorIndex,
  holdCursor,
  moveCursor,
  scrollTo,
  startOfList,
} from '../../../source/store/lists/cursor.ts';

const idArbitrary: fc.Arbitrary<string> = fc.constantFrom(
  'a',
  'b',
  'c',
  'd',
  'e',
  'f',
  '',
  '__proto__',
);
const idsArbitrary = fc.uniqueArray(idArbitrary, { maxLength: 8 });
const repeatingIdsArbitrary = fc.array(idArbitrary, { maxLength: 8 });
const cursorArbitrary: fc.Arbitrary<Cursor> = fc.record({
  id: fc.option(idArbitrary, { nil: undefined }),
  index: fc.integer({ min: -2, max: 12 }),
});
const stepArbitrary = fc.oneof(
  fc.integer({ min: -12, max: 12 }),
  fc.constantFrom(Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY),
);

describe('the row of the cursor', () => {
  it('is the row of its id at any index', () => {
    fc.assert(
      fc.property(idsArbitrary, idsArbitrary, fc.nat({ max: 7 }), (before, after, index) => {
        const cursor = cursorAt(before, index);
        fc.pre(cursor.id !== undefined && after.includes(cursor.id));
        expect(after[cursorIndex(after, cursor)]).toBe(cursor.id);
      }),
    );
  });

  it('is in the list for any cursor, and -1 in an empty list', () => {
    fc.assert(
      fc.property(repeatingIdsArbitrary, cursorArbitrary, (ids, cursor) => {
        const index = cursorIndex(ids, cursor);
        expect(index).toBeGreaterThanOrEqual(ids.length === 0 ? -1 : 0);
        expect(index).toBeLessThan(Math.max(0, ids.length));
      }),
    );
  });

  it('is the row at the index of a removed one, or the last row', () => {
    expect(cursorIndex(['a', 'c', 'd'], { id: 'b', index: 1 })).toBe(1);
    expect(cursorIndex(['a', 'c'], { id: 'd', index: 3 })).toBe(1);
  });

  it('stays on the second of two rows with one id', () => {
    const ids = ['a', 'a', 'b'];
    const cursor = moveCursor(ids, startOfList, 1);
    expect(cursorIndex(ids, cursor)).toBe(1);
    expect(cursorIndex(ids, moveCursor(ids, cursor, 1))).toBe(2);
  });
});

describe('a move', () => {
  it('ends on the row that many rows away, or at the end of the list', () => {
    fc.assert(
      fc.property(idsArbitrary, cursorArbitrary, stepArbitrary, (ids, cursor, by) => {
        const moved = moveCursor(ids, cursor, by);
        const wanted = Math.min(Math.max(cursorIndex(ids, cursor) + by, 0), ids.length - 1);
        expect(cursorIndex(ids, moved)).toBe(wanted);
        expect(moved.id).toBe(ids[wanted]);
      }),
    );
  });
});

describe('a held cursor', () => {
  it('is bound to the row that the cursor was shown on', () => {
    fc.assert(
      fc.property(repeatingIdsArbitrary, cursorArbitrary, (ids, cursor) => {
        const held = bindCursor(ids, cursor);
        expect(cursorIndex(ids, held)).toBe(cursorIndex(ids, cursor));
        if (ids.length > 0) expect(held).toEqual({ id: ids[held.index], index: held.index });
      }),
    );
  });

  it('is the same object when nothing changes', () => {
    fc.assert(
      fc.property(repeatingIdsArbitrary, cursorArbitrary, (ids, cursor) => {
        const held = holdCursor(ids, cursor);
        expect(holdCursor(ids, held)).toBe(held);
      }),
    );
    const waiting = { id: 'a', index: 2 };
    expect(holdCursor([], waiting)).toBe(waiting);
  });

  it('stays on its row through any refreshes', () => {
    fc.assert(
      fc.property(fc.array(idsArbitrary, { minLength: 1, maxLength: 6 }), (lists) => {
        let cursor = bindCursor(lists[0] ?? [], startOfList);
        for (const [turn, ids] of lists.entries()) {
          const before = cursor.id;
          cursor = holdCursor(ids, cursor);
          if (turn > 0 && before !== undefined && ids.includes(before)) {
            expect(cursor.id).toBe(before);
          }
        }
      }),
    );
  });

  it('stays on the row that was acted on when a row is added above it', () => {
    const cursor = bindCursor(['shop', 'worker'], startOfList);
    expect(cursorIndex(['new', 'shop', 'worker'], cursor)).toBe(1);
  });

  it('is on the first row, whichever that is, until it is moved or bound', () => {
    fc.assert(
      fc.property(fc.array(idsArbitrary, { minLength: 1, maxLength: 6 }), (lists) => {
        let cursor = startOfList;
        for (const ids of lists) {
          cursor = holdCursor(ids, cursor);
          expect(cursorIndex(ids, cursor)).toBe(ids.length === 0 ? -1 : 0);
        }
      }),
    );
  });

  it('does not return to a row that was removed and came back', () => {
    const onWorker = cursorAt(['shop', 'worker', 'batch'], 1);
    const onBatch = holdCursor(['shop', 'batch'], onWorker);
    expect(onBatch.id).toBe('batch');
    expect(cursorIndex(['shop', 'worker', 'batch'], onBatch)).toBe(2);
  });

  it('falls back to the last index of its row', () => {
    const onC = cursorAt(['a', 'b', 'c', 'd', 'e'], 2);
    const moved = holdCursor(['c', 'd', 'e'], onC);
    expect(holdCursor(['d', 'e'], moved).id).toBe('d');
  });
});

describe('scrolling', () => {
  const viewArbitrary = fc
    .record({
      top: fc.integer({ min: 0, max: 40 }),
      height: fc.integer({ min: 0, max: 12 }),
      count: fc.integer({ min: 0, max: 30 }),
      at: fc.nat({ max: 29 }),
    })
    .map(({ top, height, count, at }) => {
      return { top, height, count, index: Math.max(0, Math.min(at, count - 1)) };
    });

  it('shows the row, leaves no empty rows below the last, and scrolls as little as possible', () => {
    fc.assert(
      fc.property(viewArbitrary, ({ top, index, height, count }) => {
        fc.pre(height > 0);
        const last = Math.max(0, count - height);
        const allowed = Array.from({ length: last + 1 }, (_, first) => first).filter(
          (first) => first <= index && index < first + height,
        );
        const least = Math.min(...allowed.map((first) => Math.abs(first - top)));
        const scrolled = scrollTo(top, index, height, count);
        expect(allowed).toContain(scrolled);
        expect(Math.abs(scrolled - top)).toBe(least);
      }),
    );
  });

  it('stays inside the list when no row fits', () => {
    fc.assert(
      fc.property(viewArbitrary, ({ top, index, count }) => {
        const scrolled = scrollTo(top, index, 0, count);
        expect(scrolled).toBeGreaterThanOrEqual(0);
        expect(scrolled).toBeLessThanOrEqual(count);
      }),
    );
  });
});

it('a list of height 0 starts at its first row', () => {
  for (const top of [0, 1, 5]) expect(scrollTo(top, 3, 0, 10)).toBe(0);
});
