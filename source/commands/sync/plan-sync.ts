/** Decides what a sync does with each file, from both ends and the last sync. Pure. */
import { foldersAbove } from '../../store/files/path-clash.ts';
import type { BaseFile, SyncBase, SyncedContent } from '../../disk/sync-bases.ts';

/** A file on the service, as far as it is known. */
export interface RemoteEntry {
  /** Bytes, where the list tells them. */
  readonly size?: number | undefined;
  /** Time, where the list tells it. */
  readonly modifiedAt?: string | undefined;
  /** Content, where the file was read. */
  readonly content?: SyncedContent | undefined;
  /** True for a listed file that the service does not find. */
  readonly isUnreadable?: boolean | undefined;
}

/** Files on the service, by their paths below the folder of the sync. */
export interface RemoteTree {
  readonly files: ReadonlyMap<string, RemoteEntry>;
  /** Folders that hold files, or have records of their own. */
  readonly folders: ReadonlySet<string>;
}

export interface SyncInput {
  readonly local: ReadonlyMap<string, SyncedContent>;
  /** Local paths whose content is unknown or not synced; what lies there, or below, stays as it is. */
  readonly hidden: ReadonlySet<string>;
  readonly base: SyncBase;
  readonly remote: RemoteTree;
  /** True with `--delete`. */
  readonly deletes: boolean;
  /** False for a service that lists other times although nothing changed. */
  readonly hasTimes: boolean;
}

/** A file to upload. */
export interface PlannedUpload {
  readonly path: string;
  readonly content: SyncedContent;
}

/** A file to delete. */
export interface PlannedDeletion {
  readonly path: string;
  /** True where a file or folder of the same name is uploaded, so that the deletion comes first. */
  readonly clearsWay: boolean;
}

/** A file that a sync leaves alone, and why. */
export interface SyncConflict {
  readonly path: string;
  readonly reason: string;
}

export interface SyncPlan {
  readonly creates: readonly PlannedUpload[];
  readonly updates: readonly PlannedUpload[];
  readonly deletes: readonly PlannedDeletion[];
  readonly conflicts: readonly SyncConflict[];
  /** Files whose content can't be sent under their names. */
  readonly refused: readonly SyncConflict[];
  /** Files that are no longer in the folder and stay on the service. */
  readonly kept: readonly string[];
  /** Files on the service whose content must be known first; the plan is then incomplete. */
  readonly unread: readonly string[];
  /** The base with all that needs no write: equal files, and files that both ends lack. */
  readonly base: SyncBase;
}

/** Bytes above which size and time of a list are taken for the content, to save a long download. */
export const trustedSize = 16 * 1024 * 1024;

/**
 * Plans a sync. A file on the service is overwritten or deleted only with a content that an earlier
 * sync left there, and deleted only where a sync put it.
 */
export function planSync(input: SyncInput): SyncPlan {
  const { local, base, remote } = input;
  const next = new Map(base);
  const creates: PlannedUpload[] = [];
  const updates: PlannedUpload[] = [];
  const conflicts: SyncConflict[] = [];
  const kept: string[] = [];
  const unread: string[] = [];
  const deleted = new Set<string>();

  for (const [path, entry] of base) {
    if (local.has(path) || isHidden(path, input.hidden)) continue;
    const decision = decideRemoved(entry, remote.files.get(path), input.deletes);
    if (decision === 'forget') next.delete(path);
    else if (decision === 'delete') deleted.add(path);
    else if (decision === 'keep') kept.push(path);
    else if (decision === 'read') unread.push(path);
    else conflicts.push({ path, reason: decision.reason });
  }
  const cleared = new Set<string>();
  for (const [path, content] of local) {
    const entry = base.get(path);
    const found = remote.files.get(path);
    const decision =
      found === undefined
        ? decideMissing(path, entry, remote, deleted, cleared)
        : decidePresent(content, entry, found, input.hasTimes);
    if (decision === 'create') creates.push({ path, content });
    else if (decision === 'update') updates.push({ path, content });
    else if (decision === 'equal') next.set(path, equalEntry(content, entry, found?.modifiedAt));
    else if (decision === 'read') unread.push(path);
    else if (decision !== 'unchanged') conflicts.push({ path, reason: decision.reason });
  }
  const deletes = Array.from(deleted, (path) => ({ path, clearsWay: cleared.has(path) }));
  return { creates, updates, deletes, conflicts, refused: [], kept, unread, base: next };
}

function isHidden(path: string, hidden: ReadonlySet<string>): boolean {
  return hidden.has(path) || foldersAbove(path).some((folder) => hidden.has(folder));
}

