import type { DecodedRecord } from '../../client/decode/fields.ts';
import { deploymentLabel } from './deployments.ts';
import { type ListOrder, type OrderKey, orderRows, timeKey } from '../lists/order.ts';
import { naturalKey } from '../lists/natural-order.ts';
import type { Deployment } from '../../contract/deployments.ts';

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
