import type { DecodedRecord } from '../../client/decode/fields.ts';
import type { Deployment } from '../../contract/deployments.ts';
import { parseListFilter } from '../lists/filter.ts';
import type { ListSource } from '../lists/list-source.ts';
import { memoizeEach, memoizeLast } from '../lists/memoize-last.ts';
import { firstOrders, type ListOrder, ordersOf } from '../lists/order.ts';
import { idsOf } from '../lists/row-with-id.ts';
import { deploymentLabel, type DeploymentsStore } from './deployments.ts';
import { orderDeployments } from './order.ts';

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
