import * as fc from 'fast-check';
import { toRow } from '../../../source/tail/arena/row.ts';
import { describe, expect, it } from 'vitest';
import '../../support/property-seed.ts';
import { bisect } from '../../../source/tail/arena/bisect.ts';
import {
  type BisectionEnd,
  maxBisectionRequests,
  TimeBisection,
} from '../../../source/tail/log/time-bisection.ts';

/** Returns rows with these times, of which the first one has a text of its own. */
function rowsOf(times: readonly (number | undefined)[], key: string) {
  return times.map((time, row) =>
    toRow({
      logLine: row === 0 ? key : '',
      timestamp: time === undefined ? undefined : new Date(time).toISOString(),
    }),
  );
}

/** A part of a log: its lines, the milliseconds between two of them, and the pause before it. */
interface Part {
  readonly lines: number;
  readonly pace: number;
  readonly pause: number;
}

/** A log of any length, whose lines are not in memory. */
class EndlessLog {
  length = 0;
  readonly parts: readonly Part[];
  readonly #starts: { readonly number: number; readonly time: number; readonly pace: number }[] =
    [];

  constructor(parts: readonly Part[]) {
    this.parts = parts;
    let time = 1_700_000_000_000;
    for (const { lines, pace, pause } of parts) {
      time += pause;
      this.#starts.push({ number: this.length, time, pace });
      this.length += lines;
      time += lines * pace;
    }
  }

