import { expect, onTestFinished, test } from 'vitest';
import { createStore } from 'zustand/vanilla';
import { LogHistogram } from '../../../../source/store/log/histogram/histogram.ts';
import type { LogsState } from '../../../../source/store/log/feed/log-source.ts';
import { LogFilter } from '../../../../source/store/log/reader/filter.ts';
import { createLogWorld, type TestLine } from '../log-world.ts';

const start = Date.UTC(2026, 0, 1);
const at = (seconds: number, text = 'x'): TestLine => ({
  text,
  time: new Date(start + seconds * 1000).toISOString(),
});

function createHistogramWorld() {
  const world = createLogWorld();
  const { entries, clock } = world.options;
  let now = start;
  const filter = new LogFilter(world.options);
  const histogram = new LogHistogram({
    log: {
      entries,
      onInserted: (listener) => world.options.onInserted(listener),
      state: createStore(() => ({ connection: { kind: 'live' } }) as LogsState),
    },
    filter,
    clock,
    serviceNow: () => now,
  });
  onTestFinished(() => histogram.stop());
  const bars = () => {
    const state = histogram.state.getState();
    if (state.kind !== 'bars') return state.kind;
    return state.bars.map((bar) => `${bar.count}${state.errors.has(bar.at) ? '!' : ''}`).join(' ');
  };
  const add = (...lines: readonly TestLine[]) => world.insertAt(world.entries.length, lines);
  return {
    world,
    filter,
    histogram,
    bars,
    add,
    /** Sets the seconds since the start, and runs the next timers. */
    goTo: (seconds: number, turns: number) => {
      now = start + seconds * 1000;
      for (let turn = 0; turn < turns; turn += 1) world.turn();
    },
  };
}

test('a bar appears when its slot is over, with the errors among its lines', () => {
  const { histogram, bars, add, goTo } = createHistogramWorld();
  histogram.show(50);
  expect(bars()).toBe('empty');
  add(at(0), at(1), at(6, 'ERROR: no'), at(11));
  goTo(12, 4);
  expect(bars()).toBe('2 1!');
  add(at(13));
  expect(bars()).toBe('2 1!');
  goTo(15, 2);
  expect(bars()).toBe('2 1! 2');
});

test('only lines that pass the filter are counted', () => {
  const { histogram, bars, add, goTo, filter, world } = createHistogramWorld();
  add(at(0, 'a'), at(1, 'b'), at(6, 'a'), at(7, 'a'), at(11, 'b'));
  goTo(15, 0);
  histogram.show(50);
  expect(bars()).toBe('2 2 1');
  filter.setQuery({ text: 'a', regex: false });
  expect(bars()).toBe('1 2 0');
  world.change((log) => log.dropOldest(1));
  filter.setQuery(undefined);
  expect(bars()).toBe('1 2 1');
});

test('lines without times have no bars, and neither has a hidden histogram', () => {
  const { histogram, bars, add, goTo } = createHistogramWorld();
  add({ text: 'no time' });
  const hide = histogram.show(50);
  expect(bars()).toBe('untimed');
  hide();
  add(at(0));
  goTo(10, 20);
  expect(bars()).toBe('untimed');
  expect(histogram.bars().map(({ count }) => count)).toEqual([1, 0]);
});
