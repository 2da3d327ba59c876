import * as fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  isMomentForm,
  parseMoment,
  parseMomentAfter,
} from '../../../../source/store/log/reader/moment.ts';

const now = Date.UTC(2026, 10, 21, 9, 30, 15, 500);

function read(text: string, utc = true): string {
  const moment = parseMoment(text, now, utc);
  return moment.ok ? new Date(moment.at).toISOString() : moment.problem;
}

describe('the target time of a jump', () => {
  it.each([
    ['12:01', '2026-11-20T12:01:00.000Z'],
    ['9:30', '2026-11-21T09:30:00.000Z'],
    ['09:30:15.5', '2026-11-21T09:30:15.500Z'],
    ['09:30:16', '2026-11-20T09:30:16.000Z'],
    ['09:30:03,123456', '2026-11-21T09:30:03.123Z'],
    ['-5m', '2026-11-21T09:25:15.500Z'],
    ['5m', '2026-11-21T09:25:15.500Z'],
    ['5m ago', '2026-11-21T09:25:15.500Z'],
    ['-2h30m', '2026-11-21T07:00:15.500Z'],
    ['-1d', '2026-11-20T09:30:15.500Z'],
    ['- 0.5s', '2026-11-21T09:30:15.000Z'],
    ['yesterday 14:00', '2026-11-20T14:00:00.000Z'],
    ['Yesterday', '2026-11-20T00:00:00.000Z'],
    ['today 23:00', '2026-11-21T23:00:00.000Z'],
    ['2026-11-20', '2026-11-20T00:00:00.000Z'],
    [' 2026-11-20 14:00 ', '2026-11-20T14:00:00.000Z'],
    ['2026-11-20T14:00:01.25Z', '2026-11-20T14:00:01.250Z'],
    ['2026-11-20T14:00:01+01:00', '2026-11-20T13:00:01.000Z'],
    ['2026-11-20 14:00 UTC', '2026-11-20T14:00:00.000Z'],
    ['00:15 +01:00', '2026-11-20T23:15:00.000Z'],
    ['today +14:00', '2026-11-20T10:00:00.000Z'],
  ])('reads %s', (text, at) => {
    expect(read(text)).toBe(at);
  });

  it('is local where times are local', () => {
    expect(read('2026-11-20 14:00', false)).toBe(new Date(2026, 10, 20, 14).toISOString());
    expect(read('2026-11-20 14:00Z', false)).toBe('2026-11-20T14:00:00.000Z');
    expect(read('yesterday', false)).toBe(
      new Date(
        new Date(now).getFullYear(),
        new Date(now).getMonth(),
        new Date(now).getDate() - 1,
      ).toISOString(),
    );
  });

  it('explains an invalid input', () => {
    for (const text of ['', '-', 'ago', '12', 'noon', '2026-11', 'Z', '-5', '-5m5m']) {
      // The message must fit into 40 columns.
      expect(read(text)).toMatch(/^Try 12:01.{1,29}$/);
    }
    expect(read('2026-02-30')).toBe('There is no such day.');
    expect(read('24:00')).toBe('There is no such time of day.');
    expect(read('12:00 +25:00')).toBe('There is no such time zone.');
    expect(read(`-${'9'.repeat(30)}d`)).toBe('That is too long ago.');
  });

  it('is the date and time as written, or the last such time of day', () => {
    const ms = fc.integer({ min: Date.UTC(1990, 0), max: Date.UTC(2090, 0) });
    fc.assert(
      fc.property(ms, ms, (at, base) => {
        const iso = new Date(at).toISOString();
        expect(parseMoment(iso, base, false)).toEqual({ ok: true, at });
        expect(parseMoment(iso.replace('T', ' ').slice(0, 23), base, true)).toEqual({
          ok: true,
          at,
        });
        const found = parseMoment(iso.slice(11, 23), base, true);
        if (!found.ok) throw new Error(found.problem);
        expect(found.at).toBeLessThanOrEqual(base);
        expect(found.at).toBeGreaterThan(base - 86_400_000);
        expect(new Date(found.at).toISOString().slice(11)).toBe(iso.slice(11));
      }),
    );
  });

  it('is a time or a message for any input', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 30 }), fc.boolean(), (text, utc) => {
        const moment = parseMoment(text, now, utc);
        if (moment.ok) expect(Number.isInteger(moment.at)).toBe(true);
        else expect(moment.problem).toMatch(/\.$/);
      }),
    );
  });
});

