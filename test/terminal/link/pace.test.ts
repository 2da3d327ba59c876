import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Pace } from '../../../source/terminal/link/pace.ts';

type Event =
  | { what: 'write'; bytes: number; asked: boolean }
  | { what: 'flow' }
  | { what: 'answer' }
  | { what: 'reset' }
  | { what: 'wait'; time: number };

const events = fc.array(
  fc.oneof(
    { weight: 3, arbitrary: fc.record({ what: fc.constant('flow' as const) }) },
    { weight: 4, arbitrary: fc.record({ what: fc.constant('answer' as const) }) },
    {
      weight: 2,
      arbitrary: fc.record({
        what: fc.constant('write' as const),
        bytes: fc.integer({ min: 1, max: 50_000 }),
        asked: fc.boolean(),
      }),
    },
    { weight: 1, arbitrary: fc.record({ what: fc.constant('reset' as const) }) },
    {
      weight: 4,
      arbitrary: fc.record({
        what: fc.constant('wait' as const),
        time: fc.oneof(
          fc.double({ min: 0, max: 400, noNaN: true }),
          fc.double({ min: -5000, max: 100_000, noNaN: true }),
          fc.constantFrom(Number.NaN, Number.POSITIVE_INFINITY),
        ),
      }),
    },
  ),
  { maxLength: 200 },
);

/** Plays events; gives the time at the end and the bytes that ought to be in flight. */
function play(pace: Pace, list: readonly Event[], check = () => {}): number {
  let now = 1000;
  for (const event of list) {
    if (event.what === 'write') pace.sent(event.bytes, now, event.asked);
    else if (event.what === 'answer') pace.answered(now);
    else if (event.what === 'reset') pace.reset(now);
    else if (event.what === 'wait') {
      pace.budget(now + event.time);
      if (Number.isFinite(event.time)) now += event.time;
    } else {
      const budget = pace.budget(now);
      if (budget > 0) pace.sent(Math.min(budget, 8000), now, pace.asks);
    }
    check();
  }
  return now;
}

/** Waits by the deadlines until flow may go; gives the time. */
function untilBudget(pace: Pace, from: number): number {
  let now = from;
  for (let step = 0; step < 100 && pace.budget(now) === 0; step++) {
    const next = pace.deadline();
    if (next === undefined) break;
    expect(next).toBeGreaterThan(now);
    now = next;
  }
  return now;
}

/** A pace that has had one answer, after 1 ms. */
function paced(): Pace {
  const pace = new Pace();
  pace.sent(100, 0);
  pace.answered(1);
  return pace;
}

