import type { StoreApi } from 'zustand/vanilla';
import type { DecodedRecord } from '../../client/decode/fields.ts';
import type { Deployment } from '../../contract/deployments.ts';
import { parseListFilter } from '../lists/filter.ts';
import type { ListSource } from '../lists/list-source.ts';
import { deriveEach, memoizeLast } from '../lists/memoize-last.ts';
import { firstOrders, type ListOrder, ordersOf } from '../lists/order.ts';
import { matchingRows } from '../lists/ordered-rows.ts';
import { idsOf } from '../lists/row-with-id.ts';
import { deploymentLabel, type DeploymentsStore } from './deployments.ts';
import { type AttentionKeys, orderDeployments } from './order.ts';

/** The part of the conditions of deployments that filter and order of attention read. */
export interface DeploymentAttention {
  /** The word that the row of a deployment shows, by its id. */
  readonly conditions: ReadonlyMap<
    string,
    { readonly word: string; readonly exitCode?: number | undefined }
  >;
  /** Sort keys by the id of the deployment, most urgent first. */
  readonly keys: AttentionKeys;
}

const noAttention: DeploymentAttention = { conditions: new Map(), keys: new Map() };

type Rows = readonly DecodedRecord<Deployment>[];

const deploymentOrders = ordersOf('deployments');

/** Texts that filters search; each typed letter searches them again. */
const deploymentTexts = deriveEach(
  (deployment: Deployment) => {
    const { id, state = '', services } = deployment;
    let text = `${deploymentLabel(deployment)} ${id} ${state}`;
    // For thousands of rows, `join` takes twice as long.
    for (const { name } of services) text += ` ${name}`;
    return text.toLowerCase();
  },
  (before, now) =>
    before.name === now.name &&
    before.id === now.id &&
    before.state === now.state &&
    before.services.length === now.services.length &&
    before.services.every(({ name }, index) => name === now.services[index]?.name),
);

interface Criteria {
  readonly typed: string;
  readonly conditions: DeploymentAttention['conditions'];
}

/** Tells for each row whether the filter matches it. */
const deploymentMatches = memoizeLast(
  (rows: Rows, { typed, conditions }: Criteria): readonly boolean[] => {
    const filter = parseListFilter(typed);
    const texts = deploymentTexts(rows);
    return rows.map(({ value: { id, state, services } }, index) => {
      const { word, exitCode } = conditions.get(id) ?? {};
      const shown = word === undefined || word === state ? '' : ` ${word}`;
      const exit = exitCode === undefined ? '' : ` exit ${exitCode}`;
      const own = texts[index] ?? '';
      // Most rows show nothing more, and a joined text would have to be flattened for each letter.
      const text = shown === '' && exit === '' ? own : `${own}${shown}${exit}`;
      return filter.matches({ text, state, shownState: word, services });
    });
  },
  (before, now) => before.typed === now.typed && before.conditions === now.conditions,
);

const matchingDeployments = memoizeLast(matchingRows<DecodedRecord<Deployment>>);

/** Returns steps of a few milliseconds each that precompute the orders and texts of a long list. */
export function deploymentPreparations(
  rows: Rows,
  { keys }: DeploymentAttention = noAttention,
): readonly (() => void)[] {
  return [
    () => void deploymentTexts(rows),
    ...deploymentOrders.map((order) => () => void orderDeployments(rows, order, keys)),
  ];
}

/** Returns the deployments in whose row the words of the filter occur; memoized. */
export function visibleDeployments(
  rows: Rows,
  typed: string,
  order: ListOrder = firstOrders.deployments,
  { keys, conditions }: DeploymentAttention = noAttention,
): Rows {
  const ordered = orderDeployments(rows, order, keys);
  return typed.trim() === ''
    ? ordered.rows
    : matchingDeployments(ordered, deploymentMatches(rows, { typed, conditions }));
}

/** Returns the deployments as a list pane uses them. */
export function deploymentList(
  { list }: Pick<DeploymentsStore, 'list'>,
  attention: Pick<StoreApi<DeploymentAttention>, 'getState' | 'subscribe'>,
): ListSource {
  return {
    state: list.state,
    ids: ({ filter, order }) =>
      idsOf(visibleDeployments(list.state.getState().rows, filter, order, attention.getState())),
    subscribe(changed) {
      const ends = [list.state.subscribe(changed), attention.subscribe(changed)];
      return () => {
        for (const end of ends) end();
      };
    },
  };
}
