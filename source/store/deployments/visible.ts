import type { DecodedRecord } from '../../client/decode/fields.ts';
import type { Deployment } from '../../contract/deployments.ts';
import { parseListFilter } from '../lists/filter.ts';
import type { ListSource } from '../lists/list-source.ts';
import { memoizeEach, memoizeLast } from '../lists/memoize-last.ts';
import {
  firstOrders,
  type ListOrder,
  ordersOf,
  type OrderKey,
  orderRows,
  timeKey,
} from '../lists/order.ts';
import { idsOf } from '../lists/row-with-id.ts';
import { deploymentLabel, type DeploymentsStore } from './deployments.ts';
import { naturalKey } from '../lists/natural-order.ts';

const orderedDeployments = memoizeEach(orderDeployments);

const deploymentOrders = ordersOf('deployments');

/** Texts that filters search, memoized because each typed letter searches them again. */
const deploymentTexts = memoizeLast<readonly DecodedRecord<Deployment>[], void, readonly string[]>(
  (rows) =>
    rows.map(({ value }) => {
      let text = `${deploymentLabel(value)} ${value.id}`;
      // For thousands of rows, `join` takes twice as long.
      for (const { name } of value.services) text += ` ${name}`;
      return text.toLowerCase();
    }),
);

const matchingDeployments = memoizeLast(
  (rows: readonly DecodedRecord<Deployment>[], typed: string) => {
    const filter = parseListFilter(typed);
    const texts = deploymentTexts(rows);
    return rows.filter(({ value: { state, services } }, index) =>
      filter.matches({ text: texts[index] ?? '', state, services }),
    );
  },
);

/** Returns steps of a few milliseconds each that precompute the orders and filters of a long list. */
export function deploymentPreparations(
  rows: readonly DecodedRecord<Deployment>[],
): readonly (() => void)[] {
  const orders = deploymentOrders.map((order) => () => {
    matchingDeployments(orderedDeployments(rows, order), 'a');
  });
  return orders;
}

/** Returns the deployments whose name, id or services match the filter; memoized. */
export function visibleDeployments(
  rows: readonly DecodedRecord<Deployment>[],
  typed: string,
  order: ListOrder = firstOrders.deployments,
): readonly DecodedRecord<Deployment>[] {
  const ordered = orderedDeployments(rows, order);
  return typed.trim() === '' ? ordered : matchingDeployments(ordered, typed);
}

/** Returns the deployments as a list pane uses them. */
export function deploymentList({ list }: Pick<DeploymentsStore, 'list'>): ListSource {
  return {
    state: list.state,
    ids: ({ filter, order }) =>
      idsOf(visibleDeployments(list.state.getState().rows, filter, order)),
    subscribe: (changed) => list.state.subscribe(changed),
  };
}

/** Ranks of states, most urgent first; unknown states rank between running and stopped ones. */
const ranks: Readonly<Record<string, number>> = {
  failed: 0,
  error: 0,
  crashed: 0,
  suspended: 1,
  restarting: 2,
  starting: 3,
  pending: 3,
  deploying: 3,
  active: 4,
  running: 4,
  ready: 4,
  stopped: 6,
  exited: 6,
  closed: 7,
};
const otherState = 5;

/** Sorts deployments; returns the same array for the order of the service. */
export function orderDeployments(
  rows: readonly DecodedRecord<Deployment>[],
  { by, reversed }: ListOrder,
): readonly DecodedRecord<Deployment>[] {
  const keyOf = keys[by];
  if (keyOf !== undefined) return orderRows(rows, ({ value }) => keyOf(value), reversed);
  return reversed ? rows.toReversed() : rows;
}

type KeyOf = (deployment: Deployment) => OrderKey | undefined;

const keys: Readonly<Partial<Record<ListOrder['by'], KeyOf>>> = {
  name: (deployment) => naturalKey(deploymentLabel(deployment)),
  age({ createdAt }) {
    const at = timeKey(createdAt);
    return at === undefined ? undefined : -at;
  },
  state({ state }) {
    if (state === undefined) return undefined;
    const word = state.toLowerCase();
    return Object.hasOwn(ranks, word) ? ranks[word] : otherState;
  },
};
