import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compareTexts } from '../../../source/editor/diff-rows.ts';
import { cellWidth } from '../../../source/terminal/screen/cells.ts';
import { sideBySideLine, unifiedLine } from '../../../source/view/editor/diff-lines.ts';
import { fitLine } from '../../../source/view/text/fit.ts';
import type { Line } from '../../../source/view/text/line.ts';
import { hostileText } from '../../terminal/hostile-text.ts';

const unifiedRows = (before: string, after: string) => compareTexts(before, after).unified().rows;
const sideBySideRows = (before: string, after: string) =>
  compareTexts(before, after).sideBySide().rows;

const textOf = (line: Line) => line.map((part) => part.text).join('');

const before = 'server:\n  port: 8080\n  timeout: 2s\n';
const after = 'server:\n  port: 8080\n  timeout: 30s\n  level: info';

const style = { numberWidth: 1, width: 60, scrollLeft: 0 };

describe('unifiedLine', () => {
  it('shows both line numbers, a sign and a changed line end', () => {
    const rows = unifiedRows(before, after);
    expect(rows.map((row) => textOf(unifiedLine(row, style)))).toEqual([
      '1 1   server:',
      '2 2     port: 8080',
      '3   -   timeout: 2s',
      '  3 +   timeout: 30s',
      '  4 +   level: info (no line end)',
    ]);
  });

  it('underlines the changed ranges', () => {
    const [, , , added] = unifiedRows(before, after).map((row) => unifiedLine(row, style));
    const underlined = added?.filter((part) => part.style?.underline === true);
    expect(underlined).toEqual([{ text: '30s', token: 'good', style: { underline: true } }]);
  });

  it('counts skipped lines', () => {
    const lines = Array.from({ length: 1200 }, (_, index) => `${index}\n`).join('');
    const rows = unifiedRows(lines, `${lines}end\n`);
    expect(rows.slice(0, 1).map((row) => textOf(unifiedLine(row, style)))).toEqual([
      '-- 1197 equal lines --',
    ]);
  });

  it('scrolls the text sideways without numbers and sign', () => {
    const [, , removed] = unifiedRows(before, after);
    if (removed === undefined) throw new Error('no such row');
    expect(textOf(unifiedLine(removed, { ...style, scrollLeft: 4 }))).toBe('3   - …eout: 2s');
  });

  it('underlines whole grapheme clusters', () => {
    const [, added] = unifiedRows('cafe\u0301 x\n', 'cafe\u0300 x\n').map((row) =>
      unifiedLine(row, style),
    );
    const underlined = added?.filter((part) => part.style?.underline === true);
    expect(underlined?.every((part) => !/^\p{M}/u.test(part.text))).toBe(true);
    expect(textOf(added ?? [])).toBe('  1 + cafe\u0300 x');
  });
});

describe('sideBySideLine', () => {
  it('draws one divider in every row, and replaced lines beside each other', () => {
    const rows = sideBySideRows(before, after);
    expect(rows.map((row) => textOf(sideBySideLine(row, style, '│')))).toEqual([
      '1   server:                  │ 1   server:                  ',
      '2     port: 8080             │ 2     port: 8080             ',
      '3 -   timeout: 2s            │ 3 +   timeout: 30s           ',
      '                             │ 4 +   level: info (no line e…',
    ]);
  });
});

it('fills its width with sanitised cells for any texts', () => {
  const sides = fc.tuple(hostileText, hostileText, fc.nat(20), fc.integer({ min: 20, max: 80 }));
  fc.assert(
    fc.property(sides, ([left, right, from, width]) => {
      const drawing = { numberWidth: 2, width, scrollLeft: from };
      const rows = [
        ...unifiedRows(left, right).map((row) => unifiedLine(row, drawing)),
        ...sideBySideRows(left, right).map((row) => sideBySideLine(row, drawing, '|')),
      ];
      for (const row of rows) {
        const drawn = textOf(fitLine(row, width));
        expect(cellWidth(drawn)).toBe(width);
        expect(drawn).not.toMatch(/[\p{Cc}\u202e\u2066]/u);
      }
    }),
  );
});
