import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { meet, nearest, overlaps } from '../../../source/tail/merge/overlap.ts';
import { type LogRow, toRow } from '../../../source/tail/arena/row.ts';

function rows(text: string): readonly LogRow<unknown>[] {
  return text.split('').map((logLine) => toRow({ logLine }));
}

describe('laying a run of lines over a page', () => {
  it('finds where it was cut out, whatever repeats', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'b'), minLength: 1, maxLength: 30 });
    fc.assert(
      fc.property(text, fc.nat(29), fc.nat(29), fc.nat(29), fc.nat(29), (log, a, b, c, d) => {
        const [from, to] = [Math.min(a, b), Math.max(a, b) + 1];
        const [start, end] = [Math.min(c, d), Math.max(c, d) + 1];
        const page = rows(log.slice(from, to));
        const run = rows(log.slice(start, end));
        const common = Math.min(to, end, log.length) - Math.max(from, start);
        fc.pre(page.length > 0 && run.length > 0 && common > 0);
        expect(overlaps(page, run)).toContain(start - from);
      }),
    );
  });

  it('takes no overlap in which a single line differs, or that is too short', () => {
    expect(overlaps(rows('abcd'), rows('cde'))).toEqual([2]);
    expect(overlaps(rows('abcd'), rows('cxe'))).toEqual([]);
    expect(overlaps(rows('abcd'), rows('de'), 2)).toEqual([]);
    expect(overlaps(rows('bb'), rows('bbbb'))).toEqual([-3, -2, -1, 0, 1]);
  });

  it('prefers the place before the expected one, and takes none behind it', () => {
    expect(nearest([1, 4, 7], 5)).toBe(4);
    expect(nearest([1, 4, 7], 4)).toBe(4);
    expect(nearest([4, 7], 3)).toBeUndefined();
  });
});

describe('meeting the end of a run', () => {
  it('wants enough lines in common, unless the log begins with the page', () => {
    expect(meet(rows('cdxyz'), rows('abcd'), 3, false)).toBeUndefined();
    expect(meet(rows('cdxyz'), rows('abcd'), 3, true)).toEqual({ last: 1, certain: true });
    expect(meet(rows('bcdxyz'), rows('abcd'), 3, false)).toEqual({ last: 2, certain: true });
    expect(meet(rows('xyz'), rows('abcd'), 3, true)).toBeUndefined();
  });

  it('says so when the lines repeat, and gives the latest of the fits', () => {
    expect(meet(rows('xaaax'), rows('aa'), 2, false)).toEqual({ last: 3, certain: false });
  });
});
