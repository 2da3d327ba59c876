import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  grantEnd,
  ratePerHour,
  ratePerHourUntil,
  rateWindow,
  shortestSpan,
  type SpendReading,
  type SpendReadings,
  addReading,
} from '../../../source/store/grants/runway.ts';

const start = Date.UTC(2026, 10, 21, 12);
const hour = 3_600_000;

const readingsOf = (readings: readonly SpendReading[]): SpendReadings =>
  readings.reduce<SpendReadings>(addReading, []);

/** Creates readings at a distance in ms with a constant amount spent in between. */
const steps = fc.array(
  fc.record({
    wait: fc.integer({ min: 1, max: 60_000 }),
    more: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 1000 })),
  }),
  { minLength: 1, maxLength: 60 },
);

function walk(parts: readonly { readonly wait: number; readonly more: number }[]) {
  const readings: SpendReading[] = [{ at: start, spent: 5 }];
  for (const { wait, more } of parts) {
    const last = readings.at(-1) ?? { at: start, spent: 5 };
    readings.push({ at: last.at + wait, spent: last.spent + more });
  }
  return readings;
}

describe('the spend rate', () => {
  it('is unknown until two readings are far enough apart', () => {
    expect(ratePerHour([])).toBeUndefined();
    expect(ratePerHour(readingsOf([{ at: start, spent: 1 }]))).toBeUndefined();
    const short = [0, shortestSpan - 1].map((passed) => ({ at: start + passed, spent: passed }));
    expect(ratePerHour(readingsOf(short))).toBeUndefined();
    const long = [0, shortestSpan].map((passed) => ({ at: start + passed, spent: passed }));
    expect(ratePerHour(readingsOf(long))).toBe(hour);
  });

  it('equals a constant rate', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 100, max: 60_000 }), { minLength: 1, maxLength: 60 }),
        fc.integer({ min: 0, max: 1_000_000 }),
        (waits, pace) => {
          const perMs = pace / hour;
          const readings = walk(waits.map((wait) => ({ wait, more: wait * perMs })));
          const rate = ratePerHour(readingsOf(readings));
          if (rate !== undefined) expect(rate).toBeCloseTo(pace, 3);
        },
      ),
    );
  });

  it('goes on with the last amount until a later time', () => {
    const later = fc.oneof(fc.constantFrom(-3000, -1, 0, 1), fc.integer({ min: 0, max: 400_000 }));
    fc.assert(
      fc.property(steps, later, (parts, passed) => {
        const readings = readingsOf(walk(parts));
        const last = readings.at(-1);
        const at = (last?.at ?? 0) + passed;
        const extended = last === undefined ? [] : addReading(readings, { at, spent: last.spent });
        expect(ratePerHourUntil(readings, at)).toBe(ratePerHour(extended));
      }),
    );
    expect(ratePerHourUntil([], start)).toBeUndefined();
  });

  it('is zero without spending', () => {
    fc.assert(
      fc.property(steps, (parts) => {
        const readings = readingsOf(walk(parts.map(({ wait }) => ({ wait, more: 0 }))));
        const total = parts.reduce((sum, { wait }) => sum + wait, 0);
        expect(ratePerHour(readings)).toBe(total < shortestSpan ? undefined : 0);
      }),
    );
  });

  it('lies between the lowest and the highest measured rate', () => {
    fc.assert(
      fc.property(steps, (parts) => {
        const rate = ratePerHour(readingsOf(walk(parts)));
        const paces = parts.map(({ wait, more }) => (more / wait) * hour);
        if (rate === undefined) return;
        expect(rate).toBeGreaterThanOrEqual(Math.min(...paces) - 1e-3);
        expect(rate).toBeLessThanOrEqual(Math.max(...paces) * (1 + 1e-9) + 1e-3);
      }),
    );
  });

  it('ignores spending before its window', () => {
    const fast = Array.from({ length: 20 }, () => ({ wait: 5000, more: 100 }));
    const idle = Array.from({ length: 1 + rateWindow / 5000 }, () => ({ wait: 5000, more: 0 }));
    expect(ratePerHour(readingsOf(walk(fast)))).toBeCloseTo(72_000, 6);
    expect(ratePerHour(readingsOf(walk([...fast, ...idle])))).toBe(0);
    expect(ratePerHour(readingsOf(walk([...idle, ...idle, ...fast])))).toBeGreaterThan(10_000);
  });

  it('starts over when the spent amount decreases or a clock is set', () => {
    const before = walk([{ wait: 20_000, more: 10 }]);
    const last = before.at(-1) ?? { at: start, spent: 0 };
    for (const next of [
      { at: last.at + 5000, spent: last.spent - 1 },
      { at: last.at - hour, spent: last.spent },
      { at: last.at + hour, spent: last.spent + 1 },
    ]) {
      expect(readingsOf([...before, next])).toEqual([next]);
    }
  });

  it('stays 0 or more with few readings for any input', () => {
    const any = fc.record({
      at: fc.integer({ min: -20, max: 400 }).map((seconds) => start + seconds * 1000),
      spent: fc.double({ min: 0, max: 100, noNaN: true }),
    });
    fc.assert(
      fc.property(fc.array(any, { maxLength: 40 }), (all) => {
        const readings = readingsOf(all);
        const rate = ratePerHour(readings);
        if (rate !== undefined) {
          expect(Number.isFinite(rate)).toBe(true);
          expect(rate).toBeGreaterThanOrEqual(0);
        }
        expect(readings).toEqual(readings.toSorted((a, b) => a.at - b.at || a.spent - b.spent));
      }),
    );
    const many = walk(Array.from({ length: 5000 }, () => ({ wait: 1500, more: 1 })));
    expect(readingsOf(many).length).toBeLessThan(30);
  });
});

describe('the end of a grant', () => {
  it('is its limit if that comes first at this rate', () => {
    expect(grantEnd(5, 10, start, start + hour)).toEqual({ by: 'limit', at: start + hour / 2 });
    expect(grantEnd(10, 10, start, start + hour)).toEqual({ by: 'expiry', at: start + hour });
    expect(grantEnd(5, 10, start, Number.NaN)).toEqual({ by: 'limit', at: start + hour / 2 });
  });

  it('is its expiry without spending, or unknown without an expiry', () => {
    expect(grantEnd(5, 0, start, start + 1)).toEqual({ by: 'expiry', at: start + 1 });
    expect(grantEnd(5, 0, start, Number.NaN)).toEqual({ by: 'expiry', at: undefined });
  });
});
