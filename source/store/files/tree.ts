import type { DecodedRecord } from '../../client/client.ts';
import type { FileRecord } from '../../contract/files.ts';
import { compareKeys, firstOrders, type ListOrder, timeKey } from '../lists/order.ts';
import { naturalKey } from '../lists/natural-order.ts';

/** A row of the file tree: a folder or a file, at its depth. */
export interface TreeRow {
  /** Path inside the service; unique in the tree, also for odd paths. */
  readonly path: string;
  readonly name: string;
  readonly depth: number;
  readonly folder: boolean;
  /** For folders: whether its rows are shown. */
  readonly open: boolean;
  /** What the service lists under this path; undefined for a folder that only paths imply. */
  readonly record: FileRecord | undefined;
}

interface Node {
  readonly path: string;
  readonly children: Node[];
  parent: Node | undefined;
  /** What it is ordered by among its siblings, made when it first is. */
  order: string | undefined;
  record: FileRecord | undefined;
  /** It is listed as a folder, or has something below it. */
  folder: boolean;
  /** It is listed as a folder, which a second record of its path does not undo. */
  listedAsFolder: boolean;
  /** Children are put in order when they are first shown: most folders of a large tree never are. */
  sorted: ListOrder | undefined;
  /** The rows of the node, folded and open, made when first shown. */
  row: TreeRow | undefined;
  openRow: TreeRow | undefined;
  /** The search that it matches itself, and the one that it holds a match of. */
  matchedIn: object | undefined;
  holdsIn: object | undefined;
}

/** A tree of at most this many files starts unfolded (screens, rule 13). */
export const unfoldedAtMost = 200;

function createNode(path: string, record: FileRecord | undefined): Node {
  const folder = record?.directory === true;
  return {
    path,
    children: [],
    parent: undefined,
    order: undefined,
    record,
    folder,
    listedAsFolder: folder,
    sorted: undefined,
    row: undefined,
    openRow: undefined,
    matchedIn: undefined,
    holdsIn: undefined,
  };
}

/** A directory may end in a slash; a path that is nothing else keeps it. */
function treePath(record: FileRecord): string {
  const { path } = record;
  return record.directory === true && path.length > 1 && path.endsWith('/')
    ? path.slice(0, -1)
    : path;
}

interface Tree {
  readonly root: Node;
  readonly nodes: ReadonlyMap<string, Node>;
  /** The node of each record, in their order. */
  readonly listed: readonly Node[];
}

function buildTree(records: readonly DecodedRecord<FileRecord>[]): Tree {
  const root = createNode('', undefined);
  const nodes = new Map<string, Node>();
  const listed: Node[] = [];
  for (const { value: record } of records) {
    const path = treePath(record);
    const known = nodes.get(path);
    if (known === undefined) {
      const node = createNode(path, record);
      addNode(root, nodes, node);
      listed.push(node);
    } else {
      known.record = record;
      known.listedAsFolder ||= record.directory === true;
      known.folder ||= known.listedAsFolder;
      listed.push(known);
    }
  }
  return { root, nodes, listed };
}

/** Hangs a new node into the tree, with the folders above it that are not there yet. */
function addNode(root: Node, nodes: Map<string, Node>, node: Node): void {
  let child = node;
  for (;;) {
    nodes.set(child.path, child);
    const slash = child.path.lastIndexOf('/');
    const above = child.path.slice(0, Math.max(0, slash));
    const known = slash === -1 ? root : nodes.get(above);
    const parent = known ?? createNode(above, undefined);
    parent.folder = true;
    parent.children.push(child);
    child.parent = parent;
    if (known !== undefined) return;
    child = parent;
  }
}

/** Trees by the listing they were built from: a listing that did not change keeps its array. */
const trees = new WeakMap<readonly DecodedRecord<FileRecord>[], Tree>();

/** The listing whose tree was built last. */
let latest: readonly DecodedRecord<FileRecord>[] = [];

function treeOf(records: readonly DecodedRecord<FileRecord>[]): Tree {
  const known = trees.get(records);
  if (known !== undefined) return known;
  const before = trees.get(latest);
  const isSame = before !== undefined && haveSamePaths(latest, records);
  // The nodes go over to the new listing.
  if (isSame) trees.delete(latest);
  const tree = isSame ? renewed(before, records) : buildTree(records);
  trees.set(records, tree);
  latest = records;
  return tree;
}

/** Files change more often than they come and go: a tree of the same paths has the same nodes. */
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

