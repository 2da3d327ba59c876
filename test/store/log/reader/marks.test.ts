import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LogMarks, isLineMarked, nextMark } from '../../../../source/store/log/reader/marks.ts';
import type { Entry } from '../../../../source/tail/arena/entries.ts';
import type { LogLine } from '../../../../source/contract/logs.ts';
import { listedEntries } from '../../../support/listed-entries.ts';

const lines = (count: number): LogLine[] =>
  Array.from({ length: count }, (_, index) => ({ id: index, logLine: `line ${index}` }));

function entryAt(count: number, index: number): Extract<Entry<LogLine>, { kind: 'line' }> {
  const entry = listedEntries(lines(count)).at(index);
  if (entry?.kind !== 'line') throw new Error('no such line');
  return entry;
}

describe('marks', () => {
  it('toggle with one key, and are visited from old to new in a circle', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 9 }), { maxLength: 20 }), (toggled) => {
        const marks = new LogMarks(listedEntries(lines(10)));
        const model = new Set<number>();
        for (const index of toggled) {
          expect(marks.toggle(entryAt(10, index))).toBe(!model.delete(index) && !!model.add(index));
        }
        const inOrder = [...model].sort((left, right) => left - right).map((index) => index * 10);
        expect([...marks.state.getState().keys()]).toEqual(inOrder);
        let cursor: number | undefined;
        const seen = [...inOrder, ...inOrder].map(() => {
          cursor = marks.next(cursor)?.seq;
          return cursor;
        });
        expect(seen).toEqual([...inOrder, ...inOrder]);
      }),
    );
  });

  it('report their number, and the wrap from the newest to the oldest', () => {
    const marks = new LogMarks(listedEntries(lines(4)));
    marks.toggle(entryAt(4, 1));
    marks.toggle(entryAt(4, 3));
    expect(marks.next(undefined)).toMatchObject({ seq: 10, number: 1, count: 2, wrapped: false });
    expect(marks.next(10)).toMatchObject({ seq: 30, number: 2, wrapped: false });
    expect(marks.next(30)).toMatchObject({ seq: 10, number: 1, wrapped: true });
  });

  it('outlive lines that memory has dropped, and are reported one by one', () => {
    const marks = new LogMarks(listedEntries(lines(4).slice(3), [30]));
    for (const index of [0, 1, 3]) marks.toggle(entryAt(4, index));
    expect(marks.next(undefined)).toMatchObject({ number: 1, isShown: false });
    expect(marks.next(undefined)).toMatchObject({
      number: 2,
      isShown: false,
      line: { logLine: 'line 1' },
    });
    expect(marks.next(undefined)).toMatchObject({ number: 3, isShown: true });
    expect(marks.next(30)).toMatchObject({ number: 1, wrapped: true });
  });

  it('do not move to another line with the same number', () => {
    const marks = new Map([[10, { id: 1, logLine: 'line 1' }]]);
    expect(isLineMarked(marks, 10, { id: 1, logLine: 'line 1' })).toBe(true);
    expect(isLineMarked(marks, 10, { id: 7, logLine: 'line 1' })).toBe(false);
    const renumbered = listedEntries([{ id: 7, logLine: 'line 7' }], [10]);
    expect(nextMark(marks, renumbered, undefined)?.isShown).toBe(false);
    expect(nextMark(new Map(), renumbered, undefined)).toBeUndefined();
  });
});