  time(number: number): number {
    const at = bisect(this.#starts.length, (index) => (this.#starts[index]?.number ?? 0) <= number);
    const { number: first, time, pace } = this.#starts[at - 1] ?? { number: 0, time: 0, pace: 0 };
    return time + (number - first) * pace;
  }

  /** Returns the number of the first line at or after a time. */
  first(time: number): number {
    return bisect(this.length, (number) => this.time(number) < time);
  }
}

interface Service {
  readonly order: 'newest' | 'oldest';
  readonly maxPage: number;
  /** Lines that come between two requests, and whether the console counts them. */
  readonly drift: number;
  readonly isCounted: boolean;
  /** Lines behind the known line, and by how many its index is wrong. */
  readonly known: number;
  readonly error: number;
}

const usual: Service = {
  order: 'newest',
  maxPage: 1000,
  drift: 0,
  isCounted: true,
  known: 1000,
  error: 0,
};

interface Outcome {
  readonly end: BisectionEnd | undefined;
  readonly requests: number;
  /** Numbers of the oldest and the newest line of the last page. */
  readonly oldest: number;
  readonly newest: number;
}

/** Searches a log of which the newest lines are known. */
function search(log: EndlessLog, time: number, service: Service): Outcome {
  const { order, maxPage, drift, isCounted, error } = service;
  const known = Math.max(0, log.length - service.known);
  const bisection = new TimeBisection({
    time,
    order,
    pageSize: 1000,
    index: (order === 'newest' ? log.length - 1 - known : -known) + error,
    indexTime: log.time(known),
    pace: (log.time(log.length - 1) - log.time(known)) / service.known,
  });
  let { length } = log;
  let [oldest, newest] = [0, 0];
  for (;;) {
    const request = bisection.next(isCounted ? length - log.length : 0);
    if (request === undefined) break;
    const { offset } = request;
    const limit = Math.min(request.limit, maxPage);
    const rows = Math.max(0, Math.min(limit, length - offset));
    oldest = order === 'newest' ? length - offset - rows : offset;
    newest = oldest + rows - 1;
    const times = Array.from({ length: rows }, (_, row) => log.time(oldest + row));
    bisection.page(request, rowsOf(times, String(oldest)));
    length += drift;
  }
  return { end: bisection.end, requests: bisection.requests, oldest, newest };
}

const anyPart = fc.record({
  lines: fc.oneof(fc.integer({ min: 1, max: 5000 }), fc.integer({ min: 1, max: 3_000_000 })),
  pace: fc.constantFrom(0, 1, 7, 1000, 60_000),
  pause: fc.constantFrom(1, 1000, 3_600_000, 40_000_000),
});

/** A log of at most ten million lines, and a time in or before it. */
const anyTarget = fc
  .tuple(
    fc.array(anyPart, { minLength: 1, maxLength: 3 }),
    fc.double({ min: 0, max: 1, noNaN: true }),
    fc.integer({ min: -1, max: 1 }),
  )
  .map(([parts, share, beside]) => {
    const log = new EndlessLog(parts);
    const number = Math.floor(share * Math.max(0, log.length - 1001));
    return { log, time: log.time(number) + beside };
  })
  .filter(({ log, time }) => log.length > 1000 && time < log.time(log.length - 1000));

/** Expects a page with the first line at or after the time, and with the one before it. */
function expectFound(log: EndlessLog, time: number, outcome: Outcome): void {
  const first = log.first(time);
  expect(outcome.end).toBe(first === 0 ? 'begins' : 'found');
  expect(outcome.oldest).toBeLessThanOrEqual(Math.max(0, first - 1));
  expect(outcome.newest).toBeGreaterThanOrEqual(first);
}

describe('a bisection', () => {
  it('finds the first line at or after a time in at most 25 pages of 1,000', () => {
    fc.assert(
      fc.property(anyTarget, fc.constantFrom('newest', 'oldest'), ({ log, time }, order) => {
        const outcome = search(log, time, { ...usual, order });
        expectFound(log, time, outcome);
        expect(outcome.requests).toBeLessThanOrEqual(maxBisectionRequests);
      }),
      { numRuns: 150 },
    );
  });

  it('finds it while lines come between the requests, or says that it stopped where they are not counted', () => {
    fc.assert(
      fc.property(anyTarget, fc.nat(300), fc.boolean(), ({ log, time }, drift, isCounted) => {
        // The end of the log can't be told if neither times nor a count tell lines apart.
        fc.pre(isCounted || log.parts.every(({ pace }) => pace > 0));
        const outcome = search(log, time, { ...usual, drift, isCounted });
        if (outcome.end !== 'exhausted' || isCounted) expectFound(log, time, outcome);
      }),
      { numRuns: 100 },
    );
  });

  it('finds it in smaller pages than it asks for, or says that it stopped', () => {
    fc.assert(
      fc.property(anyTarget, fc.integer({ min: 2, max: 999 }), ({ log, time }, maxPage) => {
        const outcome = search(log, time, { ...usual, maxPage });
        const isEnough = maxPage > 250;
        if (outcome.end !== 'exhausted' || isEnough) expectFound(log, time, outcome);
      }),
      { numRuns: 100 },
    );
  });

  it('finds it though the index of the known line is a guess', () => {
    const anyLine = fc.nat(6999);
    const pages = fc.constantFrom(100, 500, 1000);
    const errors = fc.integer({ min: -900, max: 900 });
    fc.assert(
      fc.property(anyLine, anyLine, pages, errors, (line, behind, maxPage, error) => {
        const log = new EndlessLog([{ lines: 7000, pace: 600, pause: 0 }]);
        const known = Math.max(1000, behind);
        // The time may be before the log begins.
        const time = log.time(0) + (Math.min(line, 7000 - known) - 500) * 600;
        expectFound(log, time, search(log, time, { ...usual, maxPage, known, error }));
      }),
      { numRuns: 200 },
    );
  });

  it('needs few pages where lines come at an even pace', () => {
    const log = new EndlessLog([{ lines: 10_000_000, pace: 10, pause: 0 }]);
    const time = log.time(1_234_567);
    const outcome = search(log, time, usual);
    expectFound(log, time, outcome);
    expect(outcome.requests).toBeLessThanOrEqual(3);
  });

  it('needs few pages where the log begins long after the time', () => {
    const log = new EndlessLog([{ lines: 5000, pace: 10, pause: 0 }]);
    const outcome = search(log, 0, usual);
    expectFound(log, 0, outcome);
    expect(outcome.requests).toBeLessThanOrEqual(10);
  });

  it('finds a time among lines that are out of order by a little', () => {
    const log = new EndlessLog([{ lines: 100_000, pace: 10, pause: 0 }]);
    const sorted = log.time.bind(log);
    log.time = (number) => sorted(number) + ((number * 7919) % 5) * 20;
    const time = sorted(40_000) + 40;
    const outcome = search(log, time, usual);
    expect(outcome.end).toBe('found');
    expect(outcome.oldest).toBeLessThan(40_000);
    expect(outcome.newest).toBeGreaterThan(40_000);
  });
});

const start = { time: 0, order: 'newest', pageSize: 1000, index: 999, pace: 0 } as const;

/** Runs a bisection on pages that a function makes. */
function run(
  answer: (offset: number, bisection: TimeBisection) => readonly (number | undefined)[],
  indexTime = 10_000_000,
): TimeBisection {
  const bisection = new TimeBisection({ ...start, indexTime });
  for (let request = bisection.next(); request !== undefined; request = bisection.next()) {
    const times = answer(request.offset, bisection);
    const key = times[0] === undefined ? String(request.offset) : `${times[0]} ${times.at(-1)}`;
    bisection.page(request, rowsOf(times, key));
  }
  return bisection;
}

/** Times of a page of a log with a line each second, of which the newest is at second 10,000. */
const pageAt = (offset: number) =>
  Array.from({ length: 1000 }, (_, row) => 10_000_000 - (offset + 999 - row) * 1000);

describe('a bisection of a service that does not page as expected', () => {
  it('ends when offsets are ignored', () => {
    const { end, requests } = run(() => pageAt(0));
    expect(end).toBe('fixed');
    expect(requests).toBe(2);
  });

  it('ends when older pages have newer lines', () => {
    expect(run((offset) => pageAt(-offset)).end).toBe('disordered');
  });

  it('ends when lines have no times, but not for a single page of them', () => {
    const { end, requests } = run(() => [undefined, undefined]);
    expect(end).toBe('untimed');
    expect(requests).toBe(3);
    let pages = 0;
    const untimedOnce = run((offset) => {
      pages += 1;
      return pages === 1 ? [undefined] : pageAt(offset);
    });
    expect(untimedOnce.end).toBe('found');
  });

  it('asks for smaller pages when one is refused, and ends where offsets are', () => {
    const bisection = new TimeBisection({ ...start, indexTime: 10_000_000, time: -1 });
    const limits = new Set<number>();
    let last = 0;
    for (let request = bisection.next(); request !== undefined; request = bisection.next()) {
      const { offset, limit } = request;
      limits.add(limit);
      if (limit > 100 || offset > 5000) bisection.refused(request, 100);
      else {
        last = offset;
        const times = pageAt(offset).slice(-limit);
        bisection.page(request, rowsOf(times, String(offset)));
      }
    }
    expect([...limits]).toEqual([1000, 100]);
    expect(bisection.end).toBe('refused');
    expect(last).toBeLessThanOrEqual(5000);
    expect(last).toBeGreaterThan(4900);
  });
});
