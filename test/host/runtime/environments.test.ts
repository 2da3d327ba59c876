import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { EnvironmentPieces } from '../../../source/host/runtime/environments.ts';

describe('an environment that comes in pieces', () => {
  it('gives the values that it has as a whole, wherever it is cut', () => {
    const entry = fc.constantFrom('A=1', 'RUN=1', 'RUN=2', 'XRUN=3', 'RUN', '', 'RUN=', 'B=RUN=4');
    const cut = fc.array(fc.nat(40), { maxLength: 6 });
    fc.assert(
      fc.property(
        fc.array(entry, { maxLength: 6 }),
        cut,
        fc.boolean(),
        (entries, cuts, isEnded) => {
          const whole = entries.join('\0') + (isEnded ? '\0' : '');
          const pieces = new EnvironmentPieces('RUN');
          let from = 0;
          for (const to of [...cuts.toSorted((one, other) => one - other), whole.length]) {
            pieces.add(whole.slice(from, to));
            from = Math.max(from, to);
          }
          const wanted = whole.split('\0').filter((each) => each.startsWith('RUN='));
          expect(pieces.values()).toEqual(new Set(wanted.map((each) => each.slice(4))));
          expect(pieces.isEmpty).toBe(whole === '');
        },
      ),
    );
  });

  it('keeps little of an entry that does not end', () => {
    const pieces = new EnvironmentPieces('RUN');
    for (let count = 0; count < 1000; count += 1) pieces.add('RUN='.padEnd(100_000, 'x'));
    const [value = ''] = pieces.values();
    expect(value.length).toBeLessThan(200_000);
    pieces.add('\0RUN=after\0');
    expect(pieces.values()).toContain('after');
  });
});
