import type { Read } from '../client/client.ts';
import type { FileRecord } from '../contract/files.ts';

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
  record: FileRecord | undefined;
  folder: boolean;
  /** Children are put in order when they are first shown: most folders of a large tree never are. */
  sorted: boolean;
  /** The rows of the node, folded and open, made when first shown. */
  row: TreeRow | undefined;
  openRow: TreeRow | undefined;
}

/** A tree of at most this many files starts unfolded (screens, rule 13). */
export const unfoldedAtMost = 200;

function createNode(path: string, record: FileRecord | undefined): Node {
  const folder = record?.directory === true;
  return { path, children: [], record, folder, sorted: false, row: undefined, openRow: undefined };
}

/** A directory may end in a slash; a path that is nothing else keeps it. */
function treePath(record: FileRecord): string {
  const { path } = record;
  return record.directory === true && path.length > 1 && path.endsWith('/')
    ? path.slice(0, -1)
    : path;
}

function buildTree(records: readonly Read<FileRecord>[]): Node {
  const root = createNode('', undefined);
  const nodes = new Map<string, Node>();
  for (const { value: record } of records) {
    const path = treePath(record);
    const known = nodes.get(path);
    if (known === undefined) {
      addNode(root, nodes, createNode(path, record));
    } else {
      known.record = record;
      known.folder ||= record.directory === true;
    }
  }
  return root;
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
    if (known !== undefined) return;
    child = parent;
  }
}

/** Trees by the listing they were built from: a listing that did not change keeps its array. */
const trees = new WeakMap<readonly Read<FileRecord>[], Node>();

function treeOf(records: readonly Read<FileRecord>[]): Node {
  const known = trees.get(records);
  if (known !== undefined) return known;
  const tree = buildTree(records);
  trees.set(records, tree);
  return tree;
}

/**
 * Numbers inside names sort by value: `v2` before `v10`. One collator, made when names are first
 * sorted, because making one is slow.
 */
let byName: Intl.Collator | undefined;

/** Folders first, then by name; names that read the same in an order of their own. */
function inOrder(left: Node, right: Node): number {
  byName ??= new Intl.Collator('en', { numeric: true });
  return (
    Number(right.folder) - Number(left.folder) ||
    byName.compare(nameOf(left.path), nameOf(right.path)) ||
    (left.path < right.path ? -1 : 1)
  );
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

function childrenOf(node: Node): readonly Node[] {
  if (!node.sorted) {
    node.children.sort(inOrder);
    node.sorted = true;
  }
  return node.children;
}

/**
 * The visible rows: folders first, then files, each by name. `folded` says of a folder's path
 * whether its rows are hidden. A path that is listed as a file and has files below it is one row,
 * a folder that has a record. Asking again about the same array costs no more than the rows shown.
 */
export function treeRows(
  records: readonly Read<FileRecord>[],
  folded: (path: string) => boolean,
): readonly TreeRow[] {
  const rows: TreeRow[] = [];
  // A stack of our own: paths from outside may be nested deeper than calls can be.
  const waiting = [{ nodes: childrenOf(treeOf(records)), next: 0 }];
  for (let level = waiting.at(-1); level !== undefined; level = waiting.at(-1)) {
    const node = level.nodes[level.next];
    level.next += 1;
    if (node === undefined) {
      waiting.pop();
      continue;
    }
    const open = node.folder && !folded(node.path);
    rows.push(rowOf(node, waiting.length - 1, open));
    if (open) waiting.push({ nodes: childrenOf(node), next: 0 });
  }
  return rows;
}

/** Rows whose path holds the text, with the folders above them, so that the tree stays readable. */
export function matchingTreeRows(
  records: readonly Read<FileRecord>[],
  matches: (path: string) => boolean,
): readonly TreeRow[] {
  return treeRows(
    records.filter((record) => matches(record.value.path)),
    () => false,
  );
}
