import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { areSameSpans, type Line } from '../../../source/view/text/line.ts';

const styles = [undefined, { bold: true }, { inverse: true }] as const;
const stops = [undefined, { kind: 'row', index: 1, name: '' } as const] as const;

const lines: fc.Arbitrary<Line> = fc.array(
  fc.record({
    text: fc.constantFrom('', 'a', 'b'),
    token: fc.constantFrom(undefined, 'quiet' as const),
    style: fc.constantFrom(...styles),
    stop: fc.constantFrom(...stops),
  }),
  { maxLength: 2 },
);

describe('lines', () => {
  test('are the same when all their spans are', () => {
    fc.assert(
      fc.property(lines, lines, (one, other) => {
        expect(areSameSpans(one, other)).toBe(JSON.stringify(one) === JSON.stringify(other));
        expect(areSameSpans(one, structuredClone(one))).toBe(
          one.every(({ style, stop }) => style === undefined && stop === undefined),
        );
        expect(
          areSameSpans(
            one,
            one.map((part) => ({ ...part })),
          ),
        ).toBe(true);
      }),
    );
  });
});
