import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Pace } from '../../../source/terminal/link/pace.ts';

type Event =
  | { kind: 'write'; bytes: number; hasQuestion: boolean }
  | { kind: 'flow' }
  | { kind: 'answer' }
  | { kind: 'reset' }
  | { kind: 'wait'; time: number };

const events = fc.array(
  fc.oneof(
    { weight: 3, arbitrary: fc.record({ kind: fc.constant('flow' as const) }) },
    { weight: 4, arbitrary: fc.record({ kind: fc.constant('answer' as const) }) },
    {
      weight: 2,
      arbitrary: fc.record({
        kind: fc.constant('write' as const),
        bytes: fc.integer({ min: 1, max: 50_000 }),
        hasQuestion: fc.boolean(),
      }),
    },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('reset' as const) }) },
    {
      weight: 4,
      arbitrary: fc.record({
        kind: fc.constant('wait' as const),
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

/** Plays events; returns the time at the end. */
function play(pace: Pace, list: readonly Event[], check = () => {}): number {
  let now = 1000;
  for (const event of list) {
    if (event.kind === 'write') pace.recordWrite(event.bytes, now, event.hasQuestion);
    else if (event.kind === 'answer') pace.recordAnswer(now);
    else if (event.kind === 'reset') pace.reset(now);
    else if (event.kind === 'wait') {
      pace.budget(now + event.time);
      if (Number.isFinite(event.time)) now += event.time;
    } else {
      const budget = pace.budget(now);
      if (budget > 0) pace.recordWrite(Math.min(budget, 8000), now, pace.asks);
    }
    check();
  }
  return now;
}

/**
 * Round trips of a link, the shortest one within the limits. More jitter would look like a queue, which also
 * lowers the rate.
 */
const roundTrips = (min: number, max: number, minLength: number) =>
  fc
    .tuple(
      fc.double({ min, max, noNaN: true }),
      fc.array(fc.double({ min: 0, max: 5, noNaN: true }), { minLength, maxLength: 20 }),
    )
    .map(([shortest, jitter]) => jitter.map((more) => shortest + more));

/** Returns the pace of a link that started long ago and has answered small writes in these times. */
function answered(trips: readonly number[]): Pace {
  const pace = paced();
  let now = 2000;
  for (const trip of trips) {
    pace.recordWrite(20, now);
    now += trip;
    pace.recordAnswer(now);
    now += 100;
  }
  return pace;
}

/** Advances from deadline to deadline until there is a budget; returns the time. */
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

/** Returns a pace after one answer, with a round trip of 1 ms. */
function paced(): Pace {
  const pace = new Pace();
  pace.recordWrite(100, 0);
  pace.recordAnswer(1);
  return pace;
}

describe('pace', () => {
  test('always has a budget of 0 or a slice', () => {
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
        // A timer with an infinite delay would fire at once.
        expect(pace.deadline() ?? now).toSatisfy(Number.isFinite);
      }),
      { numRuns: 1000 },
    );
  });

  test('resumes the flow in the end without any answer', () => {
    fc.assert(
      fc.property(events, (list) => {
        const pace = new Pace();
        const now = play(pace, list);
        const then = untilBudget(pace, now);
        expect(pace.budget(then)).toBeGreaterThan(0);
        // Times are sums of fractions: a limit of 20 s, and their rounding.
        expect(then - now).toBeLessThanOrEqual(20_000.01);
      }),
      { numRuns: 1000 },
    );
  });

  test.each([
    ['one answer of two has come, late', [9600]],
    ['two answers of three have come, each later', [9000, 9000]],
    ['seven answers of eight have come, each later', Array.from({ length: 7 }, () => 9000)],
  ])('resumes the flow within 10 s after the last answer when %s', (_, waits) => {
    const pace = new Pace();
    for (let count = 0; count <= waits.length; count++) pace.recordWrite(100, 0, true);
    let now = 0;
    for (const wait of waits) {
      now += wait;
      pace.budget(now);
      pace.recordAnswer(now);
    }
    expect(pace.questionsOpen).toBe(1);
    expect(untilBudget(pace, now) - now).toBeLessThanOrEqual(10_000);
  });

  test('resumes the flow within a second after all answers', () => {
    fc.assert(
      fc.property(events, (list) => {
        const pace = new Pace();
        const now = play(pace, list);
        pace.recordWrite(1, now, true);
        for (let count = 0; count < 1500; count++) pace.recordAnswer(now);
        expect(untilBudget(pace, now) - now).toBeLessThanOrEqual(1001);
      }),
      { numRuns: 300 },
    );
  });

  test('counts bytes without a question with the next question', () => {
    const writes = fc.array(fc.tuple(fc.integer({ min: 1, max: 9999 }), fc.boolean()));
    fc.assert(
      fc.property(writes, fc.nat(50), (list, answers) => {
        const pace = new Pace();
        const open: number[] = [];
        let unasked = 0;
        for (const [bytes, asked] of list) {
          pace.recordWrite(bytes, 0, asked);
          unasked += bytes;
          if (asked) {
            open.push(unasked);
            unasked = 0;
          }
        }
        for (let count = 0; count < answers; count++) pace.recordAnswer(1);
        const left = open.slice(answers).reduce((sum, bytes) => sum + bytes, unasked);
        expect(pace.bytesInFlight).toBe(left);
      }),
    );
  });

  test('sends no question while very many are open, and still counts bytes', () => {
    const pace = paced();
    for (let count = 0; count < 5000; count++) pace.recordWrite(10, 2, pace.asks);
    expect(pace.asks).toBe(false);
    expect(pace.bytesInFlight).toBe(50_000);
    for (let count = 0; count < 1024; count++) pace.recordAnswer(3);
    expect(pace.asks).toBe(true);
    expect(pace.bytesInFlight).toBe(50_000 - 10_240);
    pace.recordWrite(10, 4, true);
    pace.recordAnswer(5);
    expect(pace.bytesInFlight).toBe(0);
  });

  test('stops pacing a terminal that gives no answer for 2 s', () => {
    const pace = new Pace();
    pace.recordWrite(3000, 0);
    expect(pace.budget(1999)).toBeLessThan(16_384);
    expect(pace.kind).toBe('unknown');
    expect(pace.budget(2000)).toBe(Number.POSITIVE_INFINITY);
    expect(pace.kind).toBe('silent');
    expect(pace.asks).toBe(false);
    expect(pace.deadline()).toBeUndefined();
    expect(pace.slow).toBe(false);
  });

  test('waits longer for the answer to a large first frame', () => {
    const pace = new Pace();
    pace.recordWrite(12_096, 0);
    expect(pace.budget(2999)).toBeLessThan(16_384);
    expect(pace.budget(3000)).toBe(Number.POSITIVE_INFINITY);
  });

  test('limits the bytes in flight until the first answer', () => {
    const pace = new Pace();
    pace.recordWrite(1000, 0);
    let flow = 0;
    for (let now = 0; now < 2000; now++) {
      const budget = pace.budget(now);
      flow += budget;
      if (budget > 0) pace.recordWrite(budget, now);
    }
    expect(flow).toBeGreaterThan(1000);
    expect(flow).toBeLessThan(24_576);
  });

  test('paces a terminal whose first answer comes late', () => {
    const pace = new Pace();
    pace.recordWrite(300, 0);
    expect(pace.budget(4000)).toBe(Number.POSITIVE_INFINITY);
    pace.recordWrite(100_000, 4000, pace.asks);
    pace.recordAnswer(5000);
    expect(pace.kind).toBe('paced');
    expect(pace.bytesInFlight).toBe(100_000);
    expect(pace.asks).toBe(true);
  });

  test('sends a silent terminal another question after it was away', () => {
    const pace = new Pace();
    pace.recordWrite(300, 0);
    pace.budget(4000);
    pace.reset(5000);
    expect(pace.asks).toBe(true);
    pace.recordWrite(300, 5000, true);
    expect(pace.asks).toBe(false);
    pace.recordAnswer(5001);
    expect(pace.kind).toBe('paced');
  });

  test('ignores answers without a question', () => {
    const pace = paced();
    pace.recordAnswer(2);
    pace.recordWrite(50, 3);
    expect(pace.bytesInFlight).toBe(50);
  });

  test('writes one slice every 10 s into a stalled link', () => {
    const pace = paced();
    let now = 2;
    for (let budget = pace.budget(now); budget > 0; budget = pace.budget(now)) {
      pace.recordWrite(budget, now);
    }
    const start = now;
    const slices: number[] = [];
    for (; now < start + 35_000; now += 10) {
      const budget = pace.budget(now);
      if (budget === 0) continue;
      slices.push(now - start);
      pace.recordWrite(budget, now);
    }
    const late = slices.filter((time) => time > 500);
    expect(late).toEqual([10_000, 20_000, 30_000]);
    expect(pace.slow).toBe(true);
  });

  test('has no deadline while a link is stalled and no flow waits', () => {
    const pace = paced();
    pace.recordWrite(100, 2);
    expect(pace.budget(20_000)).toBeGreaterThan(0);
    expect(pace.deadline()).toBeUndefined();
  });

  test('reports a link as slow while it is stalled for more than a second', () => {
    const pace = answered([1, 1, 1]);
    pace.recordWrite(100, 5000);
    pace.budget(5999);
    expect(pace.slow).toBe(false);
    pace.budget(6000);
    expect(pace.slow).toBe(true);
    pace.recordAnswer(8000);
    expect(pace.slow).toBe(false);
  });

  test('reports no link as slow for its first round trips, however long they take', () => {
    const pace = new Pace();
    pace.recordWrite(3000, 0);
    pace.recordAnswer(700);
    pace.recordWrite(3000, 700);
    pace.budget(1900);
    pace.recordAnswer(1900);
    expect(pace.slow).toBe(false);
    pace.recordWrite(100, 2000);
    pace.recordAnswer(2400);
    expect(pace.slow).toBe(false);
  });

  test('is flipped by no single round trip, and by several', () => {
    fc.assert(
      fc.property(
        roundTrips(0.1, 65, 7),
        roundTrips(130, 900, 12),
        fc.nat(),
        fc.double({ min: 0, max: 950, noNaN: true }),
        (fast, slow, place, delay) => {
          const withOne = (trips: readonly number[]) =>
            trips.toSpliced(place % trips.length, 0, Math.min(...trips) + delay);
          expect(answered(withOne(fast)).slow).toBe(false);
          expect(answered(withOne(slow)).slow).toBe(true);
          expect(answered([...fast, ...slow]).slow).toBe(true);
          expect(answered([...slow, ...fast, ...fast]).slow).toBe(false);
        },
      ),
    );
  });

  test('drops a question whose answer never comes', () => {
    const pace = paced();
    pace.recordWrite(100, 2);
    pace.recordWrite(100, 3);
    pace.recordAnswer(4);
    expect(pace.bytesInFlight).toBe(100);
    const probe = pace.budget(10_004);
    expect(probe).toBeGreaterThan(0);
    pace.recordWrite(probe, 10_004);
    pace.recordAnswer(10_005);
    expect(pace.bytesInFlight).toBe(probe);
    expect(pace.budget(11_005)).toBeGreaterThan(0);
    expect(pace.bytesInFlight).toBe(0);
  });

  test('drops bytes in flight after the terminal was away', () => {
    const pace = paced();
    pace.recordWrite(40_000, 2);
    pace.reset(60_000);
    expect(pace.bytesInFlight).toBe(0);
    expect(pace.kind).toBe('paced');
    expect(pace.budget(60_000)).toBeGreaterThan(0);
  });
});
