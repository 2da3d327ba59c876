import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createLogSeek } from '../../../../source/store/log/reader/running-seek.ts';
import { findNearestLine } from '../../../../source/store/log/reader/seek.ts';
import { LogView } from '../../../../source/store/log/reader/view.ts';
import { createTestClock } from '../../../support/clock.ts';
import { listedEntries } from '../../../support/listed-entries.ts';

const lines = (texts: readonly string[]) => listedEntries(texts.map((logLine) => ({ logLine })));

describe('the nearest matching line', () => {
  it('equals the result of a naive scan', async () => {
    const texts = fc.array(fc.constantFrom('a', 'a', 'a', 'b'), { maxLength: 120 });
    const from = fc.option(fc.integer({ min: -5, max: 1205 }), { nil: undefined });
    await fc.assert(
      fc.asyncProperty(texts, from, fc.constantFrom(1, -1), async (all, start, step) => {
        const clock = createTestClock();
        const entries = lines(all);
        const ends: (number | undefined)[] = [];
        findNearestLine({
          entries,
          from: start,
          step,
          // Each reading of the clock takes time, so that there are many slices.
          matches(text) {
            clock.set(clock.now() + 1);
            return text === 'b';
          },
          clock,
          onSlice() {},
          onEnd: (seq) => ends.push(seq),
        });
        await clock.advance(1000);
        const matching = all.flatMap((text, index) => (text === 'b' ? [index * 10] : []));
        const base = start ?? Number.POSITIVE_INFINITY;
        expect(ends).toEqual([
          step > 0 ? matching.find((seq) => seq > base) : matching.findLast((seq) => seq < base),
        ]);
      }),
      { numRuns: 60 },
    );
  });

  it('is found in slices between key presses, until the scan is cancelled', async () => {
    const clock = createTestClock();
    const counts: number[] = [];
    const cancel = findNearestLine({
      entries: lines(Array.from({ length: 5000 }, () => 'a')),
      from: undefined,
      step: -1,
      matches() {
        clock.set(clock.now() + 1);
        return false;
      },
      clock: { ...clock, after: (wait, action) => clock.after(wait + 1, action) },
      onSlice: (count) => counts.push(count),
      onEnd: () => counts.push(-1),
    });
    expect(counts).toEqual([32]);
    await clock.advance(1);
    expect(counts).toEqual([32, 64]);
    cancel();
    await clock.advance(1000);
    expect(counts).toEqual([32, 64]);
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
