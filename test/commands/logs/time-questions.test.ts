import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import '../../support/property-seed.ts';
import { exitCodes } from '../../../source/commands/exit-codes.ts';
import { noCriteria } from '../../../source/commands/logs/line-selector.ts';
import { nanoseconds } from '../../../source/contract/instant.ts';
import { FollowedLog } from '../../../source/store/log/feed/followed-log.ts';
import { LogFilter } from '../../../source/store/log/reader/filter.ts';
import { createReaderState } from '../../../source/store/log/tail.ts';
import { jumpToTime } from '../../../source/store/log/reader/time-jump.ts';
import { LogView } from '../../../source/store/log/reader/view.ts';
import { ComputedLog, type ComputedLogOptions } from '../../servers/computed-log.ts';
import { createTestClock } from '../../support/clock.ts';
import { startLogs } from './run-logs.ts';

const hour = 3_600_000;
const began = Date.UTC(2026, 0, 1);

type Shape = Pick<ComputedLogOptions, 'lines' | 'timeOf' | 'offsets'> &
  Partial<ComputedLogOptions> & { readonly now?: number | undefined };

function createModel(shape: Shape) {
  const clock = createTestClock(shape.now ?? began + 100 * 24 * hour);
  return { clock, model: new ComputedLog({ ...shape, clock }) };
}

/** Starts `logs --since --until`. */
function startRange(
  { clock, model }: ReturnType<typeof createModel>,
  range: { readonly since: number; readonly until?: number | undefined; readonly follow: boolean },
) {
  const { since, until, follow } = range;
  return startLogs({
    client: { logs: model },
    clock,
    random: () => 0,
    id: 'd',
    json: true,
    follow,
    limit: Number.POSITIVE_INFINITY,
    criteria: {
      ...noCriteria,
      since: nanoseconds(since),
      until: until === undefined ? undefined : nanoseconds(until),
    },
  });
}

/** Runs `logs --since --until` to its end. */
async function readRange(shape: Shape, since: number, until?: number) {
  const { clock, model } = createModel(shape);
  const logs = startRange({ clock, model }, { since, until, follow: false });
  const exit = { code: undefined as number | undefined };
  void logs.exit.then((code) => (exit.code = code));
  for (let waits = 0; exit.code === undefined && waits < 1000; waits += 1)
    await clock.advance(60_000);
  const numbers = logs.lines().map((line) => Number(/"id":(\d+)/.exec(line)?.[1]) - 1);
  return { numbers, exit: exit.code, notes: logs.notes(), requests: model.queries.length };
}

/** Opens a log and goes to a time. Resolves to the number of the line and of the requests for it. */
async function goTo(shape: Shape, time: number) {
  const { clock, model } = createModel(shape);
  const log = new FollowedLog({ client: model, deploymentId: 'd', clock, random: () => 0 });
  const { entries } = log;
  const view = new LogView({ entries, received: () => 0 });
  const filter = new LogFilter({
    entries,
    onInserted: (listener) => log.onInserted(listener),
    clock,
  });
  const tail = { log, entries, view, filter, reading: createReaderState(entries, view) };
  await clock.advance(5000);
  const { length } = model.queries;
  const said: string[] = [];
  const say = (text: string) => void said.push(text);
  jumpToTime({ tail, time, now: clock.now(), utc: true, clock, say });
  for (let waits = 0; said.length === 0 && waits < 1000; waits += 1) await clock.advance(1000);
  const requests = model.queries.length - length;
  const position = view.position.getState();
  const entry =
    position.kind === 'frozen' ? entries.at(entries.indexOf(position.cursor)) : undefined;
  log.stop();
  const number = entry?.kind === 'line' ? Number(entry.line.id) - 1 : undefined;
  return { number, requests, said };
}

const orders = ['newest', 'oldest'] as const;

/** Milliseconds by which the clocks of three services are off. */
const clocks = [-7000, 0, 45_000];

