import { describe, expect, it } from 'vitest';
import { fitLine, lineWidth } from '../../../source/view/text/fit.ts';
import { grantColumns, grantHeader } from '../../../source/view/grants/columns.ts';
import { grantDetails } from '../../../source/view/grants/details.ts';
import { grantLine } from '../../../source/view/grants/rows.ts';
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

/** Returns the row of a grant in a list of `width` cells. */
const rowAt = (grant: Parameters<typeof grantLine>[0], width: number) =>
  textOf(grantLine(grant, grantColumns(width), now), 999);

const row = (more: Partial<Grant>, name: string) => ({
  read: { value: { ...grant, ...more }, unknown: {} },
  cursor: false,
  caller: me,
  rate: undefined,
  book: [{ name, address: dana.toUpperCase().replace('0X', '0x') }],
});

describe('a grant in the list', () => {
  it('shows the address-book name of the other party instead of its short address', () => {
    expect(rowAt(row({}, 'Dana'), 38)).toBe('   to Dana          12.5/50        6d');
    expect(rowAt(row({}, 'Dana'), 60)).toMatch(/^ {3}given to Dana +12\.5\/50 +- +6d$/);
    const received = { grantor: dana, grantee: me };
    expect(rowAt(row(received, 'Dana'), 38)).toMatch(/^ {3}from Dana +12/);
    expect(rowAt(row(received, 'Dana'), 60)).toMatch(/^ {3}received from Dana +12/);
  });

  it('keeps its columns for any name', () => {
    const names = ['\x1b[31mred\x1b[0m\n\r\t', 'n'.repeat(1000), '漢字'.repeat(20), '\u202eevil'];
    for (const name of names) {
      const text = rowAt(row({}, name), 38);
      // eslint-disable-next-line no-control-regex
      expect(text).not.toMatch(/[\x00-\x1f\x7f\u202e]/);
      expect(text).toMatch(/ 12\.5\/50 {8}6d$/);
      expect(lineWidth([{ text }])).toBe(37);
    }
  });
});

