import type { DecodedRecord } from '../../client/decode/fields.ts';
import type { FileRecord } from '../../contract/files.ts';
import { compareKeys, firstOrders, type ListOrder, timeKey } from '../lists/order.ts';
import { naturalKey } from '../lists/natural-order.ts';

/** A row of the file tree: a folder or a file. */
export interface TreeRow {
  /** Path inside the service; unique in the tree. */
  readonly path: string;
  readonly name: string;
  readonly depth: number;
  readonly folder: boolean;
  /** True for an unfolded folder. */
  readonly open: boolean;
  /** The service's record of this path; undefined for a folder that only paths imply. */
  readonly record: FileRecord | undefined;
}

interface Node {
  readonly path: string;
  readonly children: Node[];
  parent: Node | undefined;
  /** Lazy name and its sort key. */
  name: string | undefined;
  nameKey: string | undefined;
  /** Lazy text of the record's path that filters search. */
  text: string | undefined;
  record: FileRecord | undefined;
  /** True when the node is listed as a folder or has children. */
  isFolder: boolean;
  /** True when any record of the path is a folder. */
  isListedAsFolder: boolean;
  /** Order of `children`; sorted when first shown, because most folders of a large tree never are. */
  sorted: ListOrder | undefined;
  /** Lazy rows of the node, folded and open. */
  row: TreeRow | undefined;
  openRow: TreeRow | undefined;
  /** The last search that matched the node itself, and the last one that matched a node below it. */
  matchedIn: object | undefined;
  matchedBelowIn: object | undefined;
}

/** Largest number of files in a tree that starts unfolded. */
export const unfoldedAtMost = 200;

function createNode(path: string, record: FileRecord | undefined): Node {
  const isFolder = record?.directory === true;
  return {
    path,
    children: [],
    parent: undefined,
    name: undefined,
    nameKey: undefined,
    text: undefined,
    record,
    isFolder,
    isListedAsFolder: isFolder,
    sorted: undefined,
    row: undefined,
    openRow: undefined,
    matchedIn: undefined,
    matchedBelowIn: undefined,
  };
}

/** Returns the path of a record without the trailing slash of a directory; `/` stays. */
function treePath(record: FileRecord): string {
  const { path } = record;
  return record.directory === true && path.length > 1 && path.endsWith('/')
    ? path.slice(0, -1)
    : path;
}

interface Tree {
  readonly root: Node;
  readonly nodes: ReadonlyMap<string, Node>;
  /** The node of each record, in the order of the listing. */
  readonly nodesInListing: readonly Node[];
}

function buildTree(records: readonly DecodedRecord<FileRecord>[]): Tree {
  const root = createNode('', undefined);
  const nodes = new Map<string, Node>();
  const nodesInListing: Node[] = [];
  for (const { value: record } of records) {
    const path = treePath(record);
    const existing = nodes.get(path);
    if (existing === undefined) {
      const node = createNode(path, record);
      addNode(root, nodes, node);
      nodesInListing.push(node);
    } else {
      existing.record = record;
      existing.isListedAsFolder ||= record.directory === true;
      existing.isFolder ||= existing.isListedAsFolder;
      nodesInListing.push(existing);
    }
  }
  return { root, nodes, nodesInListing };
}

/** Adds a node to the tree, together with its missing parent folders. */
function addNode(root: Node, nodes: Map<string, Node>, node: Node): void {
  let child = node;
  for (;;) {
    nodes.set(child.path, child);
    const slash = child.path.lastIndexOf('/');
    const folderPath = child.path.slice(0, Math.max(0, slash));
    const existing = slash === -1 ? root : nodes.get(folderPath);
    const parent = existing ?? createNode(folderPath, undefined);
    parent.isFolder = true;
    parent.children.push(child);
    child.parent = parent;
    if (existing !== undefined) return;
    child = parent;
  }
}

/** Trees by listing; an unchanged listing keeps its array. */
const trees = new WeakMap<readonly DecodedRecord<FileRecord>[], Tree>();

/** The listing of the newest tree. */
let latest: readonly DecodedRecord<FileRecord>[] = [];

