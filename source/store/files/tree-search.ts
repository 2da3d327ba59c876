/** The rows of a file tree that a filter matches. */
import type { DecodedRecord } from '../../client/decode/fields.ts';
import type { FileRecord } from '../../contract/files.ts';
import type { ListFilter } from '../lists/filter.ts';
import { firstOrders, type ListOrder } from '../lists/order.ts';
import { joinTexts, sameIndexes } from '../lists/searched-texts.ts';
import {
  childrenOf,
  nameOf,
  type NodeSequence,
  rowOf,
  type Tree,
  treeOf,
  type TreeNode,
  type TreeRow,
} from './tree-nodes.ts';

/** The result of a search. */
export interface TreeMatches {
  readonly rows: readonly TreeRow[];
  readonly paths: readonly string[];
  readonly sequence: NodeSequence;
  /** Indexes in the sequence of the nodes that match. */
  readonly found: readonly number[];
}

/** Nodes that one step of {@link sequenceSteps} takes; a few milliseconds. */
const nodesPerStep = 2500;

/**
 * Returns the nodes in the sequence of a wholly open tree, in the order of the listing's last search;
 * cached until a record changes.
 */
function nodeSequence(tree: Tree, order: ListOrder): NodeSequence {
  if (tree.sequence?.order !== order) for (const step of sequenceSteps(tree, order)) step();
  return tree.sequence as NodeSequence;
}

/**
 * Returns steps that compute the sequence. It holds paths and rows in arrays of its own, because to
 * follow a pointer for each of 50,000 nodes takes 10 ms.
 */
export function sequenceSteps(tree: Tree, order: ListOrder): readonly (() => void)[] {
  const nodes: TreeNode[] = [];
  const paths: string[] = [];
  const rows: (TreeRow | undefined)[] = [];
  const folders: number[] = [];
  const depths: number[] = [];
  const texts: (string | undefined)[] = [];
  // An explicit stack: a service's paths may be nested deeper than the call stack. Copies of the
  // children, because another order may sort them between two steps.
  const stack = [{ children: [...childrenOf(tree.root, order)], next: 0, index: -1 }];

  function take(node: TreeNode, folder: number): void {
    const depth = stack.length - 1;
    if (node.children.length > 0) {
      stack.push({ children: [...childrenOf(node, order)], next: 0, index: nodes.length });
    }
    nodes.push(node);
    paths.push(node.path);
    rows.push(node.isFolder ? undefined : rowOf(node, depth, false));
    folders.push(folder);
    depths.push(depth);
    texts.push(node.record?.path.toLowerCase());
  }

  function takeSome(): void {
    const end = nodes.length + nodesPerStep;
    for (let level = stack.at(-1); level !== undefined; level = stack.at(-1)) {
      if (nodes.length >= end) return;
      const node = level.children[level.next];
      level.next += 1;
      if (node === undefined) stack.pop();
      else take(node, level.index);
    }
  }

  return [
    ...Array.from({ length: Math.ceil(tree.nodes.size / nodesPerStep) }, () => takeSome),
    () => {
      const searched = joinTexts(texts);
      tree.sequence = { order, nodes, paths, rows, folders, depths, searched };
    },
  ];
}

/**
 * Returns the rows of the records whose paths match, together with the folders above them.
 * @param find returns the indexes of the paths that match; it receives them in lower case.
 * @param last result of the last search, which is returned again where the same records match.
 */
export function searchTree(
  records: readonly DecodedRecord<FileRecord>[],
  find: ListFilter['findTexts'],
  order = firstOrders.files,
  last?: TreeMatches,
): TreeMatches {
  const sequence = nodeSequence(treeOf(records), order);
  const before = last?.sequence === sequence ? last : undefined;
  const found = sameIndexes(before?.found, find(sequence.searched));
  if (before?.found === found) return before;
  return { ...rowsOf(sequence, found), sequence, found };
}

/** Returns the rows of the found nodes and of the folders above them, and their paths. */
function rowsOf(
  sequence: NodeSequence,
  found: readonly number[],
): { readonly rows: readonly TreeRow[]; readonly paths: readonly string[] } {
  const rows: TreeRow[] = [];
  const paths: string[] = [];
  /** The folders that have a row, with its place, and those whose row is open. */
  const places = new Map<number, number>();
  const opened = new Set<number>();

  function showFolder(index: number, isMatch: boolean, isOpen: boolean): void {
    const node = sequence.nodes[index];
    if (node === undefined) return;
    const place = places.get(index) ?? rows.length;
    rows[place] = folderRow(node, sequence.depths[index] ?? 0, isMatch, isOpen);
    paths[place] = node.path;
    places.set(index, place);
  }

  function openFolders(folder: number): void {
    const closed: number[] = [];
    for (let index = folder; index !== -1; index = sequence.folders[index] ?? -1) {
      if (opened.has(index)) break;
      closed.push(index);
      opened.add(index);
    }
    for (const index of closed.reverse()) showFolder(index, places.has(index), true);
  }

  let lastFolder = -1;
  // A plain loop, because it runs for each letter of a filter.
  for (let at = 0; at < found.length; at += 1) {
    const index = found[at] ?? 0;
    const folder = sequence.folders[index] ?? -1;
    if (folder !== lastFolder) openFolders(folder);
    lastFolder = folder;
    const row = sequence.rows[index];
    if (row === undefined) {
      showFolder(index, true, false);
    } else {
      rows.push(row);
      paths.push(sequence.paths[index] ?? '');
    }
  }
  return { rows, paths };
}

/** Returns the row of a folder in a filtered tree; one that does not match itself has no record. */
function folderRow(node: TreeNode, depth: number, isMatch: boolean, hasMatches: boolean): TreeRow {
  const { path, record, isListedAsFolder } = node;
  const folder = hasMatches || isListedAsFolder;
  const name = nameOf(node);
  return { path, name, depth, folder, open: folder, record: isMatch ? record : undefined };
}
