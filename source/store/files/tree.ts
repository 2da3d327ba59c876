import type { DecodedRecord } from '../../client/decode/fields.ts';
import type { FileRecord } from '../../contract/files.ts';
import { firstOrders, type ListOrder } from '../lists/order.ts';
import {
  childrenOf,
  nameKeyOf,
  nameOf,
  searchText,
  treeOf,
  type TreeNode,
  type TreeRow,
} from './tree-nodes.ts';

/** Largest number of files in a tree that starts unfolded. */
export const unfoldedAtMost = 200;

function rowOf(node: TreeNode, depth: number, open: boolean): TreeRow {
  const { path, isFolder: folder, record } = node;
  const row = (open ? node.openRow : node.row) ?? {
    path,
    name: nameOf(node),
    depth,
    folder,
    open,
    record,
  };
  if (open) node.openRow = row;
  else node.row = row;
  return row;
}

/**
 * Returns the visible rows: in each folder its folders first, then its files in `order`. A path that
 * is listed as a file and has files below it is one row, a folder with a record. The tree is cached
 * by the array of records, so a second call costs the visible rows only.
 */
export function treeRows(
  records: readonly DecodedRecord<FileRecord>[],
  isFolded: (path: string) => boolean,
  order = firstOrders.files,
): readonly TreeRow[] {
  const rows: TreeRow[] = [];
  // An explicit stack: a service's paths may be nested deeper than the call stack.
  const stack = [{ nodes: childrenOf(treeOf(records).root, order), next: 0 }];
  for (let level = stack.at(-1); level !== undefined; level = stack.at(-1)) {
    const node = level.nodes[level.next];
    level.next += 1;
    if (node === undefined) {
      stack.pop();
      continue;
    }
    const isOpen = node.isFolder && !isFolded(node.path);
    rows.push(rowOf(node, stack.length - 1, isOpen));
    if (isOpen) stack.push({ nodes: childrenOf(node, order), next: 0 });
  }
  return rows;
}

/**
 * Returns the rows of the records whose paths match, together with the folders above them.
 * @param matches receives a path in lower case.
 */
export function matchingTreeRows(
  records: readonly DecodedRecord<FileRecord>[],
  matches: (path: string) => boolean,
  order = firstOrders.files,
): readonly TreeRow[] {
  const { root, nodes } = treeOf(records);
  // Marks on the nodes take less memory than a set of them.
  const search = {};
  for (const node of nodes.values()) {
    const { record } = node;
    if (record === undefined || !matches(searchText(node, record))) continue;
    node.matchedIn = search;
    for (let folder = node.parent; folder !== undefined; folder = folder.parent) {
      if (folder.matchedBelowIn === search) break;
      folder.matchedBelowIn = search;
    }
  }
  const rows: TreeRow[] = [];
  const stack = [{ nodes: childrenOf(root, order), next: 0 }];
  for (let level = stack.at(-1); level !== undefined; level = stack.at(-1)) {
    const node = level.nodes[level.next];
    level.next += 1;
    if (node === undefined) {
      stack.pop();
      continue;
    }
    const isMatch = node.matchedIn === search;
    const hasMatches = node.matchedBelowIn === search;
    if (!isMatch && !hasMatches) continue;
    rows.push(matchingRow(node, stack.length - 1, isMatch, hasMatches));
    if (hasMatches) stack.push({ nodes: childrenOf(node, order), next: 0 });
  }
  return rows;
}

/** Nodes that one step prepares; takes a few milliseconds. */
const nodesPerStep = 2500;

/**
 * Returns steps of a few milliseconds each that precompute the rows of a long tree and what sorts and
 * filters read. Without them, the first letter of a filter of 50,000 files takes 86 ms, and to
 * unfold half of them 44.
 */
export function treePreparations(
  records: readonly DecodedRecord<FileRecord>[],
  order: ListOrder,
): readonly (() => void)[] {
  const { root, nodes } = treeOf(records);
  const all = [root, ...nodes.values()];
  const starts = Array.from({ length: Math.ceil(all.length / nodesPerStep) }, (_, step) =>
    all.slice(step * nodesPerStep, (step + 1) * nodesPerStep),
  );
  return [
    ...starts.map((some) => () => {
      for (const node of some) prepareNode(node);
    }),
    ...starts.map((some) => () => {
      for (const node of some) childrenOf(node, order);
    }),
  ];
}

function prepareNode(node: TreeNode): void {
  nameKeyOf(node);
  if (node.record !== undefined) searchText(node, node.record);
  if (node.isFolder || node.parent === undefined) return;
  let depth = 0;
  for (let above = node.parent.parent; above !== undefined; above = above.parent) depth += 1;
  rowOf(node, depth, false);
}

/** Returns the row of a node in a filtered tree; a folder that does not match itself has no record. */
function matchingRow(
  node: TreeNode,
  depth: number,
  isMatch: boolean,
  hasMatches: boolean,
): TreeRow {
  if (!node.isFolder) return rowOf(node, depth, false);
  const { path, record, isListedAsFolder } = node;
  const folder = hasMatches || isListedAsFolder;
  const name = nameOf(node);
  return { path, name, depth, folder, open: folder, record: isMatch ? record : undefined };
}
