import type { StoreApi } from 'zustand/vanilla';
import type { DecodedRecord } from '../../client/decode/fields.ts';
import type { Deployment } from '../../contract/deployments.ts';
import { parseListFilter } from '../lists/filter.ts';
import type { ListSource } from '../lists/list-source.ts';
import { deriveEach, memoizeLast } from '../lists/memoize-last.ts';
import { firstOrders, type ListOrder, ordersOf } from '../lists/order.ts';
import { matchingRows } from '../lists/ordered-rows.ts';
import { idsOf } from '../lists/row-with-id.ts';
import { joinTexts, sameIndexes } from '../lists/searched-texts.ts';
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

/** Texts of the records, in lower case. */
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

/** Texts that filters search: those of the records, and what the rows show of their conditions. */
const searchedTexts = memoizeLast((rows: Rows, conditions: DeploymentAttention['conditions']) =>
  joinTexts(
    deploymentTexts(rows).map((own, index) => {
      const { id = '', state } = rows[index]?.value ?? {};
      const { word, exitCode } = conditions.get(id) ?? {};
      const shown = word === undefined || word === state ? '' : ` ${word}`;
      const exit = exitCode === undefined ? '' : ` exit ${exitCode}`;
      return shown === '' && exit === '' ? own : `${own}${shown}${exit}`.toLowerCase();
    }),
  ),
);

interface Criteria {
  readonly typed: string;
  readonly conditions: DeploymentAttention['conditions'];
}

/** Returns the indexes of the rows that the filter matches, the same array while these stay. */
const foundDeployments = memoizeLast<Rows, Criteria, readonly number[]>(
  (rows, { typed, conditions }, last) => {
    const filter = parseListFilter(typed);
    const searched = searchedTexts(rows, conditions);
    const found = filter.findTexts(searched);
    if (filter.asksTextOnly) return sameIndexes(last, found);
    return found.filter((index) => {
      const { id = '', state, services = [] } = rows[index]?.value ?? {};
      const shownState = conditions.get(id)?.word;
      const text = searched.texts[index] ?? '';
      return filter.matches({ text, state, shownState, services });
    });
  },
  (before, now) => before.typed === now.typed && before.conditions === now.conditions,
);

const matchingDeployments = memoizeLast(matchingRows<DecodedRecord<Deployment>>);

/**
 * Returns steps of a few milliseconds each that compute what the first key of each order and the first
 * letter of a filter need of a long list.
 */
export function deploymentPreparations(
  rows: Rows,
  attention: () => DeploymentAttention = () => noAttention,
): readonly (() => void)[] {
  return [
    () => void deploymentTexts(rows),
    () => void searchedTexts(rows, attention().conditions),
    ...deploymentOrders.flatMap((order) => {
      const ordered = () => orderDeployments(rows, order, attention().keys).rows;
      return [() => void ordered(), () => void idsOf(ordered())];
    }),
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
    : matchingDeployments(ordered, foundDeployments(rows, { typed, conditions }));
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
