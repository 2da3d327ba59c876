import type { Read } from '../../client/client.ts';
import type { Deployment } from '../../contract/deployments.ts';
import type { FileRecord } from '../../contract/files.ts';
import { type Grant, grantState } from '../../contract/grants.ts';
import { type AddressBook, nameOf, noNames } from '../grants/address-book.ts';
import { orderDeployments } from '../deployments/order.ts';
import { deploymentLabel } from '../deployments/deployments.ts';
import { matchingTreeRows, type TreeRow, treeRows } from '../files/tree.ts';
import {
  always,
  type GrantOrdering,
  isTimedOrder,
  isWithin,
  orderGrants,
  type QuietSpan,
  quietSpan,
} from '../grants/order.ts';
import { memoizeEach, memoizeLast } from '../lists/memoize-last.ts';
import { parseListFilter } from '../lists/filter.ts';
import { firstOrders, type ListOrder, ordersOf } from '../lists/order.ts';

const orderedDeployments = memoizeEach(orderDeployments);

const deploymentOrders = ordersOf('deployments');

/** What the words of a filter look for; a list would cost as much again at every letter. */
const deploymentTexts = memoizeLast<readonly Read<Deployment>[], void, readonly string[]>((rows) =>
  rows.map(({ value }) => {
    let text = `${deploymentLabel(value)} ${value.id}`;
    // Joining a list of each of thousands of rows takes twice as long.
    for (const { name } of value.services) text += ` ${name}`;
    return text.toLowerCase();
  }),
);

const matchingDeployments = memoizeLast((rows: readonly Read<Deployment>[], typed: string) => {
  const filter = parseListFilter(typed);
  const texts = deploymentTexts(rows);
  return rows.filter(({ value: { state, services } }, index) =>
    filter.matches({ text: texts[index] ?? '', state, services }),
  );
});

/** What the keys that order and filter a long list need, in pieces of a few milliseconds each. */
export function deploymentPreparations(rows: readonly Read<Deployment>[]): readonly (() => void)[] {
  const orders = deploymentOrders.map((order) => () => {
    matchingDeployments(orderedDeployments(rows, order), 'a');
  });
  return orders;
}

/** Deployments that pass the filter, its words by name, id and services; the same until one changes. */
export function visibleDeployments(
  rows: readonly Read<Deployment>[],
  typed: string,
  order: ListOrder = firstOrders.deployments,
): readonly Read<Deployment>[] {
  const ordered = orderedDeployments(rows, order);
  return typed.trim() === '' ? ordered : matchingDeployments(ordered, typed);
}

interface TimedGrants {
  readonly rows: readonly Read<Grant>[];
  readonly span: QuietSpan;
}

const orderedGrants = memoizeLast(
  (rows: readonly Read<Grant>[], asked: GrantOrdering): TimedGrants => ({
    rows: orderGrants(rows, asked),
    span: isTimedOrder(asked.order) ? quietSpan(rows, asked.now) : always,
  }),
  (before, { order, wallet, book, now }, { span }) =>
    before.order === order &&
    before.wallet === wallet &&
    before.book === book &&
    isWithin(span, now),
);

interface GrantFiltering {
  readonly typed: string;
  readonly book: AddressBook;
  readonly now: number;
}

const matchingGrants = memoizeLast(
  (rows: readonly Read<Grant>[], { typed, book, now }: GrantFiltering): TimedGrants => {
    const filter = parseListFilter(typed);
    return {
      rows: rows.filter(({ value }) =>
        filter.matches({
          text: `${addressText(value.grantor, book)} ${addressText(value.grantee, book)}`,
          state: filter.asksState ? grantState(value, now) : undefined,
        }),
      ),
      span: filter.asksState ? quietSpan(rows, now) : always,
    };
  },
  (before, { typed, book, now }, { span }) =>
    before.typed === typed && before.book === book && isWithin(span, now),
);

function addressText(address: string, book: AddressBook): string {
  return `${address} ${nameOf(book, address) ?? ''}`;
}

/**
 * Grants that pass the filter, its words by both addresses and their names; the same until
 * one changes its state.
 */
export function visibleGrants(
  rows: readonly Read<Grant>[],
  typed: string,
  serviceNow: number,
  book: AddressBook = noNames,
  order: ListOrder = firstOrders.grants,
  wallet?: string,
): readonly Read<Grant>[] {
  const ordered = orderedGrants(rows, { order, wallet, book, now: serviceNow }).rows;
  if (typed.trim() === '') return ordered;
  return matchingGrants(ordered, { typed, book, now: serviceNow }).rows;
}

/** Ids of the rows, in their order. */
export const idsOf = memoizeLast<readonly Read<{ readonly id: string }>[], void, readonly string[]>(
  (rows) => rows.map(({ value }) => value.id),
);

/** Which folders of a tree are folded: as it starts, but for those that were toggled. */
export interface Folds {
  readonly startsFolded: boolean;
  readonly toggled: ReadonlySet<string>;
}

/** The last tree of a listing: each key asks again, and several times, for what the pane shows. */
const known = new WeakMap<
  readonly Read<FileRecord>[],
  {
    readonly typed: string;
    readonly folds: Folds;
    readonly order: ListOrder;
    readonly rows: readonly TreeRow[];
  }
>();

/** The rows of the file tree; a filter unfolds what holds a match. */
export function visibleFiles(
  rows: readonly Read<FileRecord>[],
  typed: string,
  folds: Folds,
  order: ListOrder = firstOrders.files,
): readonly TreeRow[] {
  const last = known.get(rows);
  const isFiltered = typed.trim() !== '';
  const isSame = last?.typed === typed && last.order === order;
  if (isSame && (isFiltered || isSameFolds(last.folds, folds))) return last.rows;
  const tree = isFiltered
    ? matchingFiles(rows, typed, order)
    : treeRows(rows, foldedBy(folds), order);
  known.set(rows, { typed, folds, order, rows: tree });
  return tree;
}

function matchingFiles(
  rows: readonly Read<FileRecord>[],
  typed: string,
  order: ListOrder,
): readonly TreeRow[] {
  const filter = parseListFilter(typed);
  return matchingTreeRows(rows, (path) => filter.matches({ text: path }), order);
}

function isSameFolds(left: Folds, right: Folds): boolean {
  return left.startsFolded === right.startsFolded && left.toggled === right.toggled;
}

function foldedBy({ startsFolded, toggled }: Folds): (path: string) => boolean {
  return (path) => startsFolded !== toggled.has(path);
}

/** Paths of the rows, in their order. */
export const pathsOf = memoizeLast<readonly TreeRow[], void, readonly string[]>((rows) =>
  rows.map(({ path }) => path),
);

/**
 * Row of a filtered file tree that the cursor goes to: the first that matches itself, a file rather
 * than the folder above it (screens, "Prompt"); -1 where there is none.
 */
export function firstMatch(rows: readonly TreeRow[]): number {
  const file = rows.findIndex((row) => !row.folder);
  return file === -1 ? rows.findIndex((row) => row.record !== undefined) : file;
}
