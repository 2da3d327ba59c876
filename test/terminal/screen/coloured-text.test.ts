import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { sanitize } from '../../../source/terminal/screen/sanitize.ts';
import { silentCodes } from '../../../source/tail/silent-codes.ts';
import {
  type ColouredOptions,
  type ColouredSpan,
  sanitizeColoured,
} from '../../../source/terminal/screen/coloured-text.ts';
import { hostileText } from '../hostile-text.ts';

function spansOf(text: string, options?: ColouredOptions): ColouredSpan[] {
  return sanitizeColoured(text, silentCodes(text), options);
}

describe('sanitizeColoured', () => {
  test('returns spans in the colours of the line', () => {
    expect(spansOf('\x1b[1;31mERROR\x1b[0m pay \x1b[38;5;208m504\x1b[39m!')).toEqual([
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
    ['\x1b[1m\x1b[m\x0fx', {}],
    ['\x1b[1m\x1b[K\x1b(mx', { bold: true }],
    ['\x1b[38;2;999;0;0mx', {}],
    ['\x1b[38;5mx', {}],
    ['\x1b[38;9;1mx', { bold: true }],
    ['\x1b[5;7;8mx', {}],
    ['\x1b[31;41mx', { color: 'red' }],
  ])('reads %j', (text, style) => {
    expect(spansOf(text)).toEqual([{ text: 'x', style }]);
  });

  test('makes sequences other than colour codes visible', () => {
    const shown = spansOf('\x1b[2Ha\x1b[>4;2mb\x1b[31').map((span) => span.text);
    expect(shown.join('')).toBe('^[[2Ha^[[>4;2mb^[[31');
  });

  test('counts tab stops across the spans', () => {
    const shown = spansOf('ab\x1b[31mcd\te').map((span) => span.text);
    expect(shown.join('')).toBe('abcd    e');
  });

  test('marks ranges of the line across colours and wide characters', () => {
    const text = 'a\x1b[31mpay\t\x1b[0m日本x';
    const marks = [
      [text.indexOf('ay'), text.indexOf('本')],
      [text.indexOf('x'), text.length],
    ] as const;
    expect(spansOf(text, { marks })).toEqual([
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
    expect(spansOf('xe\u0301y', { marks })).toEqual([
      { text: 'x', style: {} },
      { text: 'e\u0301', style: {}, isMarked: true },
      { text: 'y', style: {} },
    ]);
  });

  test('writes accents in the order of the text, whatever is marked', () => {
    const text = '\u1161\x1b]\u0301\u094d';
    const marked = spansOf(text, { marks: [[0, 1]] });
    const [whole] = spansOf(text);
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
        const shown = (spans: readonly ColouredSpan[]) =>
          spans
            .map((span) => span.text)
            .join('')
            .normalize();
        const spans = spansOf(text, { marks });
        expect(shown(spans)).toBe(shown(spansOf(text)));
      }),
      { numRuns: 2000 },
    );
  });

  test('returns only sanitised text', () => {
    fc.assert(
      fc.property(hostileText, (text) => {
        for (const span of spansOf(text)) expect(sanitize(span.text)).toBe(span.text);
      }),
      { numRuns: 2000 },
    );
  });
});
