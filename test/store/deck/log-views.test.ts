import { expect, test } from 'vitest';
import { createLogViews } from '../../../source/store/deck/log-views.ts';
import { createTestClock } from '../../support/clock.ts';

test('a list of filters and a command that one console stores stay when another one stores the other kind', () => {
  let stored: unknown;
  const keeper = {
    read: () => stored,
    write(next: unknown) {
      stored = next;
    },
  };
  const clock = createTestClock();
  const views = () =>
    createLogViews({ keeper, clock: { ...clock, serviceNow: () => clock.now() }, say() {} });
  const [one, other] = [views(), views()];
  one.filterLists.save({ name: 'noise', filters: [] });
  one.pipedCommands.add('wc');
  other.pipedCommands.add('sort');
  expect(stored).toMatchObject({ lists: [{ name: 'noise' }], pipes: ['wc', 'sort'] });
  one.filterLists.save({ name: 'slow', filters: [] });
  expect(stored).toMatchObject({ lists: [{}, {}], pipes: ['wc', 'sort'] });
});