describe('the columns of a list of 80 cells', () => {
  const header = '   party                      used/limit           rate/h       ends  state';
  const ends = (line: string) => [line.indexOf('used/limit') + 10, line.indexOf('rate/h') + 6];

  it('are where the design has them', () => {
    expect(textOf(grantHeader(grantColumns(80)), 80)).toBe(header);
    const given = { ...row({ spent: 0 }, 'Dana'), rate: 0, cursor: true };
    expect(rowAt(given, 80)).toBe(
      '>  given to Dana                    0/50 ----------     0         6d  active',
    );
    const running = { ...row({ limit: 25, spent: 0.6 }, 'Dana'), rate: 2.16 };
    expect(rowAt(running, 80)).toBe(
      '   given to Dana                  0.6/25 #---------  2.16 out in 11h  active',
    );
  });

  it('keep their places for a long state, rate or end', () => {
    const full = { ...row({ spent: 50 }, 'Dana'), rate: 1 };
    expect(rowAt(full, 80)).toBe(
      '   given to Dana                   50/50 ##########     -       -  limit reached',
    );
    const [used = 0, rate = 0] = ends(header);
    for (const speed of [0.0251, 1234, 123_456, 0.000_01, 12.3]) {
      const line = rowAt({ ...row({ limit: 1e6 }, 'Dana'), rate: speed }, 80);
      expect(line.slice(0, used)).toMatch(/12\.5\/1000000$/);
      expect(line.slice(0, rate)).toMatch(/ [\d.<K]+$/);
      expect(line).toMatch(/ {2}active$/);
      expect(line).not.toContain('…');
    }
    const late = { ...row({ limit: 4000, expires_at: '2099-01-01T00:00:00Z' }, 'Dana'), rate: 1 };
    expect(rowAt(late, 80)).toMatch(/ out in 166d {2}active$| out 166d {2}active$/);
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
  const titles = (width: number) => textOf(grantHeader(grantColumns(width)), 999);

  it('are named above the rows', () => {
    expect(titles(38)).toBe('   party         used/limit      ends');
    expect(titles(46)).toBe('   party          used/limit  rate/h     ends');
    expect(titles(80)).toMatch(/^ {3}party +used\/limit +rate\/h +ends {2}state$/);
  });

  it('are never fewer in a wider list, and fit it', () => {
    let before: readonly string[] = [];
    for (let width = 38; width <= 240; width += 1) {
      const names = titles(width).trim().split(/ +/);
      expect(names).toEqual(expect.arrayContaining([...before]));
      expect(titles(width).length).toBeLessThanOrEqual(width);
      before = names;
    }
    expect(before).toEqual(['party', 'used/limit', 'rate/h', 'ends', 'state']);
  });

  it('end with the names above them', () => {
    const rate = 12.5;
    for (const width of [46, 55, 72, 80, 200]) {
      const line = rowAt({ ...row({}, 'Dana'), rate }, width);
      const header = titles(width);
      for (const [name, text] of [
        ['used/limit', '12.5/50'],
        ['rate/h', ' 12.5 '],
        ['ends', width < 72 ? 'out 3h' : 'out in 3h'],
      ] as const) {
        const end = line.lastIndexOf(text.trimEnd()) + text.trimEnd().length;
        expect([width, name, end]).toEqual([width, name, header.indexOf(name) + name.length]);
      }
    }
  });

  const widths = [38, 44, 46, 59, 60, 72, 80, 109, 120, 200];

  it.each(widths)('fit in %i cells for any name and rate', (width) => {
    for (const rate of [undefined, 0, 0.000_01, 12.5, 1e7]) {
      const line = rowAt({ ...row({}, 'x'.repeat(99)), rate }, width);
      expect(line.length).toBeLessThanOrEqual(width);
      expect(line).toMatch(/ 12\.5\/50 /);
      expect(line).toMatch(width < 72 ? / (6d|out \d+\w)$/ : / (6d|out in \d+\w) {2}active$/);
      expect(/ #+-+ /.test(line)).toBe(width >= 80);
    }
  });

  it('show the sooner of expiry and limit as the end, and a dash for what is unknown', () => {
    const at = (rate: number | undefined, width: number, more: Partial<Grant> = {}) =>
      rowAt({ ...row(more, 'Dana'), rate }, width);
    expect(at(12.5, 60)).toMatch(/ 12\.5\/50 +12\.5 +out 3h$/);
    expect(at(12.5, 80)).toMatch(/ 12\.5\/50 #+-+ +12\.5 +out in 3h {2}active$/);
    expect(at(0.01, 60)).toMatch(/ 0\.01 +6d$/);
    expect(at(0, 60)).toMatch(/ 0 +6d$/);
    expect(at(undefined, 60)).toMatch(/ - +6d$/);
    expect(at(undefined, 60, { expires_at: 'someday' })).toMatch(/ - +-$/);
    expect(at(12.5, 38)).toMatch(/ 12\.5\/50 +out 3h$/);
  });

  it('show the state, in a narrow list instead of the end', () => {
    for (const width of widths) {
      const line = rowAt({ ...row({ spent: 50 }, 'Dana'), rate: 3 }, width);
      expect(line).toMatch(/ 50\/50 .*limit reached$/);
      expect(line).toMatch(width < 72 ? / 50\/50 +limit reached$/ : / - +- {2}limit reached$/);
      expect(line.length).toBeLessThanOrEqual(width);
    }
  });

  it('leave long amounts whole at the cost of the name', () => {
    const long = { limit: 100_000_000, spent: 100_000_000 };
    for (const width of [38, 46, 60, 80]) {
      const line = rowAt(row(long, 'Dana'), width);
      expect(line).toMatch(/ 100000000\/100000000 .*limit reached$/);
      expect(line.length).toBeLessThanOrEqual(width);
    }
  });
});
