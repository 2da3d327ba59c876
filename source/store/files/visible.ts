import type { DecodedRecord } from '../../client/decode/fields.ts';
import type { FileRecord } from '../../contract/files.ts';
import { parseListFilter } from '../lists/filter.ts';
import type { ListSource, ListView } from '../lists/list-source.ts';
import { memoizeLast } from '../lists/memoize-last.ts';
import { firstOrders, type ListOrder } from '../lists/order.ts';
import type { FilesStore } from './files.ts';
import { matchingTreeRows, treeRows } from './tree.ts';
import type { TreeRow } from './tree-nodes.ts';

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
  return matchingTreeRows(rows, (text) => filter.matches({ text }), order);
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

/** Returns the rows of the file tree with this filter and order. */
export function fileRows(
  { drafted, state }: Pick<FilesStore, 'drafted' | 'state'>,
  { filter, order }: ListView,
): readonly TreeRow[] {
  return visibleFiles(drafted().rows, filter, state.getState(), order);
}

/** Returns the file tree as a list pane uses it; the ids are paths. */
export function fileTree(
  files: Pick<FilesStore, 'list' | 'state' | 'drafted' | 'subscribe'>,
): ListSource {
  return {
    state: files.list.state,
    hasFolders: true,
    ids: (view) => pathsOf(fileRows(files, view)),
    firstMatch: (view) => firstMatch(fileRows(files, view)),
    subscribe: (changed) => files.subscribe(changed),
  };
}
