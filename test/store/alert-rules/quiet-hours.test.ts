import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  isQuiet,
  isQuietMinute,
  quietSentence,
} from '../../../source/store/alert-rules/quiet-hours.ts';

const night = { from: 22 * 60, to: 7 * 60 };

describe('quiet hours', () => {
  it('begin with their first minute and end before the last one', () => {
    const lunch = { from: 720, to: 780 };
    expect([719, 720, 779, 780].map((minute) => isQuietMinute(lunch, minute))).toEqual([
      false,
      true,
      true,
      false,
    ]);
  });

  it('may last over midnight', () => {
    const minutes = [1319, 1320, 1439, 0, 419, 420];
    expect(minutes.map((minute) => isQuietMinute(night, minute))).toEqual([
      false,
      true,
      true,
      true,
      true,
      false,
    ]);
  });

  it('are said, with their end while they last', () => {
    const at = (hours: number): number => new Date(2026, 0, 5, hours).getTime();
    expect(quietSentence(night, at(12))).toBe('Nothing is told from 22:00 to 07:00.');
    expect(quietSentence(night, at(23))).toBe('Quiet hours: nothing is told until 07:00.');
    expect(quietSentence({ from: 0, to: 1440 }, at(3))).toBe(
      'Quiet hours: nothing is told until 00:00.',
    );
  });

  it('are none by default', () => {
    expect(isQuiet(undefined, 0)).toBe(false);
  });
});

describe('in a zone with summer time', () => {
  const zone = process.env['TZ'];
  beforeEach(() => void (process.env['TZ'] = 'Europe/Berlin'));
  afterEach(() => {
    if (zone === undefined) delete process.env['TZ'];
    else process.env['TZ'] = zone;
  });

  const quietAt = (utc: string) => isQuiet(night, Date.parse(utc));

  it('quiet hours end at seven of the wall clock, in winter, in summer, and when that changes', () => {
    expect([quietAt('2026-01-15T05:59Z'), quietAt('2026-01-15T06:00Z')]).toEqual([true, false]);
    expect([quietAt('2026-07-15T04:59Z'), quietAt('2026-07-15T05:00Z')]).toEqual([true, false]);
    expect([quietAt('2026-03-29T04:59Z'), quietAt('2026-03-29T05:00Z')]).toEqual([true, false]);
    expect([quietAt('2026-10-25T05:59Z'), quietAt('2026-10-25T06:00Z')]).toEqual([true, false]);
  });

  it('quiet hours that end in the hour which summer time leaves out end with it', () => {
    const early = { from: 22 * 60, to: 150 };
    const at = (utc: string) => isQuiet(early, Date.parse(utc));
    expect([at('2026-03-29T00:59Z'), at('2026-03-29T01:00Z')]).toEqual([true, false]);
  });
});
