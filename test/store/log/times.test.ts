import { describe, expect, it } from 'vitest';
import {
  isUtcFormat,
  logTimeFormats,
  logTimeFormatMessage,
  momentText,
  nextLogTimeFormat,
  parseLogTimeFormat,
  timeBetweenText,
  timeOfDayText,
  dateTimeText,
} from '../../../source/store/log/times.ts';

const at = Date.UTC(2026, 10, 20, 12, 1, 3, 120);

describe('the time between lines', () => {
  it.each([
    [0, '+0.000s'],
    [120, '+0.120s'],
    [-40, '-0.040s'],
    [9999, '+9.999s'],
    [12_199, '+12.1s'],
    [59_999, '+59.9s'],
    [252_000, '+4m12s'],
    [7_500_000, '+2h05m'],
    [273_600_000, '+3d04h'],
  ])('of %i ms is %s', (milliseconds, text) => {
    expect(timeBetweenText(milliseconds)).toBe(text);
  });
});

describe('time formats', () => {
  it('follow each other and start again', () => {
    const seen = logTimeFormats.map((_, index) =>
      Array.from({ length: index }).reduce<(typeof logTimeFormats)[number]>(
        (kind) => nextLogTimeFormat(kind, false),
        'time',
      ),
    );
    expect(seen).toEqual([...logTimeFormats]);
    expect(nextLogTimeFormat('off', false)).toBe('time');
  });

  it('skip the UTC formats where local time is UTC', () => {
    expect(nextLogTimeFormat('time', true)).toBe('full');
    expect(nextLogTimeFormat('full', true)).toBe('relative');
    expect(nextLogTimeFormat('full-utc', true)).toBe('relative');
  });

  it('each have their own message', () => {
    expect(new Set(logTimeFormats.map(logTimeFormatMessage)).size).toBe(logTimeFormats.length);
    for (const kind of logTimeFormats.filter(isUtcFormat))
      expect(logTimeFormatMessage(kind)).toContain('UTC');
  });

  it('are parsed as they were stored', () => {
    for (const kind of logTimeFormats) expect(parseLogTimeFormat(kind)).toBe(kind);
    for (const damaged of [undefined, 7, 'noon', {}])
      expect(parseLogTimeFormat(damaged)).toBe('time');
  });
});

describe('a time', () => {
  it('is formatted in UTC, or locally with its offset', () => {
    expect(timeOfDayText(at, true)).toBe('12:01:03.120');
    expect(dateTimeText(at, true)).toBe('2026-11-20T12:01:03.120Z');
    const here = dateTimeText(at, false);
    expect(here).toMatch(/^2026-11-\d\dT\d\d:\d\d:03\.120[+-]\d\d:\d\d$/);
    expect(Date.parse(here)).toBe(at);
    expect(here.slice(11, 23)).toBe(timeOfDayText(at, false));
  });

  it('is formatted without the date if it is today', () => {
    expect(momentText(at, at + 1000, true)).toBe('12:01:03 UTC');
    expect(momentText(at, at + 86_400_000, true)).toBe('2026-11-20 12:01:03 UTC');
    expect(momentText(at, at, false)).toMatch(/^\d\d:\d\d:03$/);
  });
});
