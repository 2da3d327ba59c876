import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { EnvironmentParser } from '../../../source/host/runtime/environments.ts';

describe('an environment in chunks', () => {
  it('has the same values for chunks of any size', () => {
    const entry = fc.constantFrom('A=1', 'RUN=1', 'RUN=2', 'XRUN=3', 'RUN', '', 'RUN=', 'B=RUN=4');
    const cut = fc.array(fc.nat(40), { maxLength: 6 });
    fc.assert(
      fc.property(
        fc.array(entry, { maxLength: 6 }),
        cut,
        fc.boolean(),
        (entries, cuts, isEnded) => {
          const whole = entries.join('\0') + (isEnded ? '\0' : '');
          const environment = new EnvironmentParser('RUN');
          let from = 0;
          for (const to of [...cuts.toSorted((one, other) => one - other), whole.length]) {
            environment.add(whole.slice(from, to));
            from = Math.max(from, to);
          }
          const expected = whole.split('\0').filter((each) => each.startsWith('RUN='));
          expect(environment.values()).toEqual(new Set(expected.map((each) => each.slice(4))));
          expect(environment.isEmpty).toBe(whole === '');
        },
      ),
    );
  });

  it('buffers little of an endless entry', () => {
    const environment = new EnvironmentParser('RUN');
    for (let count = 0; count < 1000; count += 1) environment.add('RUN='.padEnd(100_000, 'x'));
    const [value = ''] = environment.values();
    expect(value.length).toBeLessThan(200_000);
    environment.add('\0RUN=after\0');
    expect(environment.values()).toContain('after');
  });
});
