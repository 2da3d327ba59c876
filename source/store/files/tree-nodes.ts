/** The nodes of a file tree, built from a listing and updated by the next one. */
import type { DecodedRecord } from '../../client/decode/fields.ts';
import type { FileRecord } from '../../contract/files.ts';
import { compareKeys, type ListOrder, timeKey } from '../lists/order.ts';
import { naturalKey } from '../lists/natural-order.ts';
import type { SearchedTexts } from '../lists/searched-texts.ts';

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

/** A path of the tree, with what was derived from it so far. */
export interface TreeNode {
  readonly path: string;
  readonly children: TreeNode[];
  parent: TreeNode | undefined;
  /** Lazy name and its sort key. */
  name: string | undefined;
  nameKey: string | undefined;
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
}

function createNode(path: string, record: FileRecord | undefined): TreeNode {
  const isFolder = record?.directory === true;
  return {
    path,
    children: [],
    parent: undefined,
    name: undefined,
    nameKey: undefined,
    record,
    isFolder,
    isListedAsFolder: isFolder,
    sorted: undefined,
    row: undefined,
    openRow: undefined,
  };
}

/** Returns the path of a record without the trailing slash of a directory; `/` stays. */
function treePath(record: FileRecord): string {
  const { path } = record;
  return record.directory === true && path.length > 1 && path.endsWith('/')
    ? path.slice(0, -1)
    : path;
}

export interface Tree {
  readonly root: TreeNode;
  readonly nodes: ReadonlyMap<string, TreeNode>;
  /** The node of each record, in the order of the listing. */
  readonly nodesInListing: readonly TreeNode[];
  /** The nodes as a wholly open tree shows them, in the order of the last search. */
  sequence: NodeSequence | undefined;
}

/** All nodes in the sequence of a wholly open tree. */
export interface NodeSequence {
  readonly order: ListOrder;
  readonly nodes: readonly TreeNode[];
  readonly paths: readonly string[];
  /** Rows of the files; undefined for folders, whose rows depend on what matches. */
  readonly rows: readonly (TreeRow | undefined)[];
  /** Index of the folder above each node; -1 at the top. */
  readonly folders: readonly number[];
  readonly depths: readonly number[];
  /** The texts of the records that filters search. */
  readonly searched: SearchedTexts;
}

function buildTree(records: readonly DecodedRecord<FileRecord>[]): Tree {
  const root = createNode('', undefined);
  const nodes = new Map<string, TreeNode>();
  const nodesInListing: TreeNode[] = [];
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
  return { root, nodes, nodesInListing, sequence: undefined };
}

/** Adds a node to the tree, together with its missing parent folders. */
function addNode(root: TreeNode, nodes: Map<string, TreeNode>, node: TreeNode): void {
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

/** Returns the tree of a listing; cached by the array of records. */
export function treeOf(records: readonly DecodedRecord<FileRecord>[]): Tree {
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
  // Another object: steps that compute the sequence of the old one may still run.
  return { ...tree, sequence: undefined };
}

/** Compares two nodes: folders first, then by name, then by path. */
function compareNames(left: TreeNode, right: TreeNode): number {
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
function createComparison({
  by,
  reversed,
}: ListOrder): (left: TreeNode, right: TreeNode) => number {
  if (isByName({ by })) {
    return (left, right) =>
      left.isFolder === right.isFolder && reversed
        ? compareNames(right, left)
        : compareNames(left, right);
  }
  const keyOf = ({ record }: TreeNode) =>
    by === 'size' ? record?.size : timeKey(record?.modifiedAt);
  return (left, right) => {
    if (left.isFolder || right.isFolder) return compareNames(left, right);
    // Largest and newest first unless reversed.
    return compareKeys(keyOf(left), keyOf(right), !reversed) || compareNames(left, right);
  };
}

/** Returns the row of a node; a node keeps its row until its record changes. */
export function rowOf(node: TreeNode, depth: number, open: boolean): TreeRow {
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

export function nameOf(node: TreeNode): string {
  return (node.name ??= node.path.slice(node.path.lastIndexOf('/') + 1));
}

export function nameKeyOf(node: TreeNode): string {
  return (node.nameKey ??= naturalKey(nameOf(node)));
}

/** Returns the nodes of a folder in an order; folders come first. */
export function childrenOf(node: TreeNode, order: ListOrder): readonly TreeNode[] {
  if (node.sorted !== order) {
    node.children.sort(createComparison(order));
    node.sorted = order;
  }
  return node.children;
}
