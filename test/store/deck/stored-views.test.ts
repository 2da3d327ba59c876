import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { eachListPane } from '../../../source/store/lists/list-panes.ts';
import { firstOrders, type OrderName, orderNames } from '../../../source/store/lists/order.ts';
import { storedViews, readViews, watchViews } from '../../../source/store/deck/stored-views.ts';
import { themeChoices } from '../../../source/store/deck/screen/appearance.ts';
import { startOfList } from '../../../source/store/lists/cursor.ts';
import { logTimeFormats } from '../../../source/store/log/times.ts';
import { createScreenStore } from '../../../source/store/deck/screen/screen.ts';
import { setScreen } from '../../support/set-screen.ts';

const noFilters = eachListPane(() => '');
const plain = {
  orders: firstOrders,
  filters: noFilters,
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
  const typed = fc.oneof(
    fc.constant(''),
    fc.string({ maxLength: 20 }).map((text) => `x${text}`),
  );
  const views = fc.record({
    orders: fc.record(eachListPane((list) => order(orderNames(list)))),
    filters: fc.record(eachListPane(() => typed)),
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
    { orders: 'age', filters: [] },
    { orders: { deployments: 'spent', files: 7, grants: {} }, filters: { files: 3 } },
  ]) {
    expect(readViews(damaged)).toEqual(plain);
  }
  fc.assert(
    fc.property(fc.jsonValue(), (json) => {
      const { filters } = readViews({ orders: json, filters: json });
      for (const typed of Object.values(filters)) expect(typeof typed).toBe('string');
    }),
  );
});

test('an overlong filter is not stored', () => {
  const filters = { ...noFilters, files: 'x'.repeat(10_000) };
  expect(readViews(storedViews({ ...plain, filters }))).toEqual(plain);
});

test('an order is stored at once, a filter when Enter confirms or Esc clears it', () => {
  const screen = createScreenStore();
  const kept: unknown[] = [];
  const end = watchViews(screen, (views) => kept.push(views));
  setScreen(screen, { orders: { ...firstOrders, grants: { by: 'spent', reversed: true } } });
  const orders = { grants: '-spent' };
  expect(kept).toEqual([{ orders, filters: {} }]);
  const overlay = {
    kind: 'filter',
    pane: 'files',
    before: '',
    cursor: startOfList,
    caret: 0,
  } as const;
  setScreen(screen, { overlay, filters: { ...noFilters, files: 'a' } });
  setScreen(screen, { filters: { ...noFilters, files: 'app' } });
  expect(kept).toHaveLength(1);
  setScreen(screen, { overlay: undefined });
  expect(kept.slice(1)).toEqual([{ orders, filters: { files: 'app' } }]);
  setScreen(screen, { filters: noFilters });
  expect(kept.slice(2)).toEqual([{ orders, filters: {} }]);
  setScreen(screen, { wrap: true });
  setScreen(screen, { times: 'full-utc' });
  expect(kept.slice(3)).toEqual([{ orders, filters: {}, times: 'full-utc' }]);
  end();
  setScreen(screen, { orders: firstOrders });
  expect(kept).toHaveLength(4);
});

test('a screen starts with the stored settings', () => {
  const views = readViews({ orders: { deployments: '-age' }, filters: { grants: 'dana' } });
  const { orders, filters } = createScreenStore(views).getState();
  expect(orders.deployments).toEqual({ by: 'age', reversed: true });
  expect(filters).toEqual({ ...noFilters, grants: 'dana' });
});
