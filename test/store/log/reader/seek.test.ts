import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createLogSeek } from '../../../../source/store/log/reader/running-seek.ts';
import { findNearestLine } from '../../../../source/store/log/reader/seek.ts';
import { LogView } from '../../../../source/store/log/reader/view.ts';
import type { LineMatcher } from '../../../../source/tail/query/log-query.ts';
import { createTestClock, type TestClock } from '../../../support/clock.ts';
import { listedEntries } from '../../../support/listed-entries.ts';

const lines = (texts: readonly string[]) => listedEntries(texts.map((logLine) => ({ logLine })));

/** A test that takes a millisecond a line, so that there are many slices. */
function slowTest(clock: TestClock, text: string): LineMatcher {
  return {
    hasCriteria: true,
    isCheap: true,
    matches(line) {
      clock.set(clock.now() + 1);
      return line === text;
    },
    mayMatch: undefined,
    prefilter: undefined,
    spans: () => [],
  };
}

describe('the nearest matching line', () => {
  it('equals the result of a naive scan', async () => {
    const texts = fc.array(fc.constantFrom('a', 'a', 'a', 'b'), { maxLength: 600 });
    const from = fc.option(fc.integer({ min: -5, max: 6005 }), { nil: undefined });
    const sides = fc.constantFrom('newer' as const, 'older' as const);
    await fc.assert(
      fc.asyncProperty(texts, from, sides, async (all, start, side) => {
        const clock = createTestClock();
        const found = findNearestLine({
          entries: lines(all),
          from: start,
          side,
          test: slowTest(clock, 'b'),
          clock,
          signal: new AbortController().signal,
          onSlice() {},
        });
        await clock.advance(1000);
        const matching = all.flatMap((text, index) => (text === 'b' ? [index * 10] : []));
        const base = start ?? Number.POSITIVE_INFINITY;
        expect(await found).toBe(
          side === 'newer'
            ? matching.find((seq) => seq > base)
            : matching.findLast((seq) => seq < base),
        );
      }),
      { numRuns: 60 },
    );
  });

  it('is found in slices between key presses, until the scan is cancelled', async () => {
    const clock = createTestClock();
    const counts: number[] = [];
    const controller = new AbortController();
    const found = findNearestLine({
      entries: lines(Array.from({ length: 5000 }, () => 'a')),
      from: undefined,
      side: 'older',
      test: slowTest(clock, 'b'),
      clock: { ...clock, after: (wait, action) => clock.after(wait + 1, action) },
      signal: controller.signal,
      onSlice: (count) => counts.push(count),
    });
    expect(counts).toEqual([256]);
    await clock.advance(1);
    expect(counts).toEqual([256, 1280]);
    controller.abort();
    await clock.advance(1000);
    expect(await found).toBeUndefined();
    expect(counts).toEqual([256, 1280]);
    expect(clock.waiting()).toEqual([]);
  });
});

describe('a seek', () => {
  function open() {
    const view = new LogView({ entries: lines(['a', 'b', 'c']), received: () => 0 });
    return { view, seek: createLogSeek(view) };
  }

  it('reports progress until its end', () => {
    const { seek } = open();
    const seeking = seek.begin(() => {});
    seeking.report('100 lines');
    expect(seek.progress.getState()).toBe('100 lines');
    seeking.end();
    expect(seek.progress.getState()).toBeUndefined();
    expect(seek.cancel()).toBe(false);
    seeking.report('late');
    expect(seek.progress.getState()).toBeUndefined();
  });

  it('is cancelled when the reader moves and when another seek starts', () => {
    const { seek, view } = open();
    const stopped: string[] = [];
    seek.begin(() => stopped.push('first'));
    view.move(-1);
    seek.begin(() => stopped.push('second'));
    seek.begin(() => stopped.push('third'));
    expect(stopped).toEqual(['first', 'second']);
    expect(seek.cancel()).toBe(true);
    expect(stopped).toEqual(['first', 'second', 'third']);
  });
});