describe('a log of ten million lines in pages of a hundred', () => {
  const lines = 10_000_000;
  const timeOf = (number: number): number => began + number * 100;
  const skewed = (number: number): number => timeOf(number) + (clocks[number % 3] ?? 0);
  const end = timeOf(lines);
  const shapes = orders.map((offsets) => ({
    name: `${offsets} first, three clocks`,
    shape: { lines, offsets, timeOf: skewed, now: end },
  }));

  /** A range of 9,000 lines: nearly a hundred pages, and many times what the clocks differ by. */
  const quarter = hour / 4;

  /** Requests for a range: its pages, two on either side, and 40. */
  function most(found: number): number {
    return Math.ceil(found / 100) + 4 + 40;
  }

  it.each(shapes)('is read since a quarter of an hour ago: $name', async ({ shape }) => {
    const since = end - quarter;
    const { numbers, requests, exit, notes } = await readRange(shape, since);
    expect([exit, notes]).toEqual([exitCodes.done, []]);
    const first = lines - 13_000;
    const wanted = Array.from({ length: 13_000 }, (_, index) => first + index).filter(
      (number) => shape.timeOf(number) >= since,
    );
    expect(numbers).toEqual(wanted);
    expect(requests).toBeLessThanOrEqual(most(wanted.length));
  });

  it('is read to its end, oldest first, although it has ended long ago', async () => {
    const shape = { lines, offsets: 'oldest', timeOf } as const;
    const { numbers, requests } = await readRange(shape, end - quarter);
    expect(numbers.length).toBe(9000);
    expect(requests).toBeLessThanOrEqual(most(9000) + 20);
  });

  it.each(shapes)('is read in a quarter of an hour far back: $name', async ({ shape }) => {
    const since = end - 101 * hour;
    const { numbers, requests, exit, notes } = await readRange(shape, since, since + quarter);
    expect([exit, notes]).toEqual([exitCodes.done, []]);
    const first = lines - 101 * 36_000 - 2000;
    const wanted = Array.from({ length: 13_000 }, (_, index) => first + index).filter(
      (number) => shape.timeOf(number) >= since && shape.timeOf(number) < since + quarter,
    );
    expect(numbers).toEqual(wanted);
    // The walk begins two minutes behind the range, and pages behind that are looked at, too.
    expect(requests).toBeLessThanOrEqual(most(wanted.length) + 36);
  });

  it.each(shapes)('is gone to at a time: $name', async ({ shape }) => {
    for (const hours of [0.01, 1, 100, 200]) {
      const time = end - hours * hour;
      const { number, requests } = await goTo(shape, time);
      const near = Math.round(lines - hours * 36_000) - 1000;
      const wanted = Array.from({ length: 2000 }, (_, index) => near + index).find(
        (each) => shape.timeOf(each) >= time,
      );
      expect([hours, number]).toEqual([hours, wanted]);
      expect(requests).toBeLessThanOrEqual(44);
    }
  });
});

