import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { LogLine } from '../../../source/contract/logs.ts';
import type { Entry } from '../../../source/tail/arena/entries.ts';
import { hasTimes, indexOfTime, findTime } from '../../../source/tail/arena/time-search.ts';
import { listedEntries } from '../../support/listed-entries.ts';

const iso = (time: number): string => new Date(time).toISOString();

/** Creates lines with these times; undefined for a line without one. */
function linesAt(times: readonly (number | undefined)[]) {
  return listedEntries(
    times.map((time, index) => ({
      logLine: `line ${index}`,
      ...(time === undefined ? {} : { timestamp: iso(time) }),
    })),
  );
}

/** The first line after the split with the fewest lines on the wrong side. */
function bestIndex(times: readonly (number | undefined)[], time: number): number {
  const timed = times.flatMap((at, index) => (at === undefined ? [] : [{ at, index }]));
  const wrongAt = (split: number) =>
    timed.filter(({ at }, count) => (count < split ? at >= time : at < time)).length;
  const splits = Array.from({ length: timed.length + 1 }, (_, split) => split);
  const fewest = Math.min(...splits.map(wrongAt));
  const best = splits.find((split) => wrongAt(split) === fewest) ?? 0;
  return timed[best]?.index ?? times.length;
}

describe('the first line at or after a time', () => {
  it('is exact when times rise', () => {
    const times = fc
      .array(fc.integer({ min: 0, max: 500 }), { maxLength: 200 })
      .map((all) => all.sort((left, right) => left - right));
    fc.assert(
      fc.property(times, fc.integer({ min: -1, max: 501 }), (all, time) => {
        const first = all.findIndex((at) => at >= time);
        expect(indexOfTime(linesAt(all), time, 8)).toBe(first === -1 ? all.length : first);
      }),
    );
  });

  it('is the best split when lines are slightly out of order or without a time', () => {
    const shaken = fc
      .array(fc.tuple(fc.integer({ min: 0, max: 4 }), fc.boolean()), { maxLength: 150 })
      .map((all) =>
        all
          .map(([off, isTimed], place) => ({ place, key: place + off, isTimed }))
          .sort((left, right) => left.key - right.key)
          .map(({ place, isTimed }) => (isTimed ? place * 10 : undefined)),
      );
    fc.assert(
      fc.property(shaken, fc.integer({ min: -5, max: 1500 }), (times, time) => {
        expect(indexOfTime(linesAt(times), time, 40)).toBe(bestIndex(times, time));
      }),
    );
  });

  it('is found among a million lines with few reads', () => {
    let reads = 0;
    const length = 1_000_000;
    const entries = {
      ...listedEntries([]),
      length,
      at(index: number): Entry<LogLine> | undefined {
        reads += 1;
        const line = { logLine: '', timestamp: iso(index * 10) };
        return index < 0 || index >= length
          ? undefined
          : { kind: 'line', seq: index, place: index, line };
      },
    };
    expect(indexOfTime(entries, 7_654_321)).toBe(765_433);
    expect(reads).toBeLessThan(700);
  });

  it('may come from the start of the text', () => {
    const entries = listedEntries([
      { logLine: '2026-11-20 12:00:00 one' },
      { logLine: '    more of it' },
      { logLine: '2026-11-20 12:00:05,250 two' },
    ]);
    expect(indexOfTime(entries, Date.UTC(2026, 10, 20, 12, 0, 1))).toBe(2);
    expect(findTime(entries, 1)).toBe(Date.UTC(2026, 10, 20, 12, 0, 5, 250));
    expect(findTime(entries, 1, -1)).toBe(Date.UTC(2026, 10, 20, 12));
    expect(hasTimes(entries)).toBe(true);
  });

  it('is distinguished from a log without times', () => {
    expect(hasTimes(linesAt([undefined, undefined]))).toBe(false);
    expect(hasTimes(linesAt([]))).toBe(false);
    expect(indexOfTime(linesAt([undefined, undefined]), 0)).toBe(2);
  });
});
