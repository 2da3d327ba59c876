import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { sanitize } from '../../../source/terminal/screen/sanitize.ts';
import {
  truncateColoured,
  sanitizeColoured,
} from '../../../source/terminal/screen/coloured-text.ts';
import { hostileText } from '../hostile-text.ts';

describe('sanitizeColoured', () => {
  test('returns spans in the colours of the line', () => {
    expect(sanitizeColoured('\x1b[1;31mERROR\x1b[0m pay \x1b[38;5;208m504\x1b[39m!')).toEqual([
      { text: 'ERROR', style: { bold: true, color: 'red' } },
      { text: ' pay ', style: {} },
      { text: '504', style: { color: 'ansi256(208)' } },
      { text: '!', style: {} },
    ]);
  });

  test.each([
    ['\x1b[97mx', { color: 'whiteBright' }],
    ['\x1b[102mx', { backgroundColor: 'greenBright' }],
    ['\x1b[38;2;1;2;255mx', { color: '#0102ff' }],
    ['\x1b[38:2::1:2:255mx', { color: '#0102ff' }],
    ['\x1b[38:2:1:2:255mx', { color: '#0102ff' }],
    ['\x1b[48;5;9;1mx', { backgroundColor: 'redBright', bold: true }],
    ['\x1b[4:3mx', { underline: true }],
    ['\x1b[4m\x1b[4:0mx', { underline: false }],
    ['\x1b[1m\x1b[mx', {}],
    ['\x1b[38;2;999;0;0mx', {}],
    ['\x1b[38;5mx', {}],
    ['\x1b[38;9;1mx', { bold: true }],
    ['\x1b[5;7;8mx', {}],
    ['\x1b[31;41mx', { color: 'red' }],
  ])('reads %j', (text, style) => {
    expect(sanitizeColoured(text)).toEqual([{ text: 'x', style }]);
  });

  test('makes sequences other than colour codes visible', () => {
    const shown = sanitizeColoured('\x1b[2Ja\x1b[>4;2mb\x1b[31').map((span) => span.text);
    expect(shown.join('')).toBe('^[[2Ja^[[>4;2mb^[[31');
  });

  test('counts tab stops across the spans', () => {
    const shown = sanitizeColoured('ab\x1b[31mcd\te').map((span) => span.text);
    expect(shown.join('')).toBe('abcd    e');
  });

  test('marks ranges of the line across colours and wide characters', () => {
    const text = 'a\x1b[31mpay\t\x1b[0m日本x';
    const marks = [
      [text.indexOf('ay'), text.indexOf('本')],
      [text.indexOf('x'), text.length],
    ] as const;
    expect(sanitizeColoured(text, { marks })).toEqual([
      { text: 'a', style: {} },
      { text: 'p', style: { color: 'red' } },
      { text: 'ay    ', style: { color: 'red' }, isMarked: true },
      { text: '日', style: {}, isMarked: true },
      { text: '本', style: {} },
      { text: 'x', style: {}, isMarked: true },
    ]);
  });

  test('marks a letter with its accents', () => {
    const marks = [[2, 3]] as const;
    expect(sanitizeColoured('xe\u0301y', { marks })).toEqual([
      { text: 'x', style: {} },
      { text: 'e\u0301', style: {}, isMarked: true },
      { text: 'y', style: {} },
    ]);
  });

  test('writes accents in the order of the text, whatever is marked', () => {
    const text = '\u1161\x1b]\u0301\u094d';
    const marked = sanitizeColoured(text, { marks: [[0, 1]] });
    const [whole] = sanitizeColoured(text);
    expect(marked.map((span) => span.text).join('')).toBe(whole?.text);
  });

  test('returns the same text for any marked ranges', () => {
    fc.assert(
      fc.property(hostileText, fc.array(fc.nat(60), { maxLength: 6 }), (text, offsets) => {
        const bounds = [...new Set(offsets)].filter((at) => at <= text.length);
        bounds.sort((left, right) => left - right);
        const marks = bounds.flatMap((from, index) => {
          const to = bounds[index + 1];
          return index % 2 === 1 || to === undefined ? [] : [[from, to] as const];
        });
        // An accent may be composed with its letter or not; both look the same.
        const shown = (spans: ReturnType<typeof sanitizeColoured>) =>
          spans
            .map((span) => span.text)
            .join('')
            .normalize();
        const spans = sanitizeColoured(text, { marks });
        expect(shown(spans)).toBe(shown(sanitizeColoured(text)));
      }),
      { numRuns: 2000 },
    );
  });

  test('returns only sanitised text', () => {
    fc.assert(
      fc.property(hostileText, (text) => {
        for (const span of sanitizeColoured(text)) expect(sanitize(span.text)).toBe(span.text);
      }),
      { numRuns: 2000 },
    );
  });
});

describe('colouredHead', () => {
  const part = fc.constantFrom('a', 'bc', '\x1b[31m', '\x1b[0m', '\x1b[', '\x1b[2J');

  test('returns the start of a line, not counting its colour codes', () => {
    fc.assert(
      fc.property(fc.array(part, { maxLength: 12 }), fc.nat(20), (parts, units) => {
        const text = parts.join('');
        const head = truncateColoured(text, units);
        expect(text.startsWith(head)).toBe(true);
        // eslint-disable-next-line no-control-regex
        const plain = (of: string) => of.replaceAll(/\x1b\[[\d;:]*m/g, '').length;
        expect(plain(head)).toBeLessThanOrEqual(units);
        const isWhole = head.length === text.length || text.length > units * 8;
        expect(isWhole || plain(head) === units).toBe(true);
      }),
    );
  });

  test('searches only a part of a line that consists of codes', () => {
    expect(truncateColoured('\x1b[31m'.repeat(1000), 80)).toBe('\x1b[31m'.repeat(128));
  });
});
