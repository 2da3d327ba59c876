import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { LogLine } from '../../../source/contract/logs.ts';
import type { Entries, Entry } from '../../../source/tail/arena/entries.ts';
import { toRow } from '../../../source/tail/arena/row.ts';
import {
  firstSince,
  fitsMostly,
  middleTime,
  tellsStepBack,
  TimeWalk,
} from '../../../source/tail/log/time-walk.ts';

const minute = 60_000;

/** Lines each a little later than the one before, with times that are up to two minutes late. */
const times = fc
  .array(fc.tuple(fc.integer({ min: 0, max: 20_000 }), fc.integer({ min: 0, max: 2 * minute })), {
    maxLength: 300,
  })
  .map((lines) => {
    let now = 0;
    return lines.map(([step, late]) => {
      now += step;
      return now - late;
    });
  });

/** Reads pages back until the walk is done. Returns the index of the oldest line that was read. */
function readBack(walk: TimeWalk, all: readonly (number | undefined)[], pageSize: number): number {
  let end = all.length;
  while (end > 0 && !walk.isDone) {
    const start = Math.max(0, end - pageSize);
    walk.page(all.slice(start, end));
    end = start;
  }
  return end;
}

describe('a walk back to a time', () => {
  it('leaves no line unread that fits, where clocks differ by two minutes', () => {
    fc.assert(
      fc.property(times, fc.integer({ min: 1, max: 20 }), fc.nat(), (all, pageSize, pick) => {
        const bound = all[pick % Math.max(1, all.length)] ?? 0;
        // Twenty pages before the bound would end the walk by themselves.
        fc.pre(all.length < 20 * pageSize);
        const walk = new TimeWalk(bound);
        const end = readBack(walk, all, pageSize);
        expect(all.slice(0, end).every((time) => time < bound)).toBe(true);
      }),
    );
  });

  it('goes on as far as twice the greatest step back of the times', () => {
    const hour = 60 * minute;
    const walk = new TimeWalk(10 * hour);
    walk.page([11 * hour, 10 * hour, 11 * hour]);
    walk.page([9 * hour, 9 * hour + 1]);
    walk.page([8 * hour + 1, 8 * hour + 2]);
    expect(walk.isDone).toBe(false);
    walk.page([7 * hour]);
    expect(walk.isDone).toBe(true);
    expect(walk.newestOfLast).toBe(7 * hour);
  });

  it('ends after twenty pages just before the time', () => {
    const walk = new TimeWalk(1000);
    for (let page = 0; page < 19; page += 1) walk.page([999]);
    expect(walk.isDone).toBe(false);
    walk.page([999]);
    expect(walk.isDone).toBe(true);
  });

  it('learns nothing from lines without a time', () => {
    const walk = new TimeWalk(1000);
    for (let page = 0; page < 30; page += 1) walk.page([undefined]);
    expect(walk.isDone).toBe(false);
    expect(walk.newestOfLast).toBeUndefined();
  });
});

describe('a page in a range of time', () => {
  const fits = (time: number): boolean => time < 10;
  const isFit = (...lines: readonly (readonly [number | undefined, string?])[]): boolean =>
    fitsMostly(
      lines.map(([time, serviceName]) =>
        toRow({
          logLine: '',
          serviceName,
          timestamp: time === undefined ? undefined : new Date(time).toISOString(),
        }),
      ),
      fits,
    );

  it('fits when most of its lines with a time do', () => {
    expect(isFit([1], [2], [20], [undefined], [undefined])).toBe(true);
    expect(isFit([1], [20])).toBe(false);
    expect(isFit([undefined])).toBe(false);
  });

  it('fits when most of the lines of one service do', () => {
    expect(isFit([20, 'web'], [21, 'web'], [22, 'web'], [1, 'db'])).toBe(true);
    expect(isFit([20, 'web'], [21, 'web'], [1, 'web'], [30, 'db'])).toBe(false);
  });
});

describe('a page farther back', () => {
  it('tells that a clock has stepped back when it is clearly newer', () => {
    expect(tellsStepBack(middleTime([1, 10 * minute, undefined, 11 * minute]), 9 * minute)).toBe(
      false,
    );
    expect(tellsStepBack(11 * minute, 9 * minute)).toBe(false);
    expect(tellsStepBack(11 * minute + 1, 9 * minute)).toBe(true);
    expect(tellsStepBack(middleTime([1, 20 * minute, 21 * minute]), 9 * minute)).toBe(true);
    expect(tellsStepBack(middleTime([undefined]), 0)).toBe(false);
  });
});

/** Returns lines with these times, ms since the epoch, and unread gaps where there is none. */
function entriesOf(all: readonly (number | undefined)[]): Entries<LogLine> {
  const entries = all.map((time): Entry<LogLine> => {
    if (time === undefined)
      return { kind: 'gap', state: { kind: 'missing', why: 'unread' } } as Entry<LogLine>;
    const line = { timestamp: new Date(time).toISOString(), logLine: '' };
    return { kind: 'line', line } as Entry<LogLine>;
  });
  const { length } = entries;
  const part: Partial<Entries<LogLine>> = {
    length,
    at: (index: number) => entries[index],
    slice: (from: number, to: number) => entries.slice(from, to),
  };
  return part as Entries<LogLine>;
}

describe('the first line since a time', () => {
  const second = 1000;
  const time = 1050 * second;
  /** Returns times of lines of which one alone is too late for its place, and an unread gap where one is wanted. */
  const withAhead = (ahead: number, gap?: number) =>
    entriesOf(
      Array.from({ length: 1300 }, (_, index) => {
        if (index === gap) return undefined;
        return index === ahead ? time + second : index * second;
      }),
    );

  it('may be anywhere within two minutes of lines before it', () => {
    for (let ahead = 930; ahead < 1050; ahead += 1)
      expect(firstSince(withAhead(ahead), time, false).index).toBe(ahead);
  });

  it('may be the last one before an unread gap', () => {
    expect(firstSince(withAhead(999, 1000), time, false)).toEqual({ index: 999, unread: 1001 });
  });
});
