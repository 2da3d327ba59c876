import type { DecodedRecord } from '../../client/client.ts';
import type { Deployment } from '../../contract/deployments.ts';
import type { FileRecord } from '../../contract/files.ts';
import { type Grant, deriveGrantState } from '../../contract/grants.ts';
import { type AddressBook, addressName, emptyAddressBook } from '../grants/address-book.ts';
import { orderDeployments } from '../deployments/order.ts';
import { deploymentLabel } from '../deployments/deployments.ts';
import { matchingTreeRows, type TreeRow, treeRows } from '../files/tree.ts';
import {
  endlessSpan,
  type GrantOrdering,
  isTimedOrder,
  isInSpan,
  orderGrants,
  type QuietSpan,
  quietSpan,
} from '../grants/order.ts';
import { memoizeEach, memoizeLast } from '../lists/memoize-last.ts';
import { parseListFilter } from '../lists/filter.ts';
import { firstOrders, type ListOrder, ordersOf } from '../lists/order.ts';

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

interface TimedGrants {
  readonly rows: readonly DecodedRecord<Grant>[];
  readonly span: QuietSpan;
}

const orderedGrants = memoizeLast(
  (rows: readonly DecodedRecord<Grant>[], ordering: GrantOrdering): TimedGrants => ({
    rows: orderGrants(rows, ordering),
    span: isTimedOrder(ordering.order) ? quietSpan(rows, ordering.now) : endlessSpan,
  }),
  (before, { order, wallet, book, now }, { span }) =>
    before.order === order &&
    before.wallet === wallet &&
    before.book === book &&
    isInSpan(span, now),
);

interface GrantFiltering {
  readonly typed: string;
  readonly book: AddressBook;
  readonly now: number;
}

const matchingGrants = memoizeLast(
  (rows: readonly DecodedRecord<Grant>[], { typed, book, now }: GrantFiltering): TimedGrants => {
    const filter = parseListFilter(typed);
    return {
      rows: rows.filter(({ value }) =>
        filter.matches({
          text: `${addressText(value.grantor, book)} ${addressText(value.grantee, book)}`,
          state: filter.asksState ? deriveGrantState(value, now) : undefined,
        }),
      ),
      span: filter.asksState ? quietSpan(rows, now) : endlessSpan,
    };
  },
  (before, { typed, book, now }, { span }) =>
    before.typed === typed && before.book === book && isInSpan(span, now),
);

function addressText(address: string, book: AddressBook): string {
  return `${address} ${addressName(book, address) ?? ''}`;
}

/**
 * Returns the grants whose addresses or names match the filter; the same array until a grant changes
 * its state.
 */
export function visibleGrants(
  rows: readonly DecodedRecord<Grant>[],
  typed: string,
  serviceNow: number,
  book: AddressBook = emptyAddressBook,
  order: ListOrder = firstOrders.grants,
  wallet?: string,
): readonly DecodedRecord<Grant>[] {
  const ordered = orderedGrants(rows, { order, wallet, book, now: serviceNow }).rows;
  if (typed.trim() === '') return ordered;
  return matchingGrants(ordered, { typed, book, now: serviceNow }).rows;
}

/** Returns the ids of rows; memoized. */
export const idsOf = memoizeLast<
  readonly DecodedRecord<{ readonly id: string }>[],
  void,
  readonly string[]
>((rows) => rows.map(({ value }) => value.id));

/** The folded folders of a tree: a default, and the folders that differ from it. */
export interface Folds {
  readonly startsFolded: boolean;
  readonly toggled: ReadonlySet<string>;
}

/** The last tree of each listing, because one key needs the shown rows several times. */
const treeCache = new WeakMap<
  readonly DecodedRecord<FileRecord>[],
  {
    readonly typed: string;
    readonly folds: Folds;
    readonly order: ListOrder;
    readonly rows: readonly TreeRow[];
  }
>();

/** Returns the rows of the file tree; a filter unfolds the folders that contain a match. */
export function visibleFiles(
  rows: readonly DecodedRecord<FileRecord>[],
  typed: string,
  folds: Folds,
  order: ListOrder = firstOrders.files,
): readonly TreeRow[] {
  const last = treeCache.get(rows);
  const isFiltered = typed.trim() !== '';
  const isSame = last?.typed === typed && last.order === order;
  if (isSame && (isFiltered || isSameFolds(last.folds, folds))) return last.rows;
  const tree = isFiltered
    ? matchingFiles(rows, typed, order)
    : treeRows(rows, foldedBy(folds), order);
  treeCache.set(rows, { typed, folds, order, rows: tree });
  return tree;
}

function matchingFiles(
  rows: readonly DecodedRecord<FileRecord>[],
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

/** Returns the paths of rows; memoized. */
export const pathsOf = memoizeLast<readonly TreeRow[], void, readonly string[]>((rows) =>
  rows.map(({ path }) => path),
);

/**
 * Returns the index of the row that the cursor moves to in a filtered tree: the first matching file,
 * else the first matching folder; -1 without a match.
 */
export function firstMatch(rows: readonly TreeRow[]): number {
  const file = rows.findIndex((row) => !row.folder);
  return file === -1 ? rows.findIndex((row) => row.record !== undefined) : file;
}
