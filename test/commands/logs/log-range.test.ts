import * as fc from 'fast-check';
import { nanoseconds } from '../../../source/contract/instant.ts';
import { describe, expect, it, test } from 'vitest';
import type { LogLine } from '../../../source/contract/logs.ts';
import { createHistoryReach } from '../../../source/commands/logs/history-reach.ts';
import {
  createLineSelector,
  type LineCriteria,
  noCriteria,
} from '../../../source/commands/logs/line-selector.ts';
import { readLogPart } from '../../../source/commands/logs/log-range.ts';
import { guardOf } from '../../../source/store/time/clock.ts';
import { FakeLog } from '../../tail/fake-log.ts';
import { problemOf } from '../problem-of.ts';

const now = Date.UTC(2026, 10, 20, 12);

const noFlags = {
  since: undefined,
  until: undefined,
  previous: false,
  grep: [],
  'invert-match': false,
  level: undefined,
  service: [],
  stream: [],
  limit: undefined,
} as const;

/** Returns the selected texts of lines. */
function selected(
  criteria: Partial<LineCriteria>,
  lines: readonly (string | LogLine)[],
): readonly string[] {
  const selector = createLineSelector({ ...noCriteria, ...criteria }, guardOf({}));
  const all = lines.map((line) => (typeof line === 'string' ? { logLine: line } : line));
  const passed = selector.select(all, undefined) ?? [];
  return all.filter((_, index) => passed[index]).map(({ logLine }) => logLine);
}

describe('the part of a log', () => {
  it('is the last hundred lines where nothing is said', () => {
    expect(readLogPart(noFlags, now, true)).toMatchObject({
      limit: 100,
      service: undefined,
      criteria: noCriteria,
    });
  });

  it('is all since a time, or the last lines since then', () => {
    const since = readLogPart({ ...noFlags, since: '30m' }, now, true);
    expect(since).toMatchObject({
      limit: Infinity,
      criteria: { since: nanoseconds(now - 30 * 60_000) },
    });
    const last = readLogPart({ ...noFlags, since: '2026-11-20T11:00Z', limit: 5 }, now, true);
    expect(last).toMatchObject({
      limit: 5,
      criteria: { since: nanoseconds(now - 3_600_000) },
    });
  });

  it('reads times without a zone in UTC where times are shown so', () => {
    const part = readLogPart({ ...noFlags, until: '2026-11-20 11:30' }, now, true);
    expect(part).toMatchObject({
      limit: 100,
      criteria: { until: nanoseconds(now - 1_800_000) },
    });
  });

  it('must have a beginning before its end', () => {
    const read = () => readLogPart({ ...noFlags, since: '5m', until: '10m' }, now, true);
    expect(problemOf(read)).toMatchObject({ exit: 2 });
  });

  it('has one service by request, several by selection', () => {
    expect(readLogPart({ ...noFlags, service: ['web'] }, now, true)).toMatchObject({
      service: 'web',
      criteria: { services: [] },
    });
    expect(readLogPart({ ...noFlags, service: ['web', 'api'] }, now, true)).toMatchObject({
      service: undefined,
      criteria: { services: ['web', 'api'] },
    });
  });

  it('names an expression that is none', () => {
    const read = () => readLogPart({ ...noFlags, grep: ['\\u{zz}'] }, now, true);
    expect(problemOf(read)).toMatchObject({ exit: 2 });
  });
});

