import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { firstOrders, orderNames } from '../../../source/store/lists/order.ts';
import { keptViews, readViews, watchViews } from '../../../source/store/deck/list-views.ts';
import { startOfList } from '../../../source/store/lists/cursor.ts';
import { logTimeFormats } from '../../../source/store/log/times.ts';
import { createScreenStore } from '../../../source/store/deck/screen/screen.ts';
import { setScreen } from '../../support/set-screen.ts';

const noFilters = { deployments: '', files: '', grants: '' };
const plain = { orders: firstOrders, filters: noFilters, times: 'time' } as const;

test('views are read as they were kept, also by way of a file', () => {
  const order = <B extends string>(names: readonly B[]) =>
    fc.record({ by: fc.constantFrom(...names), reversed: fc.boolean() });
  const typed = fc.oneof(
    fc.constant(''),
    fc.string({ maxLength: 20 }).map((text) => `x${text}`),
  );
  const views = fc.record({
    orders: fc.record({
      deployments: order(orderNames.deployments),
      files: order(orderNames.files),
      grants: order(orderNames.grants),
    }),
    filters: fc.record({ deployments: typed, files: typed, grants: typed }),
    times: fc.constantFrom(...logTimeFormats),
  });
  fc.assert(
    fc.property(views, (some) => {
      expect(readViews(JSON.parse(JSON.stringify(keptViews(some))))).toEqual(some);
    }),
  );
});

test('what is no view counts as none', () => {
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

test('a paste that is no filter is not kept', () => {
  const filters = { ...noFilters, files: 'x'.repeat(10_000) };
  expect(readViews(keptViews({ orders: firstOrders, filters, times: 'time' }))).toEqual(plain);
});

test('an order is kept at once, a filter when Enter keeps it and when Esc clears it', () => {
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

test('a screen starts as the lists were looked at', () => {
  const views = readViews({ orders: { deployments: '-age' }, filters: { grants: 'dana' } });
  const { orders, filters } = createScreenStore(views).getState();
  expect(orders.deployments).toEqual({ by: 'age', reversed: true });
  expect(filters).toEqual({ ...noFilters, grants: 'dana' });
});
