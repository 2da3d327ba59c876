import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { LogLine } from '../../../source/contract/logs.ts';
import { cover, spanAt, type Spans } from '../../../source/tail/arena/spans.ts';
import { comparePlaces, type Place } from '../../../source/tail/arena/place.ts';
import { toRow } from '../../../source/tail/arena/row.ts';
import type { InsertSide } from '../../../source/tail/arena/seq.ts';
import { Sequence } from '../../../source/tail/arena/sequence.ts';
import { lineCodec } from '../../servers/log-frames.ts';

function createSequence(maxLines = 1_000_000, maxBytes = Number.POSITIVE_INFINITY) {
  return new Sequence<LogLine>({
    row: toRow,
    ...lineCodec,
    maxLines,
    maxBytes,
  });
}

const noSpans: Spans = [];

function placed(places: readonly Place[]) {
  return places
    .toSorted(comparePlaces)
    .map((place) => ({ place, row: toRow({ id: place, logLine: String(place) }) }));
}

function put(
  sequence: Sequence<LogLine>,
  places: readonly Place[],
  lean: InsertSide = 'newer',
  spans: Spans = noSpans,
) {
  return sequence.apply({ put: placed(places), lean, drop: [], spans });
}

function places(sequence: Sequence<LogLine>): readonly (Place | 'gap')[] {
  return sequence
    .slice(0, sequence.length)
    .map((entry) => (entry.kind === 'gap' ? 'gap' : entry.place));
}

const batches = fc.array(
  fc.record({
    places: fc.array(fc.integer({ min: 0, max: 400 }), { minLength: 1, maxLength: 40 }),
    lean: fc.constantFrom('older' as const, 'newer' as const),
  }),
  { maxLength: 30 },
);