function treeOf(records: readonly DecodedRecord<FileRecord>[]): Tree {
  const cached = trees.get(records);
  if (cached !== undefined) return cached;
  const previous = trees.get(latest);
  const hasSamePaths = previous !== undefined && haveSamePaths(latest, records);
  // The new tree reuses the nodes, so the old listing loses its tree.
  if (hasSamePaths) trees.delete(latest);
  const tree = hasSamePaths ? updateTree(previous, records) : buildTree(records);
  trees.set(records, tree);
  latest = records;
  return tree;
}

/** Files change more often than paths do, so a listing with the same paths reuses the nodes. */
function haveSamePaths(
  before: readonly DecodedRecord<FileRecord>[],
  after: readonly DecodedRecord<FileRecord>[],
): boolean {
  return (
    before.length === after.length &&
    before.every(({ value }, index) => {
      const other = after[index]?.value;
      return value.path === other?.path && value.directory === other.directory;
    })
  );
}

/** Puts new records into a tree of the same paths; folders not ordered by name are sorted again. */
function updateTree(tree: Tree, records: readonly DecodedRecord<FileRecord>[]): Tree {
  for (const [index, node] of tree.nodesInListing.entries()) {
    const record = records[index]?.value;
    if (node.record === record) continue;
    node.record = record;
    node.row = undefined;
    node.openRow = undefined;
    const { parent } = node;
    if (parent?.sorted !== undefined && !isByName(parent.sorted)) parent.sorted = undefined;
  }
  return tree;
}

/** Compares two nodes: folders first, then by name, then by path. */
function compareNames(left: Node, right: Node): number {
  if (left.isFolder !== right.isFolder) return left.isFolder ? -1 : 1;
  const leftKey = nameKeyOf(left);
  const rightKey = nameKeyOf(right);
  if (leftKey !== rightKey) return leftKey < rightKey ? -1 : 1;
  return left.path < right.path ? -1 : 1;
}

function isByName({ by }: Pick<ListOrder, 'by'>): boolean {
  return by !== 'size' && by !== 'time';
}

/** Returns the comparison for an order. Folders have no size or time, so they stay sorted by name. */
function createComparison({ by, reversed }: ListOrder): (left: Node, right: Node) => number {
  if (isByName({ by })) {
    return (left, right) =>
      left.isFolder === right.isFolder && reversed
        ? compareNames(right, left)
        : compareNames(left, right);
  }
  const keyOf = ({ record }: Node) => (by === 'size' ? record?.size : timeKey(record?.modifiedAt));
  return (left, right) => {
    if (left.isFolder || right.isFolder) return compareNames(left, right);
    // Largest and newest first unless reversed.
    return compareKeys(keyOf(left), keyOf(right), !reversed) || compareNames(left, right);
  };
}

function nameOf(node: Node): string {
  return (node.name ??= node.path.slice(node.path.lastIndexOf('/') + 1));
}

function nameKeyOf(node: Node): string {
  return (node.nameKey ??= naturalKey(nameOf(node)));
}

/** Returns the text that filters search; a node keeps it, because an update keeps all paths. */
function textOf(node: Node, { path }: FileRecord): string {
  return (node.text ??= path.toLowerCase());
}

function rowOf(node: Node, depth: number, open: boolean): TreeRow {
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

function childrenOf(node: Node, order: ListOrder): readonly Node[] {
  if (node.sorted !== order) {
    node.children.sort(createComparison(order));
    node.sorted = order;
  }
  return node.children;
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
    if (record === undefined || !matches(textOf(node, record))) continue;
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

function prepareNode(node: Node): void {
  nameKeyOf(node);
  if (node.record !== undefined) textOf(node, node.record);
  if (node.isFolder || node.parent === undefined) return;
  let depth = 0;
  for (let above = node.parent.parent; above !== undefined; above = above.parent) depth += 1;
  rowOf(node, depth, false);
}

/** Returns the row of a node in a filtered tree; a folder that does not match itself has no record. */
function matchingRow(node: Node, depth: number, isMatch: boolean, hasMatches: boolean): TreeRow {
  if (!node.isFolder) return rowOf(node, depth, false);
  const { path, record, isListedAsFolder } = node;
  const folder = hasMatches || isListedAsFolder;
  const name = nameOf(node);
  return { path, name, depth, folder, open: folder, record: isMatch ? record : undefined };
}
