import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cellWidth, padCells, truncateCells } from '../../../source/terminal/screen/cells.ts';
import { sanitize } from '../../../source/terminal/screen/sanitize.ts';
import { hostileText } from '../hostile-text.ts';
import { KnownScreen } from './known-screen.ts';

const corpus = [
  'plain ASCII',
  'Größe überschritten',
  '┌─ box ─┐ … ↑↓',
  '日本語のログ',
  '한국어 로그',
  '中文日志，全角',
  'ﾊﾝｶｸ ｶﾞ',
  'cafe\u0301 nai\u0308ve',
  'Привет, мир',
  'שלום',
  'ไฟล์',
  'Ωμέγα',
];

const emoji = ['done ✅ 🚀', '😀😀', '⚠️ warning', '👩‍💻 coding', '🇩🇪 🇫🇷', '❤️', '1️⃣', '👍🏽'];

describe('cellWidth', () => {
  test.each(corpus)('is what a terminal with old tables advances by for %s', async (text) => {
    const screen = new KnownScreen('stock');
    await screen.print(text, 0, 0);
    expect(cellWidth(text)).toBe(screen.cursor.x);
  });

  // Tables of Unicode 6 give an emoji one cell; terminals of the last ten years give it two.
  test.each([...corpus, ...emoji])(
    'is what a terminal of today advances by for %s',
    async (text) => {
      const screen = new KnownScreen();
      await screen.print(sanitize(text), 0, 0);
      expect(cellWidth(sanitize(text))).toBe(screen.cursor.x);
    },
  );
});

describe('truncateCells', () => {
  test('truncates to the width, the ellipsis included', () => {
    expect(truncateCells('config.yaml', 11)).toBe('config.yaml');
    expect(truncateCells('config.yaml', 8)).toBe('config.…');
    expect(truncateCells('config.yaml', 8, '..')).toBe('config..');
    expect(truncateCells('日本語', 4)).toBe('日…');
    expect(truncateCells('cafe\u0301s', 4, '')).toBe('cafe\u0301');
    expect(truncateCells('config', 1, '..')).toBe('.');
    expect(truncateCells('config', 0)).toBe('');
  });

  // A cluster may be wider than a wide character: terminals draw the jamo of U+1100 U+1100 apart.
  test('never exceeds the width and leaves no room for the cluster that it cut', () => {
    const clusters = new Intl.Segmenter();
    fc.assert(
      fc.property(hostileText, fc.nat({ max: 30 }), (text, width) => {
        const clean = sanitize(text);
        const cut = truncateCells(clean, width);
        expect(cellWidth(cut)).toBeLessThanOrEqual(width);
        if (cut === clean) return;
        const kept = cut.slice(0, -1);
        expect(clean.startsWith(kept)).toBe(true);
        const [next] = clusters.segment(clean.slice(kept.length));
        expect(cellWidth(cut + (next?.segment ?? ''))).toBeGreaterThan(width);
      }),
    );
  });

  test('keeps a cluster of two leading jamo whole', () => {
    expect(truncateCells('\u1100\u1100\u1100', 6)).toBe('\u1100\u1100\u1100');
    expect(truncateCells('\u1100\u1100 log', 5)).toBe('\u1100\u1100…');
    expect(truncateCells('\u1100\u1100 log', 3)).toBe('…');
  });
});

test('padCells pads to the width and returns wider text unchanged', () => {
  expect(padCells('日本', 6)).toBe('日本  ');
  expect(padCells('7', 3, 'right')).toBe('  7');
  expect(padCells('longer', 3)).toBe('longer');
});