describe('the end of a range', () => {
  const since = Date.UTC(2026, 10, 20, 23, 50);

  it.each([
    ['23:55', '2026-11-20T23:55:00.000Z'],
    ['00:10', '2026-11-21T00:10:00.000Z'],
    ['23:50', '2026-11-21T23:50:00.000Z'],
    ['09:45', '2026-11-21T09:45:00.000Z'],
    ['01:00 +01:00', '2026-11-21T00:00:00.000Z'],
    ['today 01:00', '2026-11-21T01:00:00.000Z'],
    ['yesterday 14:00', '2026-11-20T14:00:00.000Z'],
    ['15m', '2026-11-21T09:15:15.500Z'],
  ])('reads %s', (text, at) => {
    const moment = parseMomentAfter(text, since, now, true);
    expect(moment.ok && new Date(moment.at).toISOString()).toBe(at);
  });

  it('is the last such time of day where no beginning is given', () => {
    expect(parseMomentAfter('23:55', undefined, now, true)).toEqual(
      parseMoment('23:55', now, true),
    );
  });

  it('is local where times are local', () => {
    const from = new Date(2026, 10, 20, 23, 50).getTime();
    const at = new Date(2026, 10, 21, 0, 10).getTime();
    expect(parseMomentAfter('00:10', from, now, false)).toEqual({ ok: true, at });
  });

  it('explains an invalid input', () => {
    expect(parseMomentAfter('24:00', since, now, true)).toMatchObject({ ok: false });
    expect(parseMomentAfter('noon', since, now, true)).toMatchObject({ ok: false });
  });
});

describe('where the clocks change', () => {
  let before: string | undefined;
  beforeEach(() => {
    before = process.env['TZ'];
    process.env['TZ'] = 'Europe/Berlin';
  });
  afterEach(() => {
    if (before === undefined) delete process.env['TZ'];
    else process.env['TZ'] = before;
  });

  const resultOf = (moment: ReturnType<typeof parseMoment>): string =>
    moment.ok ? new Date(moment.at).toISOString().slice(0, 16) : moment.problem;
  const at = (text: string, instant: string): string =>
    resultOf(parseMoment(text, Date.parse(instant), false));
  const skipped = 'There is no 02:30 on 2026-03-29: the clocks skip it.';

  it.each([
    ['02:30', '2026-03-29T10:00Z', skipped],
    ['02:30', '2026-03-29T00:30Z', '2026-03-28T01:30'],
    ['02:30', '2026-03-30T00:00Z', skipped],
    ['02:30', '2026-03-30T10:00Z', '2026-03-30T00:30'],
    ['today 02:30', '2026-03-29T10:00Z', skipped],
    ['yesterday 02:30', '2026-03-30T10:00Z', skipped],
    ['2026-03-29T02:30', '2026-04-30T10:00Z', skipped],
    ['2026-03-29T02:30+01:00', '2026-04-30T10:00Z', '2026-03-29T01:30'],
    ['03:00', '2026-03-29T10:00Z', '2026-03-29T01:00'],
    // A time that occurs twice is the first one.
    ['02:30', '2026-10-25T10:00Z', '2026-10-25T00:30'],
    ['02:30', '2026-10-25T00:45Z', '2026-10-25T00:30'],
    ['2026-10-25 02:30', '2026-11-25T10:00Z', '2026-10-25T00:30'],
    ['2026-10-25 02:30 +01:00', '2026-11-25T10:00Z', '2026-10-25T01:30'],
  ])('%s at %s is %s', (text, now, expected) => {
    expect(at(text, now)).toBe(expected);
  });

  it('the end of a range is the last of two, and is none where it is skipped', () => {
    const end = (text: string, since: string): string =>
      resultOf(parseMomentAfter(text, Date.parse(since), Date.parse('2026-12-01T00:00Z'), false));
    expect([
      end('02:45', '2026-10-25T00:15Z'),
      end('02:45', '2026-10-25T01:15Z'),
      end('02:30', '2026-03-29T00:00Z'),
      end('02:30', '2026-03-28T02:00Z'),
      end('02:30', '2026-03-29T01:30Z'),
      end('01:30', '2026-10-25T00:15Z'),
    ]).toEqual([
      '2026-10-25T01:45',
      '2026-10-25T01:45',
      skipped,
      skipped,
      '2026-03-30T00:30',
      '2026-10-26T00:30',
    ]);
  });

  it('a day without a midnight begins later, and a zone may skip half an hour or a day', () => {
    process.env['TZ'] = 'America/Sao_Paulo';
    expect(at('2018-11-04', '2018-11-05T12:00Z')).toBe('2018-11-04T03:00');
    process.env['TZ'] = 'Australia/Lord_Howe';
    expect(at('2026-10-04 02:15', '2026-10-05T12:00Z')).toContain('There is no 02:15');
    expect(resultOf(parseMomentAfter('2026-04-05 01:45', 0, 0, false))).toBe('2026-04-04T15:15');
    process.env['TZ'] = 'Pacific/Apia';
    expect(at('2011-12-30 12:00', '2012-01-05T12:00Z')).toContain('There is no 12:00');
  });

  it('the form of such a time is right', () => {
    expect(['2026-03-29 02:30', '2026-02-30', '25:00', '99d'].map(isMomentForm)).not.toContain(
      false,
    );
    expect(['noon', '', '12', '2026-03'].map(isMomentForm)).not.toContain(true);
  });
});
