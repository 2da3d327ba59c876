import { describe, expect, test } from 'vitest';
import type { HistogramState } from '../../../../source/store/log/histogram/histogram.ts';
import {
  barRoom,
  histogramLine,
  showsHistogram,
} from '../../../../source/view/log/histogram/histogram-row.ts';
import { cellWidth } from '../../../../source/terminal/screen/cells.ts';
import { asciiGlyphs, unicodeGlyphs } from '../../../../source/view/text/glyphs.ts';

const from = Date.UTC(2026, 0, 1, 11, 20);
const width = 30_000;

function histogram(counts: readonly number[], errors: readonly number[] = []): HistogramState {
  const bars = counts.map((count, index) => ({
    at: from + index * width,
    count: Math.max(0, count),
    first: index,
    end: index + 1,
    isUnloaded: count < 0,
  }));
  const slots = { from, width, count: counts.length };
  return { kind: 'bars', slots, bars, errors: new Set(errors.map((at) => from + at * width)) };
}

const text = (state: HistogramState, cells: number, steps = unicodeGlyphs.steps) =>
  histogramLine(state, cells, steps, true)
    .map((part) => part.text)
    .join('');

describe('the row of the histogram', () => {
  test('shows the times at its ends, the bars between them, and the width of a bar', () => {
    const state = histogram([1, 0, 2, 8, 10, 3, -1, 0, 1]);
    expect(text(state, 60)).toBe(`11:20 ▁ ▂▇█▃- ▁ 11:24${' '.repeat(60 - 21 - 9)}30s a bar`);
    expect(text(state, 60, asciiGlyphs.steps)).toMatch(/^11:20 \. \.##:- \. 11:24 +30s a bar$/);
    expect(text(state, 40)).toBe('11:20 ▁ ▂▇█▃- ▁ 11:24');
  });

  test('marks bars with errors', () => {
    const bad = histogramLine(histogram([1, 5, 1], [1]), 60, unicodeGlyphs.steps, true);
    expect(bad.filter(({ token }) => token === 'bad').map((part) => part.text)).toEqual(['█']);
  });

  test('keeps the bars in place when one is added', () => {
    const [before, after] = [text(histogram([3, 1, 2]), 80), text(histogram([3, 1, 2, 1]), 80)];
    expect(after.slice(0, 9)).toBe(before.slice(0, 9));
  });

  test.each([40, 49, 50, 80, 200])('fits %i cells', (cells) => {
    const counts = Array.from({ length: barRoom(cells) }, (_, index) => index);
    expect(cellWidth(text(histogram(counts), cells))).toBeLessThanOrEqual(cells);
  });

  test('shows dates when the bars cover more than a day', () => {
    const day = 24 * 3_600_000;
    const state = histogram([1, 1]);
    if (state.kind !== 'bars') throw new Error('no bars');
    const long = { ...state, slots: { from: from - (from % day), width: day, count: 2 } };
    expect(text(long, 40)).toBe('01-01 ██ 01-03');
  });

  test('is shown from 20 rows on, unless somebody decided', () => {
    expect(showsHistogram(undefined, 24, 20)).toBe(true);
    expect(showsHistogram(undefined, 19, 15)).toBe(false);
    expect(showsHistogram(undefined, 40, 8)).toBe(false);
    expect(showsHistogram(true, 12, 8)).toBe(true);
    expect(showsHistogram(false, 24, 20)).toBe(false);
  });
});
