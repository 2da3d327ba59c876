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
  readonly record: FileRecord | undefined;
}

interface Node {
  readonly name: string;
  readonly path: string;
  readonly children: Map<string, Node>;
  record: FileRecord | undefined;
  folder: boolean;
}

/** A tree of at most this many files starts unfolded (screens, rule 13). */
export const unfoldedAtMost = 200;

function createNode(name: string, path: string): Node {
  return { name, path, children: new Map(), record: undefined, folder: false };
}

function buildTree(records: readonly Read<FileRecord>[]): Node {
  const root = createNode('', '');
  for (const { value: record } of records) {
    const segments = record.path.split('/');
    if (record.directory === true && segments.at(-1) === '') segments.pop();
    let node = root;
    let path = '';
    for (const [index, name] of segments.entries()) {
      path = index === 0 ? name : `${path}/${name}`;
      let child = node.children.get(name);
      if (child === undefined) {
        child = createNode(name, path);
        node.children.set(name, child);
      }
      node.folder = true;
      node = child;
    }
    node.record = record;
    node.folder ||= record.directory === true;
  }
  return root;
}

/** Numbers inside names sort by value: `v2` before `v10`. One collator, because making one is slow. */
const byName = new Intl.Collator('en', { numeric: true });

/**
 * The visible rows: folders first, then files, each by name. `folded` says of a folder's path
 * whether its rows are hidden.
 */
export function treeRows(
  records: readonly Read<FileRecord>[],
  folded: (path: string) => boolean,
): readonly TreeRow[] {
  const rows: TreeRow[] = [];
  const visit = (node: Node, depth: number) => {
    const children = [...node.children.values()].sort(
      (left, right) =>
        Number(right.folder) - Number(left.folder) || byName.compare(left.name, right.name),
    );
    for (const child of children) {
      const open = child.folder && !folded(child.path);
      rows.push({
        path: child.path,
        name: child.name,
        depth,
        folder: child.folder,
        open,
        record: child.record,
      });
      if (open) visit(child, depth + 1);
    }
  };
  visit(buildTree(records), 0);
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
