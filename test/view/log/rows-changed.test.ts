import { expect, test, vi } from 'vitest';
import { LogFilter } from '../../../source/store/log/reader/filter.ts';
import { LogSearch } from '../../../source/store/log/reader/search.ts';
import { LogView } from '../../../source/store/log/reader/view.ts';
import { watchQueries } from '../../../source/view/log/rows-changed.ts';
import { createTestClock } from '../../support/clock.ts';
import { createLogWorld } from '../../store/log/log-world.ts';

function watched() {
  const world = createLogWorld();
  const filter = new LogFilter(world.options);
  const view = new LogView({ entries: filter.entries, received: () => 0 });
  const search = new LogSearch({ ...world.options, filter, view });
  const clock = createTestClock();
  const changed = vi.fn<() => void>();
  const end = watchQueries({ filter, search }, clock, changed);
  return { world, filter, search, clock, changed, end };
}

test('a new query is reported at once', () => {
  const { world, filter, search, changed } = watched();
  world.say('pay', 'other');
  filter.setQuery({ text: 'pay', regex: false });
  expect(changed).toHaveBeenCalled();
  changed.mockClear();
  search.setQuery({ text: 'pay', regex: false });
  expect(changed).toHaveBeenCalled();
});

test('rising counts are reported at intervals, not with each line', async () => {
  const { world, filter, clock, changed, end } = watched();
  filter.setQuery({ text: 'pay', regex: false });
  world.settle();
  changed.mockClear();
  for (let line = 0; line < 10; line += 1) {
    world.say('pay');
    world.settle();
  }
  expect(changed).not.toHaveBeenCalled();
  expect(clock.waiting()).toHaveLength(1);
  await clock.advance(1000);
  expect(changed).toHaveBeenCalledTimes(1);
  world.say('pay');
  world.settle();
  end();
  expect(clock.waiting()).toEqual([]);
});