describe('a log of services with clocks of their own', () => {
  const lines = 8000;
  const trueTime = (number: number): number => began + number * 400;
  /** Returns times of four services, of which the last one sets its clock back by an hour in the middle. */
  const timeOf = (number: number): number =>
    number % 4 < 3
      ? trueTime(number) + (clocks[number % 4] ?? 0)
      : trueTime(number) - (number < lines / 2 ? 0 : hour);
  const all = Array.from({ length: lines }, (_, number) => number);
  /** Seconds from the beginning. */
  const times = [0, 1599, 1800, 3160];

  it.each(orders)('has since a time all lines that a filter finds: %s first', async (offsets) => {
    for (const seconds of times) {
      const since = began + seconds * 1000;
      const { numbers, exit } = await readRange({ lines, offsets, timeOf }, since);
      expect([seconds, exit]).toEqual([seconds, exitCodes.done]);
      expect(numbers).toEqual(all.filter((number) => timeOf(number) >= since));
    }
  });

  it.each(orders)('is gone to at the first line that a filter finds: %s first', async (offsets) => {
    for (const seconds of times) {
      const time = began + seconds * 1000;
      const { number } = await goTo({ lines, offsets, timeOf }, time);
      expect([seconds, number]).toEqual([seconds, all.find((each) => timeOf(each) >= time)]);
    }
  });

  it.each(orders)(
    'has to a time the lines of a clock that is set back later: %s first',
    async (offsets) => {
      const count = 3000;
      const set = (number: number): number =>
        trueTime(number) - (number % 3 === 1 && number >= count / 2 ? hour : 0);
      const serviceOf = (number: number): string => `service-${number % 3}`;
      const shape = { lines: count, offsets, timeOf: set, serviceOf, maxPage: 500 };
      for (const seconds of [60, 200]) {
        const until = began + seconds * 1000;
        const { numbers, exit } = await readRange(shape, began - 2 * hour, until);
        expect([seconds, exit]).toEqual([seconds, exitCodes.done]);
        expect(numbers).toEqual(all.slice(0, count).filter((number) => set(number) < until));
      }
    },
  );

  it.each(orders)('is read whole where the only clock was set: %s first', async (offsets) => {
    const set = (number: number): number => trueTime(number) - (number < lines / 2 ? 0 : hour);
    for (const seconds of [400, 1500]) {
      const since = began + seconds * 1000;
      const { numbers } = await readRange({ lines, offsets, timeOf: set }, since);
      expect(numbers).toEqual(all.filter((number) => set(number) >= since));
      const until = since + 200_000;
      const range = await readRange({ lines, offsets, timeOf: set }, since, until);
      expect(range.numbers).toEqual(
        all.filter((number) => set(number) >= since && set(number) < until),
      );
      const { number } = await goTo({ lines, offsets, timeOf: set }, since);
      expect([seconds, number]).toEqual([seconds, all.find((each) => set(each) >= since)]);
    }
  });
});

/** Services whose clocks differ, or a single one that sets its clock once. */
const servicesOf = fc.record({
  lines: fc.integer({ min: 0, max: 3000 }),
  offsets: fc.constantFrom(...orders),
  pace: fc.constantFrom(10, 400, 5000),
  skews: fc.array(fc.constantFrom(0, 100, -100, -7000, 45_000, -hour, hour), {
    minLength: 1,
    maxLength: 3,
  }),
  /** Pages at doubling distances find lines before a step only where they are many. */
  stepAt: fc.double({ min: 0.25, max: 0.75, noNaN: true }),
  step: fc.constantFrom(0, 0, -2000, -hour, hour),
  isTimed: fc.boolean(),
  since: fc.double({ min: -0.2, max: 1.1, noNaN: true }),
  span: fc.option(fc.double({ min: 0.01, max: 1, noNaN: true })),
});

describe('a question about time', () => {
  it('is a filter over the whole record, or says that it is not', async () => {
    await fc.assert(
      fc.asyncProperty(servicesOf, async (drawn) => {
        const { lines, offsets, pace, skews } = drawn;
        const step = skews.length === 1 ? drawn.step : 0;
        const stepAt = drawn.stepAt * lines;
        const timeOf = (number: number): number =>
          began +
          number * pace +
          (skews[number % skews.length] ?? 0) +
          (number % skews.length === 0 && number >= stepAt ? step : 0);
        const since = Math.round(began + drawn.since * lines * pace);
        const until =
          drawn.span === null ? undefined : since + Math.round(drawn.span * lines * pace);
        const now = drawn.isTimed ? began + lines * pace : undefined;
        const serviceOf = (number: number): string => `service-${number % skews.length}`;
        const shape = { lines, offsets, timeOf, serviceOf, now };
        const { numbers, exit } = await readRange(shape, since, until);
        if (exit === exitCodes.unreachable) return;
        const wanted = Array.from({ length: lines }, (_, number) => number).filter(
          (number) =>
            timeOf(number) >= since && timeOf(number) < (until ?? Number.POSITIVE_INFINITY),
        );
        expect(numbers).toEqual(wanted);
      }),
      { numRuns: 40 },
    );
  });
});

