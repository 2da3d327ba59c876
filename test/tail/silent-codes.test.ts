import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  mapToRawText,
  silentCodes,
  stripSilentCodes,
  truncateRawText,
} from '../../source/tail/silent-codes.ts';
import { levelOf } from '../../source/tail/level.ts';
import { parseLineQuery } from '../../source/tail/query/log-query.ts';
import { sanitize } from '../../source/terminal/screen/sanitize.ts';
import { sanitizeColoured } from '../../source/terminal/screen/coloured-text.ts';
import { hostileText } from '../terminal/hostile-text.ts';

const code = fc.constantFrom(
  '\x1b[31m',
  '\x1b[m',
  '\x1b[1;38;5;208m',
  '\x1b[38:2::1:2:3m',
  '\x1b[K',
  '\x1b(B',
  '\x1b]8;;http://h/a\x1b\\',
  '',
);
const letters = fc.stringMatching(/^[abE31;m[ ]{0,3}$/);
/** Pieces of text, each after a silent code or none. */
const pieces = fc.array(fc.tuple(code, letters), { maxLength: 8 });

function shownText(text: string): string {
  return sanitizeColoured(text, silentCodes(text))
    .map((span) => span.text)
    .join('');
}

it.each([
  ['of tput sgr0', 'a \x1b[1mbold\x1b(B\x1b[m word', 'a bold word'],
  ['of tput sgr0 on a Linux console', '\x1b[1mbold\x1b[m\x0f word', 'bold word'],
  ['of grep --color', '\x1b[01;31m\x1b[Kerr\x1b[m\x1b[Kor', 'error'],
  ['of git and gcc', '\x1b[01m\x1b[Ka.c:1:\x1b[m\x1b[K no', 'a.c:1: no'],
  ['of a link', 'see \x1b]8;id=1;http://h/a\x1b\\docs\x1b]8;;\x1b\\.', 'see docs.'],
  ['of a link ended by BEL', '\x1b]8;;http://h\x07docs\x1b]8;;\x07', 'docs'],
  ['of a spinner', '\x1b[?25lwait\x1b[?25h', 'wait'],
  ['of a shell', '\x1b[?2004h$ ls\x1b[?2004l\r', '$ ls'],
  ['of a keypad', '\x1b[?1h\x1b=less\x1b[?1l\x1b>', 'less'],
  ['of a character set', '\x1b)0\x1b%Gx\x1b(%5y\x1b-A', 'xy'],
  ['of a clear', '\x1b[2J\x1b[3Jready\x1b[0K', 'ready'],
  ['of line ends', 'done\r', 'done'],
  ['of line ends behind colours', 'done\x1b[0m\r\x1b[K\r', 'done'],
  ['of a progress bar', '\r100% done', '100% done'],
  ['of a file of Windows', '\ufeff{"a":1}\r', '{"a":1}'],
  ['of nothing but codes', '\ufeff\r\x1b[0m\r', ''],
])('takes out the codes %s', (_, text, shown) => {
  expect(stripSilentCodes(text)).toBe(shown);
  expect(shownText(text)).toBe(shown);
});

it.each([
  ['a CR within a line', 'real\rfake', 'real^Mfake'],
  ['a CR within a line that is erased', 'real\r\x1b[Kfake', 'real^Mfake'],
  ['a backspace', 'a\bb', 'a^Hb'],
  ['movements of the cursor', '\x1b[Aa\x1b[2Gb\x1b[1;1Hc\x1b7d\x1b8', '^[[Aa^[[2Gb^[[1;1Hc^[7d^[8'],
  ['a reset', '\x1bcx', '^[cx'],
  ['a title and the clipboard', '\x1b]0;t\x07\x1b]52;c;aGk=\x07', '^[]0;t^G^[]52;c;aGk=^G'],
  ['a link without an end', '\x1b]8;;http://h', '^[]8;;http://h'],
  ['a link with a control in it', '\x1b]8;;a\nb\x07', '^[]8;;a^Jb^G'],
  ['a shift', 'a\x0eb\x0fc', 'a^Nb^Oc'],
  ['a BOM within a line', 'a\ufeff', 'a<U+FEFF>'],
  ['single C1 controls', '\x9b31m', '<U+009B>31m'],
])('leaves %s visible', (_, text, shown) => {
  expect(shownText(text)).toBe(shown);
});

const ascii = fc
  .array(
    fc.oneof(
      code,
      letters,
      fc.constantFrom('\r', '\ufeff', '\x1b', '\x1b[', '\x1b[2H', '\x1b[31', '\x1b]8;;', '\x0f'),
    ),
    { maxLength: 10 },
  )
  .map((parts) => parts.join(''));

it('are the same for the screen and for queries', () => {
  fc.assert(
    fc.property(ascii, (text) => {
      expect(shownText(text)).toBe(sanitize(stripSilentCodes(text)));
    }),
    { numRuns: 1000 },
  );
});

it('takes out of any text nothing that takes a cell', () => {
  fc.assert(
    fc.property(fc.oneof(hostileText, ascii), (text) => {
      const shown = stripSilentCodes(text);
      const removed = silentCodes(text).map(([from, to]) => text.slice(from, to));
      for (const code of removed) {
        // eslint-disable-next-line no-control-regex
        expect(code).toMatch(/^(\r+|\ufeff|\x1b[[()*+\-./%\]=>].*)$/);
      }
      expect(shown.length + removed.join('').length).toBe(text.length);
    }),
    { numRuns: 1000 },
  );
});

describe('truncateRawText', () => {
  const part = fc.constantFrom('a', 'bc', '\x1b[31m', '\x1b[K', '\x1b[', '\x1b[2H');

  it('returns the start of a line, not counting its silent codes', () => {
    fc.assert(
      fc.property(fc.array(part, { maxLength: 12 }), fc.nat(20), (parts, units) => {
        const text = parts.join('');
        const head = truncateRawText(text, units);
        expect(text.startsWith(head)).toBe(true);
        const plain = stripSilentCodes(head).length;
        expect(plain).toBeLessThanOrEqual(units);
        const isWhole = head.length === text.length || text.length > units * 8;
        expect(isWhole || plain === units).toBe(true);
      }),
    );
  });

  it('cuts no silent code', () => {
    fc.assert(
      fc.property(fc.array(part, { maxLength: 60 }), fc.nat(6), (parts, units) => {
        const text = parts.join('');
        const head = stripSilentCodes(truncateRawText(text, units));
        expect(stripSilentCodes(text).startsWith(head)).toBe(true);
      }),
      { numRuns: 1000 },
    );
  });

  it('searches only a part of a line that consists of codes', () => {
    expect(truncateRawText('\x1b[31m'.repeat(1000), 80)).toBe('\x1b[31m'.repeat(128));
  });
});

it('maps parts of the shown text between the codes', () => {
  fc.assert(
    fc.property(pieces, fc.array(fc.nat(24), { maxLength: 6 }), (parts, offsets) => {
      const text = parts.flat().join('');
      const shown = parts.map(([, letters]) => letters).join('');
      const bounds = [...new Set(offsets)].filter((at) => at <= shown.length);
      const sorted = bounds.toSorted((one, other) => one - other);
      const ranges = sorted.slice(1).map((to, index) => [sorted[index] ?? 0, to] as const);
      const mapped = mapToRawText(text, ranges);
      expect(mapped.map(([from, to]) => stripSilentCodes(text.slice(from, to)))).toEqual(
        ranges.map(([from, to]) => shown.slice(from, to)),
      );
      for (const [from, to] of mapped) {
        // eslint-disable-next-line no-control-regex
        expect(text.slice(from, to)).not.toMatch(/^\x1b|\x1b\[[\d;:]*m$/);
      }
    }),
  );
});

it('does not affect a query or its spans', () => {
  const queries = fc.oneof(
    fc.record({ text: fc.stringMatching(/^!?[abE31;m]{1,3}$/), regex: fc.constant(false) }),
    fc.record({
      text: fc.constantFrom('^a', 'b$', 'a.*b', '(ab|3m)+', '[31]', 'ab|E', '^$', 'aa*31'),
      regex: fc.constant(true),
    }),
  );
  fc.assert(
    fc.property(queries, pieces, (query, parts) => {
      const read = parseLineQuery(query);
      if (!read.ok) throw new Error(read.error.sentence);
      const { value: test } = read;
      const text = parts.flat().join('');
      const shown = parts.map(([, letters]) => letters).join('');
      expect(test.matches(text, undefined)).toBe(test.matches(shown, undefined));
      expect(test.mayMatch?.(text)).toBe(test.mayMatch?.(shown));
      const styled = sanitizeColoured(text, silentCodes(text), { marks: test.spans(text) });
      const marked = styled.filter((span) => span.isMarked === true).map((span) => span.text);
      const plain = test.spans(shown).map(([from, to]) => shown.slice(from, to));
      expect(marked.join('')).toBe(plain.join(''));
    }),
    { numRuns: 400 },
  );
});

it('does not affect the level of a line', () => {
  expect(levelOf('\x1b[31mER\x1b[0mROR db')).toBe('error');
  expect(levelOf('\x1b[38:5:208mWARN\x1b[0m disk')).toBe('warn');
});

it('does not keep a line from matching to its end, nor from its start', () => {
  const matches = (text: string, line: string): boolean => {
    const read = parseLineQuery({ text, regex: true });
    return read.ok && read.value.matches(line, undefined);
  };
  expect(matches('done$', 'all done\r')).toBe(true);
  expect(matches('done$', 'all done\x1b[0m\x1b[K\r')).toBe(true);
  expect(matches('^all', '\ufeffall done')).toBe(true);
  expect(matches('^all', '\x1b(B\x1b[mall done')).toBe(true);
});

it('does not affect the level of a record', () => {
  const record = `{"time":"${'1'.repeat(200)}","level":"error"}`;
  expect(levelOf(`\ufeff${record}\r`)).toBe('error');
  expect(levelOf(`\x1b[32m${record}\x1b[0m`)).toBe('error');
});
