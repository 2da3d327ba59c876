import { array, assert, nat, property, record } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createReadPace } from '../../../source/client/stream/log-stream.ts';

const line = 250;
const flood = 64 * 1024;

describe('pace of the reads of a stream', () => {
  it('reads the first line, and lines far from each other, at once', () => {
    const pace = createReadPace();
    expect([0, 20, 1000].map((now) => pace.waitAfter(line, now))).toEqual([0, 0, 0]);
  });

  it('lets pieces gather that follow each other closely', () => {
    const pace = createReadPace();
    pace.waitAfter(line, 0);
    expect(pace.waitAfter(line, 5)).toBe(50);
    expect(pace.waitAfter(10 * line, 55)).toBe(50);
  });

  it('reads at once again when no piece has gathered', () => {
    const pace = createReadPace();
    pace.waitAfter(line, 0);
    pace.waitAfter(line, 5);
    expect(pace.waitAfter(line, 75)).toBe(0);
  });

  it('never waits while a flood comes', () => {
    const pace = createReadPace();
    expect([0, 1, 2, 3].map((now) => pace.waitAfter(flood, now))).toEqual([0, 0, 0, 0]);
  });

  it('adds at most 50 ms to any piece, and never waits twice for the same one', () => {
    const pieces = array(record({ bytes: nat(40_000), gap: nat(100) }), { maxLength: 50 });
    assert(
      property(pieces, (steps) => {
        const pace = createReadPace();
        let now = 0;
        let wait = 0;
        for (const { bytes, gap } of steps) {
          now += Math.max(wait, gap);
          wait = pace.waitAfter(bytes, now);
          expect([0, 50]).toContain(wait);
          if (bytes >= 16 * 1024) expect(wait).toBe(0);
        }
      }),
    );
  });
});
