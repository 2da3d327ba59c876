import type { DecodedRecord } from '../../client/decode/fields.ts';
import type { Deployment } from '../../contract/deployments.ts';
import { deriveEach, memoizeEach, memoizeLast } from '../lists/memoize-last.ts';
import { naturalKey } from '../lists/natural-order.ts';
import { type ListOrder, timeKey } from '../lists/order.ts';
import { createRowSort, type OrderedRows, type SortKeys } from '../lists/ordered-rows.ts';
import { deploymentLabel, restartCount } from './deployments.ts';

type Rows = readonly DecodedRecord<Deployment>[];

/** Sort keys of the order of attention by the id of the deployment, most urgent first. */
export type AttentionKeys = ReadonlyMap<string, string>;

const withoutKeys: AttentionKeys = new Map();

const listWithOrder = memoizeEach((rows: Rows, order: ListOrder) => ({ rows, order }));

const sortRows = createRowSort<DecodedRecord<Deployment>>();

const sorted = memoizeLast(
  ({ rows, order }: ReturnType<typeof listWithOrder>, attention: AttentionKeys) =>
    sortRows(rows, order, keysOf[order.by]?.(rows, attention)),
);

/**
 * Sorts deployments; memoized. The rows are the same array in the order of the service, and in that
 * of attention while nothing is known about them.
 */
export function orderDeployments(
  rows: Rows,
  order: ListOrder,
  attention: AttentionKeys = withoutKeys,
): OrderedRows<DecodedRecord<Deployment>> {
  return sorted(listWithOrder(rows, order), order.by === 'attention' ? attention : withoutKeys);
}

/** Returns the natural sort keys of the labels; a label that stays keeps its key. */
export const nameKeys = deriveEach(
  (deployment: Deployment) => naturalKey(deploymentLabel(deployment)),
  (before, now) => before.name === now.name && before.id === now.id,
);

/** Returns the sort keys of rows; an order that is not here is that of the service. */
const keysOf: Readonly<
  Partial<Record<ListOrder['by'], (rows: Rows, attention: AttentionKeys) => SortKeys>>
> = {
  // Without keys, nothing is known about any row.
  attention: (rows, keys) =>
    keys.size === 0 ? undefined : rows.map(({ value }) => keys.get(value.id)),
  name: (rows) => nameKeys(rows),
  age: (rows) => rows.map(({ value }) => descending(timeKey(value.createdAt))),
  restarts: (rows) => rows.map(({ value }) => descending(restartCount(value.services))),
  cost: (rows) =>
    rows.map(({ value: { pricePerHour } }) =>
      descending(pricePerHour === undefined ? undefined : Number(pricePerHour)),
    ),
};

function descending(key: number | undefined): number | undefined {
  return key === undefined || Number.isNaN(key) ? undefined : -key;
}