describe('pace', () => {
  test('gives a budget that is 0 or a slice, whatever happens', () => {
    fc.assert(
      fc.property(events, (list) => {
        const pace = new Pace();
        const now = play(pace, list, () => {
          expect(pace.bytesInFlight).toBeGreaterThanOrEqual(0);
          expect(Number.isFinite(pace.bytesPerSecond)).toBe(true);
        });
        const budget = pace.budget(now);
        const slice = budget >= 200 && budget <= 16_384;
        if (pace.kind === 'silent') expect(budget).toBe(Number.POSITIVE_INFINITY);
        else expect(budget === 0 || slice).toBe(true);
        // A timer for an endless time would end at once.
        expect(pace.deadline() ?? now).toSatisfy(Number.isFinite);
      }),
      { numRuns: 1000 },
    );
  });

  test('lets flow go again in the end, with no answer at all', () => {
    fc.assert(
      fc.property(events, (list) => {
        const pace = new Pace();
        const now = play(pace, list);
        const then = untilBudget(pace, now);
        expect(pace.budget(then)).toBeGreaterThan(0);
        expect(then - now).toBeLessThanOrEqual(20_000);
      }),
      { numRuns: 1000 },
    );
  });

  test('lets flow go within a second when all that was asked is answered', () => {
    fc.assert(
      fc.property(events, (list) => {
        const pace = new Pace();
        const now = play(pace, list);
        pace.sent(1, now, true);
        for (let count = 0; count < 1500; count++) pace.answered(now);
        expect(untilBudget(pace, now) - now).toBeLessThanOrEqual(1001);
      }),
      { numRuns: 300 },
    );
  });

  test('counts the bytes in flight, those without a question with the next that has one', () => {
    const writes = fc.array(fc.tuple(fc.integer({ min: 1, max: 9999 }), fc.boolean()));
    fc.assert(
      fc.property(writes, fc.nat(50), (list, answers) => {
        const pace = new Pace();
        const open: number[] = [];
        let unasked = 0;
        for (const [bytes, asked] of list) {
          pace.sent(bytes, 0, asked);
          unasked += bytes;
          if (asked) {
            open.push(unasked);
            unasked = 0;
          }
        }
        for (let count = 0; count < answers; count++) pace.answered(1);
        const left = open.slice(answers).reduce((sum, bytes) => sum + bytes, unasked);
        expect(pace.bytesInFlight).toBe(left);
      }),
    );
  });

  test('asks no more when very many questions are open, and counts on', () => {
    const pace = paced();
    for (let count = 0; count < 5000; count++) pace.sent(10, 2, pace.asks);
    expect(pace.asks).toBe(false);
    expect(pace.bytesInFlight).toBe(50_000);
    for (let count = 0; count < 1024; count++) pace.answered(3);
    expect(pace.asks).toBe(true);
    expect(pace.bytesInFlight).toBe(50_000 - 10_240);
    pace.sent(10, 4, true);
    pace.answered(5);
    expect(pace.bytesInFlight).toBe(0);
  });

  test('takes a terminal without an answer for 2 s to be silent, and paces it no more', () => {
    const pace = new Pace();
    pace.sent(3000, 0);
    expect(pace.budget(1999)).toBeLessThan(16_384);
    expect(pace.kind).toBe('unknown');
    expect(pace.budget(2000)).toBe(Number.POSITIVE_INFINITY);
    expect(pace.kind).toBe('silent');
    expect(pace.asks).toBe(false);
    expect(pace.deadline()).toBeUndefined();
    expect(pace.slow).toBe(false);
  });

  test('gives a large first frame more time', () => {
    const pace = new Pace();
    pace.sent(12_096, 0);
    expect(pace.budget(2999)).toBeLessThan(16_384);
    expect(pace.budget(3000)).toBe(Number.POSITIVE_INFINITY);
  });

  test('is modest until the first answer', () => {
    const pace = new Pace();
    pace.sent(1000, 0);
    let flow = 0;
    for (let now = 0; now < 2000; now++) {
      const budget = pace.budget(now);
      flow += budget;
      if (budget > 0) pace.sent(budget, now);
    }
    expect(flow).toBeGreaterThan(1000);
    expect(flow).toBeLessThan(24_576);
  });

  test('paces again a terminal whose first answer comes late', () => {
    const pace = new Pace();
    pace.sent(300, 0);
    expect(pace.budget(4000)).toBe(Number.POSITIVE_INFINITY);
    pace.sent(100_000, 4000, pace.asks);
    pace.answered(5000);
    expect(pace.kind).toBe('paced');
    expect(pace.bytesInFlight).toBe(100_000);
    expect(pace.asks).toBe(true);
  });

  test('asks a silent terminal once more after it was away', () => {
    const pace = new Pace();
    pace.sent(300, 0);
    pace.budget(4000);
    pace.reset(5000);
    expect(pace.asks).toBe(true);
    pace.sent(300, 5000, true);
    expect(pace.asks).toBe(false);
    pace.answered(5001);
    expect(pace.kind).toBe('paced');
  });

  test('ignores answers to nothing', () => {
    const pace = paced();
    pace.answered(2);
    pace.sent(50, 3);
    expect(pace.bytesInFlight).toBe(50);
  });

  test('writes nothing into a link that hangs, then one slice every 10 s', () => {
    const pace = paced();
    let now = 2;
    for (let budget = pace.budget(now); budget > 0; budget = pace.budget(now)) {
      pace.sent(budget, now);
    }
    const start = now;
    const slices: number[] = [];
    for (; now < start + 35_000; now += 10) {
      const budget = pace.budget(now);
      if (budget === 0) continue;
      slices.push(now - start);
      pace.sent(budget, now);
    }
    const late = slices.filter((time) => time > 500);
    expect(late).toEqual([10_000, 20_000, 30_000]);
    expect(pace.slow).toBe(true);
  });

  test('has nothing to look at again while a link hangs and no flow waits', () => {
    const pace = paced();
    pace.sent(100, 2);
    expect(pace.budget(20_000)).toBeGreaterThan(0);
    expect(pace.deadline()).toBeUndefined();
  });

  test('calls a link slow that hangs for a second, and no longer when it is back', () => {
    const pace = paced();
    pace.sent(100, 2);
    pace.answered(3);
    pace.sent(100, 10);
    pace.budget(1009);
    expect(pace.slow).toBe(false);
    pace.budget(1010);
    expect(pace.slow).toBe(true);
    pace.answered(3000);
    expect(pace.slow).toBe(false);
  });

  test('writes off an answer that never comes', () => {
    const pace = paced();
    pace.sent(100, 2);
    pace.sent(100, 3);
    pace.answered(4);
    expect(pace.bytesInFlight).toBe(100);
    const probe = pace.budget(10_004);
    expect(probe).toBeGreaterThan(0);
    pace.sent(probe, 10_004);
    pace.answered(10_005);
    expect(pace.bytesInFlight).toBe(probe);
    expect(pace.budget(11_005)).toBeGreaterThan(0);
    expect(pace.bytesInFlight).toBe(0);
  });

  test('forgets what is in flight when the terminal was away', () => {
    const pace = paced();
    pace.sent(40_000, 2);
    pace.reset(60_000);
    expect(pace.bytesInFlight).toBe(0);
    expect(pace.kind).toBe('paced');
    expect(pace.budget(60_000)).toBeGreaterThan(0);
  });
});
