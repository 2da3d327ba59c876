import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SeqSet } from '../../../source/tail/arena/seq-set.ts';

type Step =
  | { readonly kind: 'end' | 'start' | 'middle'; readonly where: number; readonly count: number }
  | { readonly kind: 'drop'; readonly where: number }
  | { readonly kind: 'cut'; readonly where: number; readonly count: number };

const where = fc.double({ min: 0, max: 1, noNaN: true });
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    kind: fc.constantFrom('end' as const, 'start' as const, 'middle' as const),
    where,
    count: fc.oneof(fc.integer({ min: 0, max: 9 }), fc.constant(1500), fc.constant(3000)),
  }),
  fc.record({ kind: fc.constant('drop' as const), where }),
  fc.record({ kind: fc.constant('cut' as const), where, count: fc.nat(4000) }),
);

/** A rising run that fits before the number at an index. */
function runAt(seqs: readonly number[], index: number, count: number): readonly number[] {
  const before = seqs[index - 1];
  const after = seqs[index];
  return Array.from({ length: count }, (_, at) => {
    if (after === undefined) return Math.floor(before ?? 0) + 1 + at;
    if (before === undefined) return Math.ceil(after) - count + at;
    return before + ((after - before) * (at + 1)) / (count + 1);
  });
}

describe('a set of numbers', () => {
  it('stays sorted wherever runs are added', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 12 }), (steps) => {
        const set = new SeqSet();
        let seqs: readonly number[] = [];
        for (const one of steps) {
          if (one.kind === 'drop') {
            const from = seqs[Math.floor(one.where * seqs.length)] ?? 0;
            set.dropBelow(from);
            seqs = seqs.filter((seq) => seq >= from);
          } else if (one.kind === 'cut') {
            const from = Math.floor(one.where * seqs.length);
            const [first = 0, last = first] = [seqs[from], seqs[from + one.count]];
            const rest = seqs.filter((seq) => seq < first || seq > last);
            expect(set.dropRange(first, last)).toBe(seqs.length - rest.length);
            seqs = rest;
          } else {
            const middle = Math.floor(one.where * seqs.length);
            const index = { end: seqs.length, start: 0, middle }[one.kind];
            const run = runAt(seqs, index, one.count);
            const around = [seqs[index - 1], ...run, seqs[index]].filter(
              (seq) => seq !== undefined,
            );
            // No number is left between the two.
            if (new Set(around).size < around.length) continue;
            set.add(run);
            seqs = seqs.toSpliced(index, 0, ...run);
          }
          expect(set.length).toBe(seqs.length);
          for (let probe = 0; probe <= 20; probe += 1) {
            const index = Math.min(seqs.length - 1, Math.floor((seqs.length * probe) / 20));
            const seq = seqs[index];
            expect(set.at(index)).toBe(seq);
            if (seq === undefined) continue;
            expect(set.rank(seq)).toBe(index);
            expect(set.has(seq)).toBe(true);
            expect(set.rank(seq + 1e-7)).toBe(seqs.findLastIndex((one) => one < seq + 1e-7) + 1);
          }
        }
        expect(Array.from({ length: set.length }, (_, index) => set.at(index))).toEqual(seqs);
        expect([set.at(-1), set.at(seqs.length)]).toEqual([undefined, undefined]);
        set.clear();
        expect([set.length, set.rank(5), set.at(0)]).toEqual([0, 0, undefined]);
      }),
      { numRuns: 30 },
    );
  });
});