describe('lines are selected', () => {
  it('by patterns, one of which must match, or none', () => {
    const lines = ['GET /', 'POST /pay', 'Error: no', 'error: yes'];
    expect(selected({ patterns: ['^post', 'Error'] }, lines)).toEqual(['POST /pay', 'Error: no']);
    expect(selected({ patterns: ['^post', 'Error'], isInverted: true }, lines)).toEqual([
      'GET /',
      'error: yes',
    ]);
    expect(selected({ patterns: ['!'] }, ['a', 'b!'])).toEqual(['b!']);
    expect(selected({ patterns: ['red'] }, ['\u001b[31mr\u001b[0med'])).toHaveLength(1);
  });

  it('by the level that their text shows, under any of its names', () => {
    const lines = ['[SEVERE] a', 'level=warning b', '{"severity":"CRITICAL"}', 'info: c', 'd'];
    expect(selected({ level: 'error' }, lines)).toEqual(['[SEVERE] a', '{"severity":"CRITICAL"}']);
    expect(selected({ level: 'warn' }, lines)).toEqual(lines.slice(0, 3));
  });

  it('by services and streams, which a line has to tell', () => {
    const lines = [
      { logLine: 'a', serviceName: 'web', stream: 'stdout' },
      { logLine: 'b', serviceName: 'api', stream: 'STDERR' },
      { logLine: 'c' },
    ];
    expect(selected({ services: ['web', 'api'] }, lines)).toEqual(['a', 'b']);
    expect(selected({ streams: ['stderr'] }, lines)).toEqual(['b']);
  });

  it('by time to the nanosecond, as far as lines and flags have it', () => {
    const lines = [
      '2015-09-18T11:30:14.878498664Z line 4',
      '2015-09-18T11:30:15.383748382Z line 5',
      '  of line 5',
      '2015-09-18T11:30:15.383748999Z line 6',
      '2015-09-18T11:30:15.3839Z line 7',
    ];
    const between = (since: string, until: string): readonly string[] => {
      const { criteria } = readLogPart({ ...noFlags, since, until }, now, true);
      return selected(criteria, lines).map((line) => line.slice(-1));
    };
    const day = '2015-09-18T';
    expect(between(`${day}11:30:15Z`, `${day}11:30:15.383748900Z`)).toEqual(['5', '5']);
    expect(between(`${day}11:30:15.3837489Z`, `${day}11:30:16Z`)).toEqual(['6', '7']);
    expect(between(`${day}11:30:15.383748382Z`, `${day}11:30:15.383748383Z`)).toEqual(['5', '5']);
    expect(between(`${day}11:30:14.878498665Z`, `${day}11:30:15.3839Z`)).toEqual(['5', '5', '6']);
  });

  it('by time; a line without one has that of the line before', () => {
    const lines = [
      { logLine: 'early', timestamp: '2026-11-20T10:00:00Z' },
      '2026-11-20 11:00:00 begin',
      '  at a frame',
      { logLine: 'end', timestamp: '2026-11-20T11:30:00Z' },
      '  at another',
    ];
    const range = { since: nanoseconds(now - 3_600_000), until: nanoseconds(now - 1_800_000) };
    expect(selected(range, lines)).toEqual(['2026-11-20 11:00:00 begin', '  at a frame']);
  });
});

/** Returns a log of lines with these texts, a second apart. */
function logOf(texts: readonly string[]) {
  const log = new FakeLog<LogLine>(({ logLine }) => logLine);
  log.insert(
    texts.map((logLine, second) => ({
      logLine,
      timestamp: new Date(now + second * 1000).toISOString(),
    })),
  );
  return log;
}

/**
 * Returns whether a walk back over lines, a second apart and a hundred at a time, ends: two pages lie
 * before the line `from`, and one of them by more than two minutes.
 */
function isWalked(end: number, from: number): boolean {
  const pages = Array.from({ length: Math.ceil(end / 100) }, (_, page) => end - 100 * page - 1);
  const before = pages.filter((newest) => newest < from);
  return before.length > 1 && before.some((newest) => newest < from - 120);
}

test('the first printed line is the one from which as many as wanted are selected', () => {
  const texts = fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 1200 });
  const numbers = fc.nat({ max: 1300 });
  fc.assert(
    fc.property(texts, numbers, fc.option(numbers), numbers, (all, limit, from, live) => {
      const since = from === null ? undefined : nanoseconds(now + from * 1000);
      const end = Math.max(0, all.length - live);
      const log = logOf(all);
      const selector = createLineSelector({ ...noCriteria, patterns: ['a'], since }, guardOf({}));
      const reach = createHistoryReach(selector, limit);
      const isSelected = (index: number) => all[index] === 'a' && index >= (from ?? 0);
      const wanted = all.flatMap((_, index) => (index < end && isSelected(index) ? [index] : []));
      const first = reach.firstIndex(log, end);
      const found = wanted.filter((index) => index >= first);
      expect(found).toEqual(limit === 0 ? [] : wanted.slice(-limit));
      expect(reach.isReached(log, end)).toBe(wanted.length >= limit || isWalked(end, from ?? 0));
    }),
  );
});

test('lines that arrive at the front are counted once', () => {
  const selector = createLineSelector({ ...noCriteria, patterns: ['a'] }, guardOf({}));
  const reach = createHistoryReach(selector, 3, 5000);
  const log = logOf(['a', 'b', 'b']);
  for (let round = 0; round < 2; round += 1) expect(reach.isReached(log, 3)).toBe(false);
  expect(reach.isCut()).toBe(false);
  const long = logOf(Array.from({ length: 6000 }, () => 'b'));
  expect(createHistoryReach(selector, 3, 5000).isReached(long, 6000)).toBe(true);
  const cut = createHistoryReach(selector, 3, 5000);
  cut.isReached(long, 6000);
  expect(cut.isCut()).toBe(true);
});