describe('a walk back that has to stop early', () => {
  it('exits with 8 when it fails to look farther back for a clock that was set', async () => {
    const timeOf = (number: number): number => began + number * 1000;
    const shape = { lines: 50_000, offsets: 'newest', failedFrom: 10_000, timeOf } as const;
    const { notes, exit } = await readRange(shape, timeOf(49_000));
    expect(exit).toBe(exitCodes.unreachable);
    expect(notes).toContainEqual(expect.stringMatching(/the service gave no more \(HTTP 503\)/));
  });

  it('says up to which time it read where the newest lines are refused, and exits with 8', async () => {
    const timeOf = (number: number): number => began + number * 1000;
    const shape = { lines: 50_000, offsets: 'oldest', refusedFrom: 10_000, timeOf } as const;
    for (const since of [49_000, 9000]) {
      const { numbers, notes, exit } = await readRange(shape, timeOf(since));
      expect(exit).toBe(exitCodes.unreachable);
      expect(notes).toEqual([
        expect.stringMatching(
          /^Read up to 2026-01-01T02:4[\d:.+]+; the service gave no more \(HTTP 400 at offset 10,\d\d\d\)\. Newer lines may be missing\.$/,
        ),
      ]);
      const last = Math.max(9999, numbers.at(-1) ?? 0);
      expect(numbers).toEqual(
        Array.from({ length: Math.max(0, last + 1 - since) }, (_, index) => since + index),
      );
    }
  });

  it('says that it read no line where the newest ones are refused while it follows', async () => {
    const timeOf = (number: number): number => began + number * 1000;
    const world = createModel({ lines: 50_000, offsets: 'oldest', refusedFrom: 10_000, timeOf });
    const logs = startRange(world, { since: timeOf(49_000), follow: true });
    await world.clock.advance(60_000);
    expect(logs.notes()).toContainEqual(
      expect.stringMatching(
        /^Read no earlier line; the service gave no more \(HTTP 400 at offset [\d,]+\)\. Lines since 2026-01-01T13:36:40\.000\+00:00 may be missing\.$/,
      ),
    );
    logs.interrupt();
    await logs.exit;
  });

  it('reads a range before the newest lines where these are refused', async () => {
    const timeOf = (number: number): number => began + number * 1000;
    const shape = { lines: 50_000, offsets: 'oldest', refusedFrom: 10_000, timeOf } as const;
    const { numbers, notes, exit } = await readRange(shape, timeOf(3000), timeOf(4000));
    expect([exit, notes]).toEqual([exitCodes.done, []]);
    expect(numbers).toEqual(Array.from({ length: 1000 }, (_, index) => 3000 + index));
  });

  it('reads all of a log whose service refuses offsets behind its last line', async () => {
    const timeOf = (number: number): number => began + number * 1000;
    const shape = { lines: 5010, offsets: 'oldest', refusedFrom: 5010, timeOf } as const;
    const { numbers, notes, exit } = await readRange(shape, timeOf(4000));
    expect([exit, notes]).toEqual([exitCodes.done, []]);
    expect(numbers).toEqual(Array.from({ length: 1010 }, (_, index) => 4000 + index));
  });

  it('asks for smaller pages where large ones are refused', async () => {
    const timeOf = (number: number): number => began + number * 1000;
    for (const offsets of orders) {
      const shape = { lines: 2000, offsets, refusedAbove: 100, timeOf } as const;
      const { numbers, notes, exit } = await readRange(shape, timeOf(1500));
      expect([exit, notes]).toEqual([exitCodes.done, []]);
      expect(numbers).toEqual(Array.from({ length: 500 }, (_, index) => 1500 + index));
    }
  });

  it('says up to which time and offset the service gave lines, and exits with 8', async () => {
    const timeOf = (number: number): number => began + number * 1000;
    const shape = { lines: 50_000, offsets: 'newest', refusedFrom: 10_000, timeOf } as const;
    const { notes, exit } = await readRange(shape, began);
    expect(exit).toBe(exitCodes.unreachable);
    expect(notes).toEqual([
      expect.stringMatching(
        /^Read back to 2026-01-01T[\d:.+]+, 10,\d\d\d lines; the service gave no more \(HTTP 400 at offset 10,\d\d\d\)\. Lines since 2026-01-01T00:00:00\.000\+00:00 may be missing\.$/,
      ),
    ]);
  });
});
