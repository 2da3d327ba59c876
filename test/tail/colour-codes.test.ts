import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { mapToColouredText, stripColourCodes } from '../../source/tail/colour-codes.ts';
import { levelOf } from '../../source/tail/level.ts';
import { parseLineQuery } from '../../source/tail/query/log-query.ts';
import { sanitizeColoured } from '../../source/terminal/screen/coloured-text.ts';

const code = fc.constantFrom('\x1b[31m', '\x1b[m', '\x1b[1;38;5;208m', '\x1b[38:2::1:2:3m', '');
const letters = fc.stringMatching(/^[abE31;m[ ]{0,3}$/);
/** Pieces of text, each after a colour code or none. */
const pieces = fc.array(fc.tuple(code, letters), { maxLength: 8 });

it('recognizes the same colour codes as the screen', () => {
  const part = fc.oneof(code, letters, fc.constantFrom('\x1b[', '\x1b[2J', '\x1b[31', '\x1b[3?m'));
  fc.assert(
    fc.property(fc.array(part, { maxLength: 8 }), (parts) => {
      const shown = sanitizeColoured(parts.join('')).map(({ text }) => text);
      expect(stripColourCodes(parts.join('')).replaceAll('\x1b', '^[')).toBe(shown.join(''));
    }),
  );
});

it('maps parts of the shown text between the codes', () => {
  fc.assert(
    fc.property(pieces, fc.array(fc.nat(24), { maxLength: 6 }), (parts, offsets) => {
      const text = parts.flat().join('');
      const shown = parts.map(([, letters]) => letters).join('');
      const bounds = [...new Set(offsets)].filter((at) => at <= shown.length);
      const sorted = bounds.toSorted((one, other) => one - other);
      const ranges = sorted.slice(1).map((to, index) => [sorted[index] ?? 0, to] as const);
      const mapped = mapToColouredText(text, ranges);
      expect(mapped.map(([from, to]) => stripColourCodes(text.slice(from, to)))).toEqual(
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
      const styled = sanitizeColoured(text, { marks: test.spans(text) });
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
