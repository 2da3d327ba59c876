import type { DecodedRecord } from '../../client/decode/fields.ts';
import type { FileRecord } from '../../contract/files.ts';
import { type ListFilter, parseListFilter } from '../lists/filter.ts';
import type { ListSource, ListView } from '../lists/list-source.ts';
import { firstOrders, type ListOrder } from '../lists/order.ts';
import type { FilesStore } from './files.ts';
import { treeRows } from './tree.ts';
import type { TreeRow } from './tree-nodes.ts';
import { searchTree, type TreeMatches } from './tree-search.ts';

/** The folded folders of a tree: a default, and the folders that differ from it. */
export interface Folds {
  readonly startsFolded: boolean;
  readonly toggled: ReadonlySet<string>;
}

interface VisibleTree {
  readonly typed: string;
  readonly folds: Folds;
  readonly order: ListOrder;
  readonly rows: readonly TreeRow[];
  /** The result of the filter; undefined without one. */
  readonly matches: TreeMatches | undefined;
}

/** The last tree of each listing, because one key needs the shown rows several times. */
const treeCache = new WeakMap<readonly DecodedRecord<FileRecord>[], VisibleTree>();

/** Paths of rows, by the array of rows. */
const pathCache = new WeakMap<readonly TreeRow[], readonly string[]>();

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
  const matches = isFiltered ? matchingFiles(rows, typed, order, last) : undefined;
  const shown = matches?.rows ?? treeRows(rows, foldedBy(folds), order);
  treeCache.set(rows, { typed, folds, order, rows: shown, matches });
  return shown;
}

function matchingFiles(
  rows: readonly DecodedRecord<FileRecord>[],
  typed: string,
  order: ListOrder,
  last: VisibleTree | undefined,
): TreeMatches {
  const filter = parseListFilter(typed);
  const find: ListFilter['findTexts'] = (searched) => {
    const found = filter.findTexts(searched);
    return filter.asksTextOnly
      ? found
      : found.filter((index) => filter.matches({ text: searched.texts[index] ?? '' }));
  };
  const matches = searchTree(rows, find, order, last?.matches);
  pathCache.set(matches.rows, matches.paths);
  return matches;
}

function isSameFolds(left: Folds, right: Folds): boolean {
  return left.startsFolded === right.startsFolded && left.toggled === right.toggled;
}

function foldedBy({ startsFolded, toggled }: Folds): (path: string) => boolean {
  return (path) => startsFolded !== toggled.has(path);
}

/** Returns the paths of rows; memoized. */
export function pathsOf(rows: readonly TreeRow[]): readonly string[] {
  const known = pathCache.get(rows);
  if (known !== undefined) return known;
  const paths = rows.map(({ path }) => path);
  pathCache.set(rows, paths);
  return paths;
}

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
