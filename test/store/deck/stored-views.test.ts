import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { eachListPane } from '../../../source/store/lists/list-panes.ts';
import { firstOrders, type OrderName, orderNames } from '../../../source/store/lists/order.ts';
import { storedViews, readViews, watchViews } from '../../../source/store/deck/stored-views.ts';
import { themeChoices } from '../../../source/store/deck/screen/appearance.ts';
import { logTimeFormats } from '../../../source/store/log/times.ts';
import { createScreenStore } from '../../../source/store/deck/screen/screen.ts';
import { setScreen } from '../../support/set-screen.ts';

const plain = {
  orders: firstOrders,
  times: 'time',
  histogram: undefined,
  rawJson: false,
  theme: 'auto',
  hasBell: true,
  hasTrueColour: false,
  restartDelay: undefined,
  hasMouse: false,
} as const;

test('settings survive storing and reading, also through a file', () => {
  const order = (names: readonly OrderName[]) =>
    fc.record({ by: fc.constantFrom(...names), reversed: fc.boolean() });
  const views = fc.record({
    orders: fc.record(eachListPane((list) => order(orderNames(list)))),
    times: fc.constantFrom(...logTimeFormats),
    histogram: fc.constantFrom(undefined, true, false),
    rawJson: fc.boolean(),
    theme: fc.constantFrom(...themeChoices),
    hasBell: fc.boolean(),
    hasTrueColour: fc.boolean(),
    hasMouse: fc.boolean(),
    restartDelay: fc.constantFrom(undefined, 'off' as const, 0, 1500),
  });
  fc.assert(
    fc.property(views, (some) => {
      expect(readViews(JSON.parse(JSON.stringify(storedViews(some))))).toEqual(some);
    }),
  );
});

test('the configuration holds until a person chooses something else', () => {
  const configured = { theme: 'light', hasBell: false } as const;
  expect(readViews(undefined, configured)).toEqual({ ...plain, ...configured });
  const chosen = { ...plain, theme: 'auto', hasBell: true } as const;
  expect(readViews(storedViews(chosen, configured), configured)).toEqual(chosen);
  const same = storedViews({ ...plain, ...configured }, configured);
  expect(readViews(same)).toEqual(plain);
});

test('invalid data becomes the defaults', () => {
  for (const damaged of [
    undefined,
    null,
    3,
    'age',
    [],
    { orders: 'age' },
    { orders: { deployments: 'spent', files: 7, grants: {} } },
  ]) {
    expect(readViews(damaged)).toEqual(plain);
  }
  fc.assert(
    fc.property(fc.jsonValue(), (json) => {
      expect(readViews({ orders: json })).toMatchObject({ times: 'time' });
    }),
  );
});

test('an order is stored at once, and a filter never', () => {
  const screen = createScreenStore();
  const kept: unknown[] = [];
  const end = watchViews(screen, (views) => kept.push(views));
  setScreen(screen, { orders: { ...firstOrders, grants: { by: 'spent', reversed: true } } });
  const orders = { grants: '-spent' };
  expect(kept).toEqual([{ orders }]);
  screen.listViews.setFilter('files', 'app');
  setScreen(screen, { wrap: true });
  setScreen(screen, { times: 'full-utc' });
  expect(kept.slice(1)).toEqual([{ orders, times: 'full-utc' }]);
  end();
  setScreen(screen, { orders: firstOrders });
  expect(kept).toHaveLength(2);
});

test('a screen starts with the stored settings, and without the filter of an earlier version', () => {
  const views = readViews({ orders: { deployments: '-age' }, filters: { grants: 'dana' } });
  const { orders, filters } = createScreenStore(views).getState();
  expect(orders.deployments).toEqual({ by: 'age', reversed: true });
  expect(filters.grants).toBe('');
});
