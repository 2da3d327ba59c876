import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cellWidth, truncateCells } from '../../../source/terminal/screen/cells.ts';
import { sanitize, sanitizeBlock } from '../../../source/terminal/screen/sanitize.ts';
import { hostileText } from '../hostile-text.ts';
import { KnownScreen } from './known-screen.ts';

describe('sanitize', () => {
  test.each([
    ['GET /health 200 3ms', 'GET /health 200 3ms'],
    ['Größe überschritten ─ 中文', 'Größe überschritten ─ 中文'],
    ['\x1b[31mred\x1b[0m', '^[[31mred^[[0m'],
    ['\x1b]52;c;aGk=\x07', '^[]52;c;aGk=^G'],
    ['100%\rdone', '100%^Mdone'],
    ['a\nb\x7f', 'a^Jb^?'],
    ['\x9b2J', '<U+009B>2J'],
    ['\u202egnp.exe', '<U+202E>gnp.exe'],
    ['a\u2028b', 'a<U+2028>b'],
    ['pay\u200bpal', 'pay<U+200B>pal'],
    ['\ud83d alone', '<U+D83D> alone'],
    ['\u0301accent', '<U+0301>accent'],
    ['cafe\u0301', 'cafe\u0301'],
    ['Z\u0301\u0301\u0301\u0301\u0301!', 'Z\u0301\u0301\u0301\u0301<U+0301>!'],
    ['a\u{e0101}\u{e0102}', 'a<U+E0102>'],
    ['❤️ 1️⃣ 👍🏽', '❤ 1 👍'],
    ['👨‍👩‍👧', '👨👩👧'],
    ['🇩🇪🇩', '🇩🇪<U+1F1E9>'],
    ['\u1100\u1161', '가'],
    ['ก\u0e33', 'ก\u0e4d\u0e32'],
  ])('shows %j as %j', (text, shown) => {
    expect(sanitize(text)).toBe(shown);
  });

  test('expands tabs from the column at which the text begins', () => {
    expect(sanitize('a\tb')).toBe('a       b');
    expect(sanitize('中\tb', { tab: 4 })).toBe('中  b');
    expect(sanitize('\tb', { column: 6 })).toBe('  b');
    expect(sanitize('a\tb\x07', { tab: 'keep' })).toBe('a\tb^G');
  });

  test('shows a tab of a name like other controls', () => {
    expect(sanitize('a\tb\r', { tab: 'visible' })).toBe('a^Ib^M');
  });

  test('returns its own output unchanged', () => {
    fc.assert(
      fc.property(hostileText, (text) => {
        const once = sanitize(text);
        expect(sanitize(once)).toBe(once);
      }),
      { numRuns: 2000 },
    );
  });

  test('removes everything that acts on a terminal', () => {
    fc.assert(
      fc.property(hostileText, (text) => {
        expect(sanitize(text)).not.toMatch(/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/u);
      }),
      { numRuns: 2000 },
    );
  });

  test('changes only its own cells on the screen', async () => {
    const screen = new KnownScreen();
    const { cols, height } = KnownScreen;
    await screen.print('', 0, 0);
    const { modes } = screen;
    await fc.assert(
      fc.asyncProperty(hostileText, fc.nat({ max: 60 }), fc.nat({ max: 5 }), async (text, x, y) => {
        const shown = truncateCells(sanitize(text), cols - x - 1);
        await screen.print(shown, x, y);
        const end = x + cellWidth(shown);
        expect(screen.events).toEqual([]);
        expect(screen.modes).toEqual(modes);
        expect(screen.cursor).toEqual({ x: end, y });
        expect(screen.row(y, 0, x)).toBe(KnownScreen.letter(y).repeat(x));
        expect(screen.row(y, end)).toBe(KnownScreen.letter(y).repeat(cols - end));
        for (let row = 0; row < height; row++) {
          if (row !== y) expect(screen.row(row)).toBe(KnownScreen.letter(row).repeat(cols));
        }
      }),
      { numRuns: 500 },
    );
  });
});

describe('sanitizeBlock', () => {
  test('returns each line, and none after the last line end', () => {
    expect(sanitizeBlock('a\r\nb\n')).toEqual(['a', 'b']);
    expect(sanitizeBlock('a\n\nb\rc')).toEqual(['a', '', 'b^Mc']);
    expect(sanitizeBlock('')).toEqual(['']);
  });
});
