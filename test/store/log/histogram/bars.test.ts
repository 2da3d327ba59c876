import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { LogLine } from '../../../../source/contract/logs.ts';
import { countBars } from '../../../../source/store/log/histogram/bars.ts';
import { SlotStarts } from '../../../../source/store/log/histogram/slot-starts.ts';
import { slotsBetween, slotTimes } from '../../../../source/store/log/histogram/slots.ts';
import type { Entries } from '../../../../source/tail/arena/entries.ts';
import { createLogWorld } from '../log-world.ts';

const start = Date.UTC(2026, 0, 1);
const timeOf = (seconds: number) => new Date(start + seconds * 1000).toISOString();

/** Lines by slot, one by one. A line without a time has that of the line before it. */
function naiveCounts(entries: Entries<LogLine>, times: readonly number[]): readonly number[] {
  const counts = times.slice(1).map(() => 0);
  let at = Number.NEGATIVE_INFINITY;
  for (const entry of entries.slice(0, entries.length)) {
    const line = entry.kind === 'gap' ? entry.until : entry.line;
    at = line?.timestamp === undefined ? at : Date.parse(line.timestamp);
    const slot = times.findIndex((from, index) => from <= at && at < (times[index + 1] ?? from));
    if (entry.kind === 'line' && slot >= 0) counts[slot] = (counts[slot] ?? 0) + 1;
  }
  return counts;
}

type Step =
  | { readonly kind: 'insert'; readonly seconds: readonly (number | undefined)[] }
  | { readonly kind: 'gap' | 'drop' | 'remove'; readonly at: number }
  | { readonly kind: 'renumber' | 'count' };

const index = fc.nat(60);
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('insert' as const),
      seconds: fc.array(fc.option(fc.nat(240), { nil: undefined, freq: 6 }), { maxLength: 6 }),
    }),
  },
  fc.record({
    kind: fc.constantFrom('gap' as const, 'drop' as const, 'remove' as const),
    at: index,
  }),
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constantFrom('renumber' as const, 'count' as const) }),
  },
);

describe('the bars of a histogram', () => {
  it('count what a count of every line finds, whatever is inserted, dropped or renumbered', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
        const world = createLogWorld();
        const { entries } = world;
        const starts = new SlotStarts(entries);
        world.options.onInserted((runs) => starts.noteInserted(runs));
        const times = slotTimes({ from: start, width: 10_000, count: 24 });
        const check = () => {
          const bars = countBars(entries, times, starts.of(times));
          expect(bars.map(({ count }) => count)).toEqual(naiveCounts(entries, times));
        };
        for (const one of steps) {
          switch (one.kind) {
            case 'insert':
              // Each line goes where the times of the others put it.
              for (const seconds of one.seconds) {
                const time = seconds === undefined ? undefined : timeOf(seconds);
                const all = entries.slice(0, entries.length);
                const place =
                  time === undefined
                    ? entries.length
                    : all.findIndex(
                        (entry) =>
                          entry.kind === 'line' && (entry.line.timestamp ?? timeOf(-1)) > time,
                      );
                const at = place < 0 ? entries.length : place;
                // Nothing is inserted between a gap and the line after it.
                const isAfterGap = entries.at(at - 1)?.kind === 'gap';
                world.insertAt(isAfterGap ? at - 1 : at, [{ text: 'x', time }]);
              }
              break;
            case 'gap':
              world.change((log) => log.toggleGap(one.at));
              break;
            case 'drop':
              world.change((log) => log.dropOldest(one.at >> 3));
              break;
            case 'remove':
              world.change((log) => log.remove(one.at, 2));
              break;
            case 'renumber':
              world.change((log) => log.renumber());
              break;
            case 'count':
              check();
          }
        }
        check();
      }),
    );
  });

  it('leave out a line without a time once the line before it is dropped', () => {
    const world = createLogWorld();
    const starts = new SlotStarts(world.entries);
    const times = slotTimes({ from: start, width: 10_000, count: 2 });
    const counts = () =>
      countBars(world.entries, times, starts.of(times)).map(({ count }) => count);
    world.insertAt(0, [{ text: 'x', time: timeOf(0) }]);
    world.insertAt(1, [{ text: 'y' }]);
    expect(counts()).toEqual([2, 0]);
    world.change((log) => log.dropOldest(1));
    expect(counts()).toEqual([0, 0]);
  });

  it('tells slots inside a gap from slots without lines', () => {
    const world = createLogWorld();
    world.insertAt(
      0,
      [0, 25, 55].map((seconds) => ({ text: 'x', time: timeOf(seconds) })),
    );
    world.change((log) => log.toggleGap(2));
    const times = slotTimes({ from: start, width: 10_000, count: 6 });
    const bars = countBars(world.entries, times, new SlotStarts(world.entries).of(times));
    expect(bars.map(({ count }) => count)).toEqual([1, 0, 1, 0, 0, 1]);
    expect(bars.map(({ isUnloaded }) => isUnloaded)).toEqual([
      false,
      false,
      false,
      true,
      true,
      false,
    ]);
  });
});

describe('the slots of a histogram', () => {
  it('cover the times in as many slots as there is room for, and leave the open one out', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 4e12 }),
        fc.nat(1e11),
        fc.integer({ min: 1, max: 200 }),
        fc.boolean(),
        (first, span, most, isOpen) => {
          const { from, width, count } = slotsBetween(first, first + span, most, isOpen);
          expect(count).toBeGreaterThan(0);
          expect(count).toBeLessThanOrEqual(most);
          expect(from % width).toBe(0);
          expect(from).toBeLessThanOrEqual(first);
          expect(first - from).toBeLessThan(width);
          const uncovered = first + span - (from + count * width);
          expect(uncovered).toBeLessThan(isOpen ? width : 0);
        },
      ),
    );
  });

  it('have widths that a person can name', () => {
    const minute = 60_000;
    expect(slotsBetween(start, start + 27 * minute, 56, true).width).toBe(30_000);
    expect(slotsBetween(start, start + 4 * minute, 56, true).width).toBe(5000);
  });
});