type Refusal = { readonly reason: string };

const unreadable: Refusal = { reason: 'listed by the service, but not found when it was read' };
const changedThere: Refusal = { reason: 'changed on the service since the last sync' };

/** Decides about a file of an earlier sync that is no longer in the folder. */
function decideRemoved(
  entry: BaseFile,
  found: RemoteEntry | undefined,
  deletes: boolean,
): 'forget' | 'delete' | 'keep' | 'read' | Refusal {
  if (found === undefined) return 'forget';
  if (!deletes) return 'keep';
  const { content, sent } = entry;
  if (!entry.isPut && sent === undefined) return 'keep';
  if (found.isUnreadable === true) return unreadable;
  if (entry.isPut && isTrusted(entry, found)) return 'delete';
  const there = found.content;
  if (there === undefined) return mayEqual(found, [content, sent]) ? 'read' : changedThere;
  if (there.hash === sent?.hash) return 'delete';
  if (there.hash !== content?.hash) return changedThere;
  return entry.isPut ? 'delete' : 'keep';
}

/** Decides about a file that the service lacks. Adds the deletions that make room for it. */
function decideMissing(
  path: string,
  entry: BaseFile | undefined,
  remote: RemoteTree,
  deleted: ReadonlySet<string>,
  cleared: Set<string>,
): 'create' | Refusal {
  const above = foldersAbove(path).find((folder) => remote.files.has(folder));
  if (above !== undefined && !deleted.has(above)) {
    return { reason: `${above} is a file on the service` };
  }
  const below = remote.folders.has(path)
    ? Array.from(remote.files.keys()).filter((each) => each.startsWith(`${path}/`))
    : [];
  if (remote.folders.has(path) && !(below.length > 0 && below.every((each) => deleted.has(each)))) {
    return { reason: 'it is a folder on the service' };
  }
  if (entry?.content !== undefined) return { reason: 'removed on the service since the last sync' };
  for (const each of above === undefined ? below : [above, ...below]) cleared.add(each);
  return 'create';
}

/** Decides about a file that both ends have. */
function decidePresent(
  content: SyncedContent,
  entry: BaseFile | undefined,
  found: RemoteEntry,
  hasTimes: boolean,
): 'unchanged' | 'equal' | 'update' | 'read' | Refusal {
  if (found.isUnreadable === true) return unreadable;
  const isSame = content.hash === entry?.content?.hash && entry.sent === undefined;
  const there = found.content;
  if (there === undefined) {
    if (isSame && looksUnchanged(entry, found, hasTimes)) return 'unchanged';
    if (entry !== undefined && !isSame && isTrusted(entry, found)) return 'update';
    if (mayEqual(found, [content, entry?.content, entry?.sent])) return 'read';
    return entry === undefined ? otherThere : changedThere;
  }
  if (there.hash === content.hash) return 'equal';
  if (there.hash === entry?.content?.hash || there.hash === entry?.sent?.hash) return 'update';
  return entry === undefined ? otherThere : changedThere;
}

const otherThere: Refusal = { reason: 'already on the service, with another content' };

/** Whether the list gives no reason to read a file that did not change in the folder. */
function looksUnchanged(entry: BaseFile, found: RemoteEntry, hasTimes: boolean): boolean {
  const { size, modifiedAt } = found;
  if (size !== undefined && size !== entry.content?.size) return false;
  return !hasTimes || modifiedAt === undefined || modifiedAt === entry.modifiedAt;
}

/** Whether size and time of a large file are those that followed the last sync. */
function isTrusted({ content, sent, modifiedAt }: BaseFile, found: RemoteEntry): boolean {
  return (
    content !== undefined &&
    content.size > trustedSize &&
    sent === undefined &&
    found.size === content.size &&
    modifiedAt !== undefined &&
    found.modifiedAt === modifiedAt
  );
}

/** Whether a file that was not read may have one of these contents, by its size. */
function mayEqual(
  { size }: RemoteEntry,
  contents: readonly (SyncedContent | undefined)[],
): boolean {
  return size === undefined || contents.some((content) => content?.size === size);
}

/** Returns the entry of a file that both ends have with the same content. */
function equalEntry(
  content: SyncedContent,
  entry: BaseFile | undefined,
  modifiedAt: string | undefined,
): BaseFile {
  const wasPut = entry?.isPut === true && entry.content?.hash === content.hash;
  return { content, isPut: wasPut || entry?.sent?.hash === content.hash, modifiedAt };
}
