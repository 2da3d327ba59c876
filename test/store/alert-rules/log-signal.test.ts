import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type LogStep,
  noSignal,
  observeLog,
} from '../../../source/store/alert-rules/log-signal.ts';
import type { LogCondition } from '../../../source/store/alert-rules/rule.ts';

const second: LogStep = { elapsed: 1000, isConnected: true, lines: 0, errors: 0, hasMatch: false };

/** Returns for each step whether the condition goes on. */
function signals(condition: LogCondition, steps: readonly Partial<LogStep>[]): readonly boolean[] {
  let signal = noSignal;
  return steps.map((step) => {
    signal = observeLog(signal, condition, { ...second, ...step });
    return signal.isActive;
  });
}

describe('errors', () => {
  const condition = { kind: 'errors', more: 2, within: 3000 } as const;

  it('are too many while more than the number come within the span', () => {
    const errors = [1, 1, 1, 0, 0, 0].map((count) => ({ errors: count, lines: count }));
    expect(signals(condition, errors)).toEqual([false, false, true, false, false, false]);
  });

  it('are counted over any steps like a sliding window', () => {
    const steps = fc.array(
      fc.record({
        elapsed: fc.integer({ min: 0, max: 5000 }),
        errors: fc.integer({ min: 0, max: 4 }),
      }),
    );
    fc.assert(
      fc.property(steps, (plan) => {
        let now = 0;
        const seen: (readonly [number, number])[] = [];
        const expected = plan.map(({ elapsed, errors }) => {
          now += elapsed;
          seen.push([now, errors]);
          const within = seen.filter(([at]) => at > now - condition.within);
          return within.reduce((sum, [, count]) => sum + count, 0) > condition.more;
        });
        expect(signals(condition, plan)).toEqual(expected);
      }),
    );
  });
});

describe('silence', () => {
  const condition = { kind: 'silent', span: 3000 } as const;

  it('begins after its span without a line, and ends with the next line', () => {
    expect(signals(condition, [{ lines: 1 }, {}, {}, {}, { lines: 2 }, {}])).toEqual([
      false,
      false,
      false,
      true,
      false,
      false,
    ]);
  });

  it('does not grow while the connection is lost', () => {
    const lost = { isConnected: false };
    expect(signals(condition, [{}, {}, lost, lost, lost, {}])).toEqual([
      false,
      false,
      false,
      false,
      false,
      true,
    ]);
  });
});

describe('a pattern', () => {
  it('goes on in the steps in which a line matches', () => {
    const condition = { kind: 'pattern', pattern: 'panic' } as const;
    expect(signals(condition, [{}, { hasMatch: true }, {}])).toEqual([false, true, false]);
  });
});
