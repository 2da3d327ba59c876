import { describe, expect, test } from 'vitest';
import { createLogViews } from '../../../source/store/deck/log-views.ts';
import { createTestClock } from '../../support/clock.ts';

/** Returns the views of consoles that store them in one place. */
function createViews(count: number) {
  const kept: { value: unknown } = { value: undefined };
  const keeper = {
    read: () => kept.value,
    write(next: unknown) {
      kept.value = next;
    },
  };
  const clock = createTestClock();
  const views = Array.from({ length: count }, () =>
    createLogViews({ keeper, clock: { ...clock, serviceNow: () => clock.now() }, say() {} }),
  );
  return { kept, views };
}

type Views = ReturnType<typeof createLogViews>;

function namesOf(views: Views | undefined): readonly string[] | undefined {
  return views?.filterLists.state.getState().map(({ name }) => name);
}

describe('two consoles', () => {
  test('keep the filter lists that one has stored and the commands of the other', () => {
    const { kept, views } = createViews(2);
    const [one, other] = views;
    one?.filterLists.save({ name: 'noise', filters: [] });
    one?.pipedCommands.add('wc');
    other?.pipedCommands.add('sort');
    expect(kept.value).toMatchObject({ lists: [{ name: 'noise' }], pipes: ['wc', 'sort'] });
    one?.filterLists.save({ name: 'slow', filters: [] });
    expect(kept.value).toMatchObject({ lists: [{}, {}], pipes: ['wc', 'sort'] });
  });

  test('keep the filter lists of each other', () => {
    const { kept, views } = createViews(2);
    const [one, other] = views;
    one?.filterLists.save({ name: 'noise', filters: [] });
    other?.filterLists.save({ name: 'slow', filters: [] });
    expect(kept.value).toMatchObject({ lists: [{ name: 'noise' }, { name: 'slow' }] });
    one?.filterLists.remove('noise');
    expect(kept.value).toMatchObject({ lists: [{ name: 'slow' }] });
    expect(namesOf(other)).toEqual(['noise', 'slow']);
    other?.filterLists.refresh();
    expect(namesOf(other)).toEqual(['slow']);
  });
});

test('filter lists last as long as the console where nothing can be stored', () => {
  const clock = createTestClock();
  const views = createLogViews({
    keeper: undefined,
    clock: { ...clock, serviceNow: () => clock.now() },
    say() {},
  });
  views.filterLists.save({ name: 'noise', filters: [] });
  views.filterLists.save({ name: 'slow', filters: [] });
  views.filterLists.refresh();
  expect(namesOf(views)).toEqual(['noise', 'slow']);
});
