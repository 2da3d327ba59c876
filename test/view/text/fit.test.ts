import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cellWidth } from '../../../source/terminal/screen/cells.ts';
import {
  column,
  fillLine,
  fitLine,
  headOfLine,
  lineWidth,
  scrolledLine,
  sliceLine,
  wrapLine,
  wrapWords,
} from '../../../source/view/text/fit.ts';
import type { Line } from '../../../source/view/text/line.ts';

const text = fc.string({ unit: fc.constantFrom('a', ' ', '世', 'é', '😀', '\x1b[31m', '\t', '‮') });
const line = fc.array(text.map((part) => ({ text: part }))) as fc.Arbitrary<Line>;
const textOf = (parts: Line) => parts.map((part) => part.text).join('');

describe('a line fitted to a width', () => {
  it('fills exactly its cells and contains no escape sequence', () => {
    fc.assert(
      fc.property(line, fc.integer({ min: 1, max: 60 }), (parts, width) => {
        const fitted = textOf(fitLine(parts, width));
        expect(cellWidth(fitted)).toBe(width);
        expect(fitted).not.toMatch(/[\p{Cc}‮]/u);
      }),
    );
  });
});

describe('a cut line', () => {
  it('ends in the ellipsis at every width, wherever its spans end', () => {
    const level = [{ text: 'INFO' }, { text: ' ' }, { text: 'paid' }, { text: ' ' }];
    const record = [...level, { text: 'user' }, { text: '=' }, { text: 'ann' }];
    for (let width = 1; width < 17; width += 1) {
      expect(textOf(fitLine(record, width))).toBe(`${'INFO paid user=ann'.slice(0, width - 1)}…`);
    }
    expect(textOf(fitLine(record, 18))).toBe('INFO paid user=ann');
  });

  it('ends in the ellipsis if more than blanks is cut, and only then', () => {
    fc.assert(
      fc.property(line, fc.integer({ min: 1, max: 60 }), (parts, width) => {
        const whole = textOf(fitLine(parts, lineWidth(parts)));
        const fitted = textOf(fitLine(parts, width));
        const isCut = cellWidth(whole.trimEnd()) > width;
        if (isCut) expect(fitted.trimEnd().endsWith('…')).toBe(true);
        else expect(fitted.trimEnd()).toBe(whole.trimEnd());
      }),
      { numRuns: 1000 },
    );
  });

  it('blanks the second half of a wide character before the ellipsis', () => {
    expect(textOf(fitLine([{ text: '世' }, { text: 'x' }], 2))).toBe('… ');
    expect(textOf(fitLine([{ text: 'a世' }, { text: 'x' }], 3))).toBe('a… ');
  });
});

describe('a line with a match of a search', () => {
  const found = [{ text: 'one ' }, { text: 'two', token: 'match' as const }, { text: ' three' }];
  const marked = (parts: Line) =>
    parts.filter(({ token }) => token === 'match').map((part) => part.text);

  it('has the ellipsis of the side where the match is cut in its colour', () => {
    expect(marked(fitLine(found, 4))).toEqual(['…']);
    expect(marked(fitLine(found, 6))).toEqual(['t', '…']);
    expect(marked(fitLine(found, 7))).toEqual(['tw…']);
    expect(marked(fitLine(found, 9))).toEqual(['two']);
    expect(marked(scrolledLine(found, 2))).toEqual(['two']);
    expect(marked(scrolledLine(found, 5))).toEqual(['…', 'o']);
    expect(marked(scrolledLine(found, 9))).toEqual(['…']);
    expect(textOf(scrolledLine(found, 9))).toBe('…ree');
  });
});

describe('a line scrolled sideways', () => {
  it('starts with the ellipsis if more than blanks is cut, and only then', () => {
    fc.assert(
      fc.property(line, fc.nat(60), (parts, from) => {
        const whole = sliceLine(parts, 0);
        const scrolled = textOf(scrolledLine(whole, from));
        const rest = textOf(sliceLine(whole, from));
        const isCut = textOf(whole)
          .slice(0, textOf(whole).length - rest.trimStart().length)
          .trim();
        if (isCut === '') expect(scrolled).toBe(rest);
        else expect(scrolled.startsWith('…') || scrolled === rest).toBe(true);
        expect(cellWidth(scrolled)).toBe(Math.max(cellWidth(rest), scrolled === '…' ? 1 : 0));
      }),
    );
  });
});

describe('a column', () => {
  it('has its width and never touches the next one', () => {
    fc.assert(
      fc.property(text, fc.integer({ min: 2, max: 30 }), (value, width) => {
        const cut = column(value, width);
        expect(cellWidth(cut)).toBe(width);
        expect(cut.endsWith(' ')).toBe(true);
      }),
    );
  });
});

describe('wrapped lines', () => {
  it('contain the whole text in rows of at most the width', () => {
    fc.assert(
      fc.property(line, fc.integer({ min: 2, max: 40 }), (parts, width) => {
        const rows = wrapLine(parts, width);
        for (const row of rows) expect(lineWidth(row)).toBeLessThanOrEqual(width);
        expect(rows.map((row) => textOf(fitLine(row, lineWidth(row)))).join('')).toBe(
          textOf(fitLine(parts, lineWidth(parts))),
        );
      }),
    );
  });
});

describe('a line too long to see', () => {
  const long = [{ text: 'x'.repeat(1 << 20) }];

  it('is wrapped to no more rows than requested', () => {
    const rows = wrapLine(long, 80, 20);
    expect(rows).toHaveLength(20);
    expect(rows.map((row) => textOf(fitLine(row, 80)).length)).toEqual(Array(20).fill(80));
  });

  it('is cut to more code units than its cells can need', () => {
    const head = textOf(headOfLine(long, 80));
    expect(head.length).toBeGreaterThanOrEqual(80);
    expect(head.length).toBeLessThan(1000);
    expect(textOf(headOfLine([{ text: 'ab' }, { text: 'cd' }], 80))).toBe('abcd');
  });
});

describe('a line moved sideways', () => {
  it('loses the shifted cells', () => {
    fc.assert(
      fc.property(line, fc.integer({ min: 0, max: 40 }), (parts, from) => {
        expect(lineWidth(sliceLine(parts, from))).toBe(Math.max(0, lineWidth(parts) - from));
      }),
    );
  });

  it('shows a space for half a wide character', () => {
    expect(textOf(sliceLine([{ text: '世界' }], 1))).toBe(' 界');
  });
});

describe('a filled line', () => {
  it('is padded to its width', () => {
    expect(textOf(fillLine([{ text: 'ab' }], 5, '-'))).toBe('ab---');
    expect(textOf(fillLine([{ text: 'abcdef' }], 5, '-'))).toBe('abcdef');
  });
});

describe('wrapped words', () => {
  const words = (value: string, width: number) => wrapWords([{ text: value }], width).map(textOf);

  it('break between words, and inside a word wider than the row', () => {
    expect(words('No answer from the service.', 10)).toEqual(['No answer', 'from the', 'service.']);
    expect(words('abcdefghij', 4)).toEqual(['abcd', 'efgh', 'ij']);
    expect(words('exactly ten', 11)).toEqual(['exactly ten']);
    expect(words('fits whole row', 10)).toEqual(['fits whole', 'row']);
  });

  it('stay within the width for any text', () => {
    fc.assert(
      fc.property(line, fc.integer({ min: 2, max: 40 }), (parts, width) => {
        for (const row of wrapWords(parts, width)) {
          expect(lineWidth(row)).toBeLessThanOrEqual(width);
        }
      }),
    );
  });
});
