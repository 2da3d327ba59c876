import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import '../../support/property-seed.ts';
import { EndSearch } from '../../../source/tail/log/end-search.ts';
import { PageSearch } from '../../../source/tail/log/page-search.ts';

/** Looks for a line in pages of so many rows. Returns the number of pages. */
function pagesUntil(
  line: number,
  rows: number,
  distanceOf: (lines: number) => number | undefined,
): number {
  const search = new PageSearch();
  for (let pages = 1; ; pages += 1) {
    const newest = search.index(0);
    const oldest = newest + rows - 1;
    if (pages > 1000 || (line >= newest && line <= oldest)) return pages;
    if (line > oldest) search.goOlder({ newest, oldest }, distanceOf(line - oldest));
    else search.goNewer({ newest, oldest }, distanceOf(newest - line));
  }
}

describe('a search over pages', () => {
  const lines = fc.integer({ min: 0, max: 10_000_000 });
  const rows = fc.constantFrom(2, 100, 1000);

  it('finds a line in few pages where its distance is known about', () => {
    fc.assert(
      fc.property(
        lines,
        rows,
        fc.double({ min: 0.9, max: 1, noNaN: true }),
        (line, size, share) => {
          const distanceOf = (distance: number): number => Math.floor(distance * share);
          expect(pagesUntil(line, size, distanceOf)).toBeLessThanOrEqual(
            2 * Math.log2(line + 2) + 4,
          );
        },
      ),
    );
  });

  it('finds it by bisection, whatever the distance is taken for', () => {
    const guesses = fc.constantFrom(undefined, 1, 100, 1e7);
    fc.assert(
      fc.property(lines, rows, guesses, (line, size, guess) => {
        // Steps grow fourfold, and at least each second page halves what is left.
        const most = 2.5 * Math.log2(Math.max(line, guess ?? 0) + 2) + 8;
        expect(pagesUntil(line, size, () => guess)).toBeLessThanOrEqual(most);
      }),
    );
  });
});

/** Looks for the end of a log with a line each 100 ms, in pages of 100. Returns the number of pages. */
function pagesToEnd(lines: number, age: number | undefined): number {
  const search = new EndSearch();
  for (let pages = 1; ; pages += 1) {
    const page = search.next(0, 100, age === undefined ? undefined : lines * 100 + age);
    const length = Math.max(0, Math.min(page.limit, lines - page.offset));
    const times = Array.from({ length }, (_, row) => (page.offset + row) * 100);
    if (search.page(page, times, 0) === 'end') return pages;
  }
}

describe('a search for the end of a log', () => {
  it('needs few pages where the log goes on at its pace', () => {
    expect(pagesToEnd(10_000_000, 0)).toBeLessThanOrEqual(6);
    expect(pagesToEnd(10_000_000, 3_600_000)).toBeLessThanOrEqual(25);
  });

  it('does not halve its way back from where times tell the end of a log that ended long ago', () => {
    expect(pagesToEnd(3000, 10_000_000_000)).toBeLessThanOrEqual(16);
    expect(pagesToEnd(3000, undefined)).toBeLessThanOrEqual(12);
  });
});
