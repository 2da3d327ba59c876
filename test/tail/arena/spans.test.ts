import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  cover,
  doubtBehind,
  forgetBefore,
  giveUp,
  type Spans,
  spanAt,
} from '../../../source/tail/arena/spans.ts';

const none: Spans = [];

const stretch = fc
  .record({ from: fc.integer({ min: 0, max: 60 }), length: fc.integer({ min: 0, max: 12 }) })
  .map(({ from, length }) => [from, from + length] as const);

/** The spans as places that are covered. */
function covered(spans: Spans): readonly number[] {
  return spans.flatMap(({ from, to }) =>
    Array.from({ length: Number(to) - Number(from) + 1 }, (_, index) => Number(from) + index),
  );
}

describe('coverage', () => {
  it('is the union of the stretches, in spans that never touch', () => {
    fc.assert(
      fc.property(fc.array(stretch, { maxLength: 20 }), (stretches) => {
        let spans = none;
        const places = new Set<number>();
        for (const [from, to] of stretches) {
          spans = cover(spans, from, to);
          for (let place = from; place <= to; place += 1) places.add(place);
          expect(covered(spans)).toEqual([...places].toSorted((left, right) => left - right));
          for (const [index, span] of spans.entries()) {
            const next = spans[index + 1];
            if (next !== undefined) expect(next.from).toBeGreaterThan(Number(span.to) + 1);
            expect(span.below === undefined).toBe(index === 0);
          }
        }
      }),
    );
  });

  it('knows which span a place lies in', () => {
    const spans = cover(cover(none, 1, 5), 10, 2n ** 60n);
    expect(spanAt(spans, 3)).toBe(0);
    expect(spanAt(spans, 7)).toBe(-1);
    expect(spanAt(spans, 2n ** 55n)).toBe(1);
  });

  it('keeps a gap given up until it is closed, also while it narrows', () => {
    let spans = giveUp(cover(cover(none, 1, 5), 20, 25), 1, 'gone');
    spans = cover(spans, 15, 19);
    expect(spans[1]?.below).toEqual({ kind: 'missing', why: 'gone' });
    spans = cover(spans, 6, 14);
    expect(spans).toEqual([{ from: 1, to: 25, below: undefined }]);
  });

  it('doubts the last lines of a stream that broke', () => {
    const spans = cover(cover(none, 1, 5), 10, 50);
    expect(doubtBehind(spans, 20)).toMatchObject([{ to: 5 }, { from: 10, to: 20 }]);
    expect(doubtBehind(spans, 7)).toMatchObject([{ to: 5 }, { from: 7, to: 7 }]);
    expect(doubtBehind(spans, 60)).toEqual(spans);
  });

  it('forgets what is no longer kept', () => {
    const spans = cover(cover(cover(none, 1, 5), 10, 15), 20, 25);
    expect(forgetBefore(spans, 12)).toEqual([
      { from: 12, to: 15, below: undefined },
      { from: 20, to: 25, below: { kind: 'filling' } },
    ]);
    expect(forgetBefore(spans, 30)).toEqual([]);
    expect(forgetBefore(spans, 0)).toEqual(spans);
  });
});
