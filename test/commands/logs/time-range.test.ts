import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { millisecondOf, nanoseconds } from '../../../source/contract/instant.ts';
import { readIncidentSpan } from '../../../source/commands/incident/write-incident.ts';
import { readTimeRange } from '../../../source/commands/logs/log-range.ts';
import { problemOf } from '../problem-of.ts';

const day = 86_400_000;
const now = Date.UTC(2026, 10, 20, 12, 15);
const instants = fc.integer({ min: Date.UTC(1990, 0), max: Date.UTC(2090, 0) });

const timeOfDay = (at: number): string => new Date(at).toISOString().slice(11, 23);

describe('the time range of a log', () => {
  it('is one between two times of day at each time of the day', () => {
    fc.assert(
      fc.property(instants, instants, instants, (first, last, base) => {
        const [since, until] = [timeOfDay(first), timeOfDay(last)];
        const range = readTimeRange({ since, until }, base, true);
        const [from, to] = [range.since ?? 0n, range.until ?? 0n].map(millisecondOf);
        if (from === undefined || to === undefined) throw new Error('no range');
        expect(from).toBeLessThanOrEqual(base);
        expect(from).toBeGreaterThan(base - day);
        expect(to).toBeGreaterThan(from);
        expect(to).toBeLessThanOrEqual(from + day);
        expect([timeOfDay(from), timeOfDay(to)]).toEqual([since, until]);
      }),
    );
  });

  it('lasts as long while its end is still to come', () => {
    expect(readTimeRange({ since: '12:01', until: '12:31' }, now, true)).toEqual({
      since: nanoseconds(Date.UTC(2026, 10, 20, 12, 1)),
      until: nanoseconds(Date.UTC(2026, 10, 20, 12, 31)),
    });
  });

  it('ends on the day of its beginning', () => {
    const flags = { since: '2026-11-17 12:01', until: '12:31' };
    expect(readTimeRange(flags, now, true)).toMatchObject({
      until: nanoseconds(Date.UTC(2026, 10, 17, 12, 31)),
    });
  });

  it('is open where a time is not given, and refused where a time is none', () => {
    const none = { since: undefined, until: undefined };
    expect(readTimeRange(none, now, true)).toEqual(none);
    const noDay = () => readTimeRange({ ...none, until: '2026-02-30' }, now, true);
    expect(problemOf(noDay)).toMatchObject({
      exit: 2,
      sentence: '--until: There is no such day.',
    });
    const empty = () => readTimeRange({ since: '5m', until: '10m' }, now, true);
    expect(problemOf(empty)).toMatchObject({ exit: 2 });
  });
});

describe('the span of an incident', () => {
  const none = { since: undefined, until: undefined };
  const local = (at: number): string => new Date(at).toTimeString().slice(0, 8);

  it('is the half hour before now, or before its end', () => {
    expect(readIncidentSpan(none, now)).toEqual({ since: now - 1_800_000, until: now });
    expect(readIncidentSpan({ ...none, until: '2h' }, now)).toEqual({
      since: now - 9_000_000,
      until: now - 7_200_000,
    });
  });

  it('ends now where its end is still to come', () => {
    const flags = { since: local(now - 600_000), until: local(now + 600_000) };
    expect(readIncidentSpan(flags, now)).toEqual({ since: now - 600_000, until: now });
  });

  it('has begun', () => {
    const flags = { since: '2026-11-21T12:00Z', until: '2026-11-22T12:00Z' };
    expect(problemOf(() => readIncidentSpan(flags, now))).toMatchObject({ exit: 2 });
  });
});
