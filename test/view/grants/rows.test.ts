import { describe, expect, it } from 'vitest';
import { fitLine } from '../../../source/view/text/fit.ts';
import { grantDetails, grantLine } from '../../../source/view/grants/rows.ts';
import type { Line } from '../../../source/view/text/line.ts';
import type { Grant } from '../../../source/contract/grants.ts';

const now = Date.parse('2026-11-21T12:00:00Z');
const me = '0x9f00000000000000000000000000000000000001';
const dana = '0x12ab34cd56ef78ab90cd12ef34ab56cd78ef9f3c';

const grant: Grant = {
  id: 'g',
  grantor: me,
  grantee: dana,
  limit: 50,
  spent: 12.5,
  expires_at: '2026-11-27T12:00:01Z',
  created_at: '2026-11-01T12:00:00Z',
};

const textOf = (line: Line, width: number) =>
  fitLine(line, width)
    .map((part) => part.text)
    .join('')
    .trimEnd();

const row = (more: Partial<Grant>, name: string) => ({
  read: { value: { ...grant, ...more }, unknown: {} },
  cursor: false,
  caller: me,
  rate: undefined,
  book: [{ name, address: dana.toUpperCase().replace('0X', '0x') }],
});

describe('a grant in the list', () => {
  it('shows the address-book name of the other party instead of its short address', () => {
    expect(textOf(grantLine(row({}, 'Dana'), 38, now), 38)).toBe(
      '   to Dana       12.5/50 ##-------  6d',
    );
    expect(textOf(grantLine(row({}, 'Dana'), 60, now), 80)).toMatch(
      /^ {3}given to Dana +12\.5\/50 #/,
    );
    const received = { grantor: dana, grantee: me };
    expect(textOf(grantLine(row(received, 'Dana'), 38, now), 38)).toMatch(/^ {3}from Dana +12/);
  });

  it('keeps its columns for any name', () => {
    const names = ['\x1b[31mred\x1b[0m\n\r\t', 'n'.repeat(1000), '漢字'.repeat(20), '\u202eevil'];
    for (const name of names) {
      const text = textOf(grantLine(row({}, name), 38, now), 38);
      // eslint-disable-next-line no-control-regex
      expect(text).not.toMatch(/[\x00-\x1f\x7f\u202e]/);
      expect(text).toMatch(/ 12\.5\/50 ##-{7} {2}6d$/);
    }
  });
});

describe('the details of a grant', () => {
  it('show names beside the whole addresses', () => {
    const text = grantDetails(row({}, 'Dana'), now)
      .map(({ line }) => textOf(line, 80))
      .join('\n');
    expect(text).toContain(`grantor     ${me} (you)\n`);
    expect(text).toContain(`grantee     ${dana}  Dana\n`);
  });

  const rateOf = (rate: number | undefined, more: Partial<Grant> = {}) =>
    grantDetails({ ...row(more, 'Dana'), rate }, now)
      .map(({ line }) => textOf(line, 80))
      .find((line) => line.startsWith('rate'));

  it('show the spending rate, and whether the limit or the expiry comes first', () => {
    expect(rateOf(undefined)).toBe('rate        not known yet');
    expect(rateOf(0)).toBe('rate        0 an hour');
    expect(rateOf(0.0251)).toBe('rate        0.0251 an hour, expires before it runs out');
    expect(rateOf(12.5)).toBe('rate        12.5 an hour, runs out in 3h, before it expires');
    expect(rateOf(12.5, { expires_at: 'someday' })).toContain('runs out in 3h');
    expect(rateOf(12.5, { spent: 50 })).toBeUndefined();
  });
});

describe('the columns of the grants', () => {
  const widths = [38, 44, 59, 60, 61, 68, 80, 109, 120, 200];

  it.each(widths)('fit in %i cells and contain all columns', (width) => {
    for (const rate of [undefined, 0, 0.000_01, 12.5, 1e7]) {
      const line = textOf(grantLine({ ...row({}, 'x'.repeat(99)), rate }, width, now), 999);
      expect(line.length).toBeLessThanOrEqual(width);
      expect(line).toMatch(/ 12\.5\/50 #+-+ /);
      expect(line.endsWith('/h') || /(?:6d|out \S+)$/.test(line)).toBe(true);
      expect(/\/h +/.test(line)).toBe(width >= 60 && rate !== undefined);
    }
  });

  it('show from 60 cells on what ends the grant first', () => {
    const at = (rate: number, width: number) =>
      textOf(grantLine({ ...row({}, 'Dana'), rate }, width, now), 999);
    expect(at(12.5, 60)).toBe('   given to Dana              12.5/50 #----   12.5/h  out 3h');
    expect(at(0.01, 60)).toBe('   given to Dana              12.5/50 #----   0.01/h      6d');
    expect(at(12.5, 38)).toBe('   to Dana       12.5/50 ##-------  6d');
  });

  it('show the state instead of bar, rate and time', () => {
    for (const width of widths) {
      const line = grantLine({ ...row({ spent: 50 }, 'Dana'), rate: 3 }, width, now);
      expect(textOf(line, width)).toMatch(/ 50\/50 limit reached$/);
    }
  });
});
