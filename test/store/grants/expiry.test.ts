import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  expiryText,
  isoSeconds,
  parseExpiry,
  durationText,
  utcText,
} from '../../../source/store/grants/expiry.ts';

const now = Date.parse('2026-11-21T01:04:30.250Z');

/** A zone with summer time, whose clocks go forward on 2027-03-28 at 02:00. */
const zone = 'Europe/Berlin';
let before: string | undefined;
beforeAll(() => {
  before = process.env['TZ'];
  process.env['TZ'] = zone;
});
afterAll(() => {
  if (before === undefined) delete process.env['TZ'];
  else process.env['TZ'] = before;
});

function isoOf(text: string): string {
  const read = parseExpiry(text, now);
  return read.ok ? isoSeconds(read.at) : read.problem;
}

describe('an expiry is parsed', () => {
  test.each([
    ['30d', '2026-12-21T01:04:30Z'],
    [' 30 D ', '2026-12-21T01:04:30Z'],
    ['12h', '2026-11-21T13:04:30Z'],
    ['2w', '2026-12-05T01:04:30Z'],
    ['90m', '2026-11-21T02:34:30Z'],
  ])('from a span, %s', (text, iso) => {
    expect(isoOf(text)).toBe(iso);
  });

  test.each([
    ['2026-12-24', '2026-12-24T22:59:59Z'],
    ['2027-07-01', '2027-07-01T21:59:59Z'],
    ['2026-12-24 18:00', '2026-12-24T17:00:00Z'],
    ['2026-12-24T18:00:05', '2026-12-24T17:00:05Z'],
    ['2026-12-24T18:00Z', '2026-12-24T18:00:00Z'],
    ['2026-12-24 18:00 UTC', '2026-12-24T18:00:00Z'],
    ['2026-12-24T18:00:00.999-05:30', '2026-12-24T23:30:00Z'],
    ['2028-02-29', '2028-02-29T22:59:59Z'],
  ])('from a time, %s', (text, iso) => {
    expect(isoOf(text)).toBe(iso);
  });

  test('from a day as its last local second, and is marked so', () => {
    expect(parseExpiry('2026-12-24', now)).toMatchObject({ ok: true, endOfDay: true });
    expect(parseExpiry('2026-12-24 18:00', now)).toMatchObject({ ok: true, endOfDay: false });
  });
});

test.each([
  ['', 'Try 30d'],
  ['30', 'Try 30d'],
  ['soon', 'Try 30d'],
  ['24.12.2026', 'Try 30d'],
  ['2026-13-01', 'no such day'],
  ['2027-02-29', 'no such day'],
  ['0050-01-01', 'no such day'],
  ['2026-12-24 24:00', 'no such time of day'],
  ['2026-12-24T18:00+25:00', 'no such time zone'],
  ['2027-03-28 02:30', 'There is no 02:30 on 2027-03-28: the clocks skip it.'],
  ['0d', "In the past: the service's clock shows 2026-11-21 01:04 UTC."],
  ['2026-11-20', 'In the past'],
  ['99999999999999999999d', 'Too far'],
])('%j is rejected: %s', (text, problem) => {
  expect(isoOf(text)).toContain(problem);
});

test('for any input, a parsed expiry is in the future and valid in ISO 8601', () => {
  const text = fc.oneof(
    fc.stringMatching(/^\d{1,24} ?[mhdwMHDW]$/),
    fc.stringMatching(/^\d{4}-[01]\d-[0-3]\d([T ][0-2]\d:[0-6]\d(Z|[+-]\d\d:?\d\d)?)?$/),
    fc.string({ maxLength: 30 }),
  );
  fc.assert(
    fc.property(text, fc.integer({ min: 0, max: 4e12 }), (typed, at) => {
      const read = parseExpiry(typed, at);
      if (!read.ok) return;
      expect(read.at).toBeGreaterThan(at);
      expect(isoSeconds(read.at)).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
      expect(Date.parse(isoSeconds(read.at))).toBe(read.at);
    }),
  );
});

test('a typed time is formatted as it was typed', () => {
  fc.assert(
    fc.property(fc.integer({ min: now + 60_000, max: Date.UTC(2100, 0) }), (moment) => {
      const at = Math.floor(moment / 60_000) * 60_000;
      expect(parseExpiry(utcText(at), now)).toMatchObject({ ok: true, at });
    }),
  );
});

test('an expiry is shown in UTC and local time, with the local day if it differs', () => {
  expect(expiryText(Date.parse('2026-12-21T01:04:00Z'))).toBe('2026-12-21 01:04 UTC, 02:04 here');
  expect(expiryText(Date.parse('2026-12-31T23:30:00Z'))).toBe(
    '2026-12-31 23:30 UTC, 01-01 00:30 here',
  );
});

test.each([
  ['2026-11-21T01:04:30.250Z', '2026-12-21T01:04:30Z', '30d'],
  ['2026-11-21T01:04:30Z', '2026-11-21T13:04:30Z', '12h'],
  ['2026-11-21T01:04:30Z', '2026-11-21T02:34:29Z', '90m'],
  ['2026-11-21T01:04:30Z', '2026-11-21T01:04:31Z', ''],
  ['2026-11-21T01:04:30Z', 'never', ''],
])('the length from %s to %s is %j', (created, expires, text) => {
  expect(durationText(created, expires)).toBe(text);
});

test('a formatted length is parsed as the same span, to the minute', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 1_000_000 }), (minutes) => {
      const created = new Date(now).toISOString();
      const expires = new Date(now + minutes * 60_000).toISOString();
      const read = parseExpiry(durationText(created, expires), now);
      expect(read).toMatchObject({
        ok: true,
        at: Math.floor((now + minutes * 60_000) / 1000) * 1000,
      });
    }),
  );
});
