import { firstOrders, type ListOrders, orderText, readOrder } from '../lists/order.ts';
import { parseLogTimeFormat } from '../log/times.ts';
import type { ListPane } from './screen/focus.ts';
import type { Screen, ScreenStore } from './screen/screen.ts';

/** How the lists and the log are looked at: what a person would set up anew at each start. */
export type ListViews = Pick<Screen, 'filters' | 'orders' | 'times'>;

/** Longer than any filter that was meant to be one. */
const longestFilter = 1000;

/** What is kept of the lists as plain data; only what differs from how a list starts. */
export function keptViews({ filters, orders, times }: ListViews): unknown {
  return {
    orders: changed(lists, (list) =>
      orders[list] === firstOrders[list] ? undefined : orderText(orders[list]),
    ),
    filters: changed(lists, (list) => {
      const typed = filters[list];
      return typed.trim() === '' || typed.length > longestFilter ? undefined : typed;
    }),
    ...(times === 'time' ? {} : { times }),
  };
}

const lists: readonly ListPane[] = ['deployments', 'files', 'grants'];

function changed(
  all: readonly ListPane[],
  textOf: (list: ListPane) => string | undefined,
): Readonly<Record<string, string>> {
  const entries = all.map((list) => [list, textOf(list)] as const);
  return Object.fromEntries(
    entries.filter((entry): entry is [ListPane, string] => entry[1] !== undefined),
  );
}

/** Reads what {@link keptViews} gave, whatever became of it: what is no view counts as none. */
export function readViews(kept: unknown): ListViews {
  const order = (list: ListPane) =>
    readOrder(list, textAt(kept, 'orders', list)) ?? firstOrders[list];
  const filter = (list: ListPane) => textAt(kept, 'filters', list).slice(0, longestFilter);
  const orders: ListOrders = {
    deployments: order('deployments'),
    files: order('files'),
    grants: order('grants'),
  };
  const filters = {
    deployments: filter('deployments'),
    files: filter('files'),
    grants: filter('grants'),
  };
  return { orders, filters, times: parseLogTimeFormat(own(kept, 'times')) };
}

function textAt(kept: unknown, field: string, list: ListPane): string {
  const text = own(own(kept, field), list);
  return typeof text === 'string' ? text : '';
}

function own(value: unknown, key: string): unknown {
  if (typeof value !== 'object' || value === null) return undefined;
  return Object.getOwnPropertyDescriptor(value, key)?.value;
}

/**
 * Hands over the views whenever they change. A filter is one when Enter keeps it: while it is typed,
 * Esc may still bring back the one before.
 */
export function watchViews(screen: ScreenStore, keep: (kept: unknown) => void): () => void {
  let last = JSON.stringify(keptViews(screen.getState()));
  return screen.subscribe((now, before) => {
    if (now.overlay?.kind === 'filter') return;
    const isSame =
      now.filters === before.filters && now.orders === before.orders && now.times === before.times;
    if (isSame && before.overlay === now.overlay) return;
    const views = keptViews(now);
    const text = JSON.stringify(views);
    if (text === last) return;
    last = text;
    keep(views);
  });
}
