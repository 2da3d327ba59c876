import { describe, expect, it } from 'vitest';
import type { Grant } from '../../source/store/grants.ts';
import { fitLine } from '../../source/view/fit.ts';
import { grantDetails, grantLine } from '../../source/view/grant-rows.ts';
import type { Line } from '../../source/view/line.ts';

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
  book: [{ name, address: dana.toUpperCase().replace('0X', '0x') }],
});

describe('a grant in the list', () => {
  it('names the other side by the address book, in place of its short address', () => {
    expect(textOf(grantLine(row({}, 'Dana'), 38, now), 38)).toBe(
      '   to Dana       12.5/50 ##-------  6d',
    );
    expect(textOf(grantLine(row({}, 'Dana'), 60, now), 80)).toMatch(
      /^ {3}given to Dana +12\.5\/50/,
    );
    const received = { grantor: dana, grantee: me };
    expect(textOf(grantLine(row(received, 'Dana'), 38, now), 38)).toMatch(/^ {3}from Dana +12/);
  });

  it('keeps its columns whatever a name holds', () => {
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
  it('have names beside the whole addresses', () => {
    const { read, book } = row({}, 'Dana');
    const text = grantDetails(read, me, now, book)
      .map((line) => textOf(line, 80))
      .join('\n');
    expect(text).toContain(`grantor     ${me} (you)\n`);
    expect(text).toContain(`grantee     ${dana}  Dana\n`);
  });
});
