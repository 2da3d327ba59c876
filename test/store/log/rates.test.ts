import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { barSeconds, LogRates } from '../../../source/store/log/rates.ts';

const minute = Date.UTC(2026, 0, 1);

describe('log rates', () => {
  it('give lines per second in whole bars', () => {
    const rates = new LogRates();
    expect(rates.bars()).toEqual([]);
    const received = [0, 3, 6, 9, 9, 9, 9, 60];
    for (const [second, lines] of received.entries()) rates.sample(minute + second * 1000, lines);
    expect(rates.bars()).toEqual([3, 0, 51]);
  });

  it('change only the newest bar until its seconds have passed', () => {
    const counts = fc.array(fc.integer({ min: 0, max: 50 }), { minLength: 2, maxLength: 150 });
    fc.assert(
      fc.property(counts, (lines) => {
        const rates = new LogRates();
        let received = 0;
        let before: readonly number[] = [];
        for (const [second, count] of lines.entries()) {
          received += count;
          rates.sample(minute + second * 1000 + (count % 7) * 100, received);
          const now = rates.bars();
          expect(now.length).toBeLessThanOrEqual(20);
          const isNew = second % barSeconds === 1;
          const settled = isNew ? before : before.slice(0, -1);
          const same = now.slice(0, -1);
          expect(same).toEqual(settled.slice(settled.length - same.length));
          before = now;
        }
      }),
    );
  });

  it('spread lines over seconds without samples, and start over when the clock is set back', () => {
    const rates = new LogRates();
    rates.sample(minute, 0);
    rates.sample(minute + 30_000, 300);
    expect(rates.bars()).toEqual(Array.from({ length: 10 }, () => 10));
    rates.sample(minute + 30_400, 300);
    expect(rates.bars()).toHaveLength(10);
    rates.sample(minute + 86_400_000, 300);
    expect(rates.bars()).toEqual(Array.from({ length: 20 }, () => 0));
    rates.sample(minute, 400);
    expect(rates.bars()).toEqual([]);
  });

  it('give the time of the newest line', () => {
    const rates = new LogRates();
    expect(rates.newestAt()).toBeUndefined();
    rates.sample(minute, 10);
    rates.sample(minute + 1000, 20);
    rates.sample(minute + 2000, 20);
    expect(rates.newestAt()).toBe(minute + 1000);
    rates.sample(minute + 63_000, 21);
    expect(rates.newestAt()).toBe(minute + 63_000);
  });
});