describe('a sequence', () => {
  it('holds each place once and in order, in any order of arrival', () => {
    fc.assert(
      fc.property(batches, fc.constantFrom(500, 1_000_000), (all, maxLines) => {
        // Smaller bounds make smaller blocks; neither bound is reached.
        const sequence = createSequence(maxLines);
        const knownPlaces = new Set<number>();
        for (const batch of all) {
          const fresh = new Set(batch.places.filter((place) => !knownPlaces.has(place)));
          const runs = put(sequence, batch.places, batch.lean);
          expect(runs.reduce((sum, { count }) => sum + count, 0)).toBe(fresh.size);
          for (const { first, last, count } of runs) {
            expect(sequence.indexOf(last) - sequence.indexOf(first)).toBe(count - 1);
          }
          for (const place of fresh) knownPlaces.add(place);
        }
        const expected = [...knownPlaces].toSorted(comparePlaces);
        expect(places(sequence)).toEqual(expected);
        for (const [index, place] of expected.entries()) {
          const entry = sequence.at(index);
          expect(entry).toMatchObject({ place });
          expect(sequence.indexOf(entry?.seq ?? Number.NaN)).toBe(index);
          expect(sequence.linesFrom(place)).toBe(expected.length - index);
        }
      }),
      { numRuns: 150 },
    );
  });

  it('keeps its gaps when no number is left where one opens', () => {
    for (const lines of [1, 2, 3]) {
      const sequence = createSequence();
      const below = { kind: 'filling' } as const;
      const top = 1_000_000;
      put(sequence, [0, 10, top]);
      for (let end = 10; end < 300; end += lines) {
        const spans: Spans = [
          { from: 0, to: 0, below: undefined },
          { from: 10, to: end + lines, below },
          { from: top, to: top, below },
        ];
        const next = Array.from({ length: lines }, (_, index) => end + index + 1);
        put(sequence, next, 'middle', spans);
        const inside = sequence.slice(0, sequence.length).filter(({ kind }) => kind === 'gap');
        expect(inside).toEqual(sequence.gaps);
        expect(sequence.lines).toBe(end + lines - 10 + 3);
      }
    }
  });

  it('never changes the seq of an entry', () => {
    fc.assert(
      fc.property(batches, (all) => {
        const sequence = createSequence();
        const seqs = new Map<Place, number>();
        for (const batch of all) {
          put(sequence, batch.places, batch.lean);
          for (const entry of sequence.slice(0, sequence.length)) {
            expect(entry.seq).toBe(seqs.get(entry.place) ?? entry.seq);
            seqs.set(entry.place, entry.seq);
          }
        }
      }),
      { numRuns: 60 },
    );
  });

  it('returns the lines around a place without gaps', () => {
    const sequence = createSequence();
    put(sequence, [1, 2, 3, 7, 8, 9], 'newer', cover(cover(noSpans, 1, 3), 7, 9));
    expect(places(sequence)).toEqual([1, 2, 3, 'gap', 7, 8, 9]);
    expect(sequence.from(2, 3).map(({ place }) => place)).toEqual([2, 3, 7]);
    expect(sequence.upTo(8, 3).map(({ place }) => place)).toEqual([3, 7, 8]);
    expect(sequence.upTo(6, 1).map(({ place }) => place)).toEqual([3]);
    expect(sequence.linesFrom(4)).toBe(3);
    expect(sequence.linesFrom(2)).toBe(5);
    expect(sequence.lines).toBe(6);
    expect(sequence.settled).toBe(3);
  });

  it('moves a gap as it narrows from either side, and keeps its seq', () => {
    const sequence = createSequence();
    let spans = cover(cover(noSpans, 1, 3), 20, 22);
    put(sequence, [1, 2, 3, 20, 21, 22], 'newer', spans);
    const gap = sequence.at(3);
    spans = cover(spans, 17, 20);
    put(sequence, [17, 18, 19], 'newer', spans);
    spans = cover(spans, 3, 5);
    put(sequence, [4, 5], 'older', spans);
    expect(places(sequence)).toEqual([1, 2, 3, 4, 5, 'gap', 17, 18, 19, 20, 21, 22]);
    expect(sequence.at(5)).toMatchObject({ seq: gap?.seq, after: { id: 5 }, until: { id: 17 } });
    spans = cover(spans, 5, 17);
    put(sequence, [9, 12], 'newer', spans);
    expect(places(sequence)).toEqual([1, 2, 3, 4, 5, 9, 12, 17, 18, 19, 20, 21, 22]);
    const seqs = sequence.slice(0, sequence.length).map(({ seq }) => seq);
    expect(seqs).toEqual(seqs.toSorted((left, right) => left - right));
  });

  it('keeps the seq of a gap until it is filled, from any side', () => {
    const pages = fc.array(
      fc.record({
        from: fc.nat(200),
        count: fc.integer({ min: 1, max: 40 }),
        lean: fc.constantFrom('older' as const, 'newer' as const),
      }),
      { maxLength: 12 },
    );
    fc.assert(
      fc.property(pages, (all) => {
        const sequence = createSequence();
        let spans = noSpans;
        for (const { from, count, lean } of all) {
          const { gaps } = sequence;
          spans = cover(spans, from, from + count - 1);
          const page = Array.from({ length: count }, (_, index) => from + index);
          put(sequence, page, lean, spans);
          expect(sequence.epoch).toBe(0);
          for (const { seq, after, until } of gaps) {
            const isLeft = sequence.gaps.some(
              (gap) =>
                Number(gap.after?.id) >= Number(after?.id) &&
                Number(gap.until.id) <= Number(until.id),
            );
            if (isLeft)
              expect(sequence.at(sequence.indexOf(seq))).toMatchObject({ seq, kind: 'gap' });
          }
        }
      }),
      { numRuns: 300 },
    );
  });

  it('leaves numbers free on both sides of live lines in a gap', () => {
    const sequence = createSequence(10_000);
    const range = (from: number, to: number) =>
      Array.from({ length: to - from + 1 }, (_, index) => from + index);
    let spans = cover(cover(noSpans, 1, 3), 3000, 3002);
    put(sequence, [1, 2, 3, 3000, 3001, 3002], 'newer', spans);
    const insertPlaces = (places: readonly number[], lean: 'older' | 'newer') => {
      const [first = 0] = places;
      const last = places.at(-1) ?? first;
      spans = cover(spans, spanAt(spans, first - 1) < 0 ? first : first - 1, last);
      if (spanAt(spans, last + 1) >= 0) spans = cover(spans, last, last + 1);
      put(sequence, places, lean, spans);
    };
    insertPlaces(range(1000, 1009), 'older');
    for (const place of range(4, 400)) insertPlaces([place], 'older');
    insertPlaces(range(900, 999), 'newer');
    insertPlaces(range(1010, 2500), 'older');
    insertPlaces(range(401, 899), 'newer');
    insertPlaces(range(2501, 2999), 'older');
    expect(places(sequence)).toEqual(range(1, 3002));
    expect(sequence.epoch).toBe(0);
  });

  it('finds a number between any two lines, thousands of times', () => {
    const sequence = createSequence();
    put(sequence, [0, 100_000]);
    for (let place = 1; place <= 3000; place += 1) put(sequence, [place], 'older');
    const seqs = sequence.slice(0, sequence.length).map(({ seq }) => seq);
    expect(new Set(seqs).size).toBe(3002);
    expect(seqs).toEqual(seqs.toSorted((left, right) => left - right));
  });

  it('keeps its numbers while hundreds of lines are inserted next to one line', () => {
    for (const lean of ['older', 'newer'] as const) {
      const sequence = createSequence();
      put(sequence, [0, 1, 100_000]);
      for (let count = 1; count <= 500; count += 1) {
        put(sequence, [lean === 'older' ? count + 1 : 100_000 - count], lean);
      }
      expect(sequence.lines).toBe(503);
      expect(sequence.epoch).toBe(0);
    }
  });

  it('reports inserted lines by their final numbers', () => {
    const sequence = createSequence();
    put(sequence, [0, 5000, 10_000, 20_000]);
    for (let count = 1; count < 100; count += 1) {
      const both = [count, 20_000 - count];
      const runs = put(sequence, both, 'older');
      const reported = runs.map(({ first }) => sequence.at(sequence.indexOf(first))?.place);
      expect(reported).toEqual(both);
    }
    expect(sequence.epoch).toBeGreaterThan(0);
  });

  it('drops its oldest lines beyond either bound, and a leading gap', () => {
    for (const sequence of [createSequence(200), createSequence(800, 16_000)]) {
      const spans = cover(cover(noSpans, 0, 40), 50, 400);
      const all = Array.from({ length: 401 }, (_, index) => index);
      put(sequence, [...all.slice(0, 41), ...all.slice(50)], 'newer', spans);
      expect(sequence.isFull).toBe(true);
      sequence.trim(() => spans);
      expect(sequence.length).toBeLessThanOrEqual(200);
      expect(sequence.isFull).toBe(true);
      expect(places(sequence)).toEqual(all.slice(-sequence.length));
    }
  });

  it('orders ids above 2^53 by all their digits', () => {
    const sequence = createSequence();
    const high = 2n ** 60n;
    put(sequence, [high + 2n, high, 5, high + 1n]);
    expect(places(sequence)).toEqual([5, high, high + 1n, high + 2n]);
  });
});
