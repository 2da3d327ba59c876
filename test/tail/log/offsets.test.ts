import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import '../../support/property-seed.ts';
import type { LogLine } from '../../../source/contract/logs.ts';
import { toRow } from '../../../source/tail/arena/row.ts';
import { Sequence } from '../../../source/tail/arena/sequence.ts';
import { Log } from '../../../source/tail/log/log.ts';

const began = Date.UTC(2026, 0, 1);

const service = fc.record({
  order: fc.constantFrom('newest' as const, 'oldest' as const),
  rows: fc.constantFrom('newest' as const, 'oldest' as const),
  lines: fc.oneof(fc.nat({ max: 3000 }), fc.nat({ max: 100_000_000 })),
  pageCap: fc.constantFrom(20, 100, 1000),
  pageSize: fc.constantFrom(100, 200),
  /** Lines that come between two requests, and whether the service drops as many. */
  rate: fc.constantFrom(0, 0, 1, 40),
  isFull: fc.boolean(),
  /** Milliseconds between two lines by their times, of which some are far off. */
  pace: fc.constantFrom(0, 1, 1000),
  odd: fc.constantFrom(Number.POSITIVE_INFINITY, 3, 100),
  /** Milliseconds between the last line and now; undefined for an unknown time. */
  age: fc.constantFrom(undefined, 0, 1000, 86_400_000, -60_000),
});

describe('the meaning of offsets', () => {
  it('is found, with the newest lines, in 2 log2(n) + 6 requests', () => {
    fc.assert(
      fc.property(service, (shape) => {
        const { order, pageCap, pageSize, pace, odd, age } = shape;
        // Nothing tells the order while a page has the whole log, and pages must outrun arrivals.
        const isShort = shape.lines < 4 * pageSize;
        const rate = isShort || pageCap < 100 ? 0 : shape.rate;
        let [from, to] = [0, shape.lines];
        const lineAt = (number: number): LogLine => ({
          id: number + 1,
          timestamp: new Date(
            began + number * pace - (number % odd === 0 ? 3_600_000 : 0),
          ).toISOString(),
          logLine: `line ${number}`,
        });
        const sequence = new Sequence<LogLine>({
          row: toRow,
          encode: (line) => Buffer.from(JSON.stringify(line)),
          decode: (bytes, start, end) =>
            JSON.parse(Buffer.from(bytes.subarray(start, end)).toString()) as LogLine,
          plain: (logLine) => ({ logLine }),
          maxLines: 100_000,
          maxBytes: Number.POSITIVE_INFINITY,
        });
        const log = new Log<LogLine>(sequence, { history: 10, pageSize, patience: 6 });
        log.poll();
        let requests = 0;
        const trace: string[] = [];
        for (; requests < 200; requests += 1) {
          log.ask(age === undefined ? undefined : began + to * pace + age);
          if (log.asking === undefined && !log.pages.offsets.isCertain && !log.isComplete) {
            // The direction of a page is a guess until another one is read.
            log.older(2 * pageSize);
            log.ask();
          }
          const { asking } = log;
          if (asking === undefined || (log.pages.offsets.isCertain && log.pages.isHeadKnown)) break;
          const { offset } = asking;
          const limit = Math.min(asking.limit, pageCap);
          const [first, last] =
            order === 'oldest'
              ? [Math.min(to, from + offset), Math.min(to, from + offset + limit)]
              : [Math.max(from, to - offset - limit), Math.max(from, to - offset)];
          trace.push(`${asking.target} ${offset}+${asking.limit}:${last - first}`);
          const lines = Array.from({ length: last - first }, (_, row) => lineAt(first + row));
          if (shape.rows === 'newest') lines.reverse();
          log.page(asking, lines.map(toRow));
          to += rate;
          if (shape.isFull) from += rate;
        }
        const what = trace.join(', ');
        expect(requests, what).toBeLessThanOrEqual(2 * Math.log2(Math.max(2, to - from)) + 6);
        if (to - from > 2 * pageSize) expect(log.pages.offsets.order, what).toBe(order);
        const newest = sequence.at(sequence.length - 1);
        const end = newest?.kind === 'line' ? Number(newest.line.id) : 0;
        expect(end, what).toBeGreaterThanOrEqual(to - (requests + 1) * rate);
      }),
      {
        numRuns: 120,
        // It has grown past the page that seemed to end it, and its times lead far behind its end.
        examples: [
          [
            {
              order: 'oldest',
              rows: 'newest',
              lines: 1950,
              pageCap: 100,
              pageSize: 100,
              rate: 40,
              isFull: false,
              pace: 1,
              odd: Number.POSITIVE_INFINITY,
              age: 86_400_000,
            },
          ],
        ],
      },
    );
  });
});