/** The tree with other records at the same paths, in its order as far as that is by name. */
function renewed(tree: Tree, records: readonly DecodedRecord<FileRecord>[]): Tree {
  for (const [index, node] of tree.listed.entries()) {
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

/** Folders first, then by name; names that read the same in an order of their own. */
function byName(left: Node, right: Node): number {
  if (left.folder !== right.folder) return left.folder ? -1 : 1;
  const a = (left.order ??= naturalKey(nameOf(left.path)));
  const b = (right.order ??= naturalKey(nameOf(right.path)));
  if (a !== b) return a < b ? -1 : 1;
  return left.path < right.path ? -1 : 1;
}

function isByName({ by }: Pick<ListOrder, 'by'>): boolean {
  return by !== 'size' && by !== 'time';
}

/** Folders have neither size nor time of their own: they stay by name. */
function inOrder({ by, reversed }: ListOrder): (left: Node, right: Node) => number {
  if (isByName({ by })) {
    return (left, right) =>
      left.folder === right.folder && reversed ? byName(right, left) : byName(left, right);
  }
  const keyOf = ({ record }: Node) => (by === 'size' ? record?.size : timeKey(record?.modifiedAt));
  return (left, right) => {
    if (left.folder || right.folder) return byName(left, right);
    // The largest and the newest first, so that this way is the usual one.
    return compareKeys(keyOf(left), keyOf(right), !reversed) || byName(left, right);
  };
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

function rowOf(node: Node, depth: number, open: boolean): TreeRow {
  const { path, folder, record } = node;
  const row = (open ? node.openRow : node.row) ?? {
    path,
    name: nameOf(path),
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
    node.children.sort(inOrder(order));
    node.sorted = order;
  }
  return node.children;
}

/**
 * The visible rows: in each folder its folders first, then its files in the order asked for, by name
 * unless it says otherwise. `folded` says of a folder's path whether its rows are hidden. A path that is listed as a file and has files below it is one row,
 * a folder that has a record. Asking again about the same array costs no more than the rows shown.
 */
export function treeRows(
  records: readonly DecodedRecord<FileRecord>[],
  folded: (path: string) => boolean,
  order = firstOrders.files,
): readonly TreeRow[] {
  const rows: TreeRow[] = [];
  // A stack of our own: paths from outside may be nested deeper than calls can be.
  const waiting = [{ nodes: childrenOf(treeOf(records).root, order), next: 0 }];
  for (let level = waiting.at(-1); level !== undefined; level = waiting.at(-1)) {
    const node = level.nodes[level.next];
    level.next += 1;
    if (node === undefined) {
      waiting.pop();
      continue;
    }
    const open = node.folder && !folded(node.path);
    rows.push(rowOf(node, waiting.length - 1, open));
    if (open) waiting.push({ nodes: childrenOf(node, order), next: 0 });
  }
  return rows;
}

/**
 * Rows of the records that match, by their paths, with the folders above them, so that the tree
 * stays readable.
 */
export function matchingTreeRows(
  records: readonly DecodedRecord<FileRecord>[],
  matches: (path: string) => boolean,
  order = firstOrders.files,
): readonly TreeRow[] {
  const { root, nodes } = treeOf(records);
  // Noted at the nodes: a set of them would be larger than the tree.
  const search = {};
  for (const node of nodes.values()) {
    if (node.record === undefined || !matches(node.record.path)) continue;
    node.matchedIn = search;
    for (let above = node.parent; above !== undefined; above = above.parent) {
      if (above.holdsIn === search) break;
      above.holdsIn = search;
    }
  }
  const rows: TreeRow[] = [];
  const waiting = [{ nodes: childrenOf(root, order), next: 0 }];
  for (let level = waiting.at(-1); level !== undefined; level = waiting.at(-1)) {
    const node = level.nodes[level.next];
    level.next += 1;
    if (node === undefined) {
      waiting.pop();
      continue;
    }
    const isMatch = node.matchedIn === search;
    const holds = node.holdsIn === search;
    if (!isMatch && !holds) continue;
    rows.push(matchedRow(node, waiting.length - 1, isMatch, holds));
    if (holds) waiting.push({ nodes: childrenOf(node, order), next: 0 });
  }
  return rows;
}

/** Of a folder that only holds matches, no record is told: it does not match itself. */
function matchedRow(node: Node, depth: number, isMatch: boolean, holds: boolean): TreeRow {
  if (!node.folder) return rowOf(node, depth, false);
  const { path, record, listedAsFolder } = node;
  const folder = holds || listedAsFolder;
  const name = nameOf(path);
  return { path, name, depth, folder, open: folder, record: isMatch ? record : undefined };
}
