/** Decides what a sync does with each file: compares the last sync, the folder and the service. Pure. */
import type { BaseFile, SyncBase, SyncedContent } from '../../disk/sync-bases.ts';
import { foldersAbove } from '../../store/files/path-clash.ts';

/** A file on the service, as far as it is known. */
export interface ListedFile {
  /** Bytes, where the list tells them. */
  readonly size?: number | undefined;
  /** Time, where the list tells it. */
  readonly modifiedAt?: string | undefined;
  /** Content, where the file was read. */
  readonly content?: SyncedContent | undefined;
}

/** The ends of a sync and its base, by paths below the folder. */
export interface SyncInput {
  readonly local: ReadonlyMap<string, { readonly content: SyncedContent }>;
  /** Local paths whose content is unknown or not synced; what lies there, or below, stays as it is. */
  readonly hidden: ReadonlySet<string>;
  readonly base: SyncBase;
  readonly remote: ReadonlyMap<string, ListedFile>;
  /** True with `--delete`. */
  readonly deletes: boolean;
}

/** The actions of a sync, in the order of their rows, and their words in a summary. */
export const syncActions = {
  create: 'to create',
  update: 'to update',
  delete: 'to delete',
  conflict: 'in conflict',
  /** The content can't be sent under its name. */
  refused: 'refused',
  /** The file is not in the folder, and stays on the service. */
  keep: 'kept on the service',
  unsupported: 'not supported',
  unreadable: 'not readable',
  /** The content changes while it is read or sent. */
  unstable: 'changing',
} as const;

/** A path, and what a sync does with it. */
export interface SyncItem {
  readonly action: keyof typeof syncActions;
  readonly path: string;
  /** Bytes to send. */
  readonly size?: number | undefined;
  readonly reason?: string | undefined;
}

export interface SyncPlan {
  readonly items: readonly SyncItem[];
  /** The base with what needs no write: equal files, and files that both ends lack. */
  readonly base: SyncBase;
}

/** Returns the items with one of these actions. */
export function itemsOf(
  items: readonly SyncItem[],
  ...actions: readonly SyncItem['action'][]
): readonly SyncItem[] {
  return items.filter(({ action }) => actions.includes(action));
}

/**
 * Returns the files on the service whose contents decide: those that may be replaced or deleted, and
 * those that the list shows otherwise than after the last sync.
 */
export function unreadFiles({ local, hidden, base, remote, deletes }: SyncInput): string[] {
  const paths: string[] = [];
  for (const [path, found] of remote) {
    const mine = local.get(path)?.content;
    const entry = base.get(path);
    const isAffected =
      mine === undefined
        ? deletes && isSent(entry) && !isHidden(path, hidden)
        : !looksUnchanged(mine, entry, found);
    const candidates = [mine, entry?.content, entry?.sent];
    const mayMatch =
      found.size === undefined || candidates.some((content) => content?.size === found.size);
    if (isAffected && mayMatch) paths.push(path);
  }
  return paths;
}

/**
 * Plans a sync after {@link unreadFiles} were read. A file on the service is overwritten or deleted only
 * with a content that an earlier sync left there, and deleted only where a sync put it.
 */
export function planSync({ local, hidden, base, remote, deletes }: SyncInput): SyncPlan {
  const next = new Map(base);
  const decisions = new Map<string, Decision>();
  for (const path of new Set([...local.keys(), ...base.keys()])) {
    const mine = local.get(path)?.content;
    if (mine === undefined && isHidden(path, hidden)) continue;
    const entry = base.get(path);
    const found = remote.get(path);
    const theirs =
      found && (found.content ?? (looksUnchanged(mine, entry, found) ? mine : foreign));
    const decision = decide(entry, mine?.hash, theirs?.hash, deletes);
    const { action } = decision;
    decisions.set(path, decision);
    if (action === 'forget') next.delete(path);
    // An unconfirmed upload that arrived is known from now on, whatever becomes of the next one.
    if (theirs !== undefined && (action === 'equal' || action === 'update')) {
      const wasPut = entry?.isPut === true && entry.content?.hash === theirs.hash;
      const isPut = wasPut || entry?.sent?.hash === theirs.hash;
      next.set(path, { content: theirs, isPut, modifiedAt: found?.modifiedAt });
    }
  }
  const files = new Set(
    [...remote.keys()].filter((path) => decisions.get(path)?.action !== 'delete'),
  );
  const folders = new Set(Array.from(files, foldersAbove).flat());
  const items: SyncItem[] = [];
  for (const [path, { action, reason }] of decisions) {
    if (action === 'equal' || action === 'forget') continue;
    const clash = action === 'create' ? clashOf(path, files, folders) : undefined;
    if (clash !== undefined) items.push({ action: 'conflict', path, reason: clash });
    else if (reason !== undefined) items.push({ action, path, reason });
    else items.push({ action, path, size: local.get(path)?.content.size });
  }
  return { items, base: next };
}

/** `equal`: both ends have the same content; `forget`: neither has the file. */
interface Decision {
  readonly action: 'create' | 'update' | 'delete' | 'keep' | 'conflict' | 'equal' | 'forget';
  readonly reason?: string;
}

const conflict = (reason: string): Decision => ({ action: 'conflict', reason });

/** Decides about a file by its hashes; undefined for an end that has no such file. */
function decide(
  entry: BaseFile | undefined,
  mine: string | undefined,
  theirs: string | undefined,
  deletes: boolean,
): Decision {
  const { content, sent } = entry ?? {};
  if (theirs === undefined) {
    if (mine === undefined) return { action: 'forget' };
    if (content === undefined) return { action: 'create' };
    return conflict('removed on the service since the last sync');
  }
  if (theirs === mine) return { action: 'equal' };
  const keep = { action: 'keep', reason: 'not in the folder' } as const;
  if (mine === undefined && !(deletes && isSent(entry))) return keep;
  if (theirs !== content?.hash && theirs !== sent?.hash) {
    const isNew = entry === undefined;
    return conflict(isNew ? 'already on the service, with another content' : changed);
  }
  if (mine !== undefined) return { action: 'update' };
  return entry?.isPut === true || theirs === sent?.hash ? { action: 'delete' } : keep;
}

const changed = 'changed on the service since the last sync';

/** Whether a sync sent the file, or may have. */
function isSent(entry: BaseFile | undefined): boolean {
  return entry !== undefined && (entry.isPut || entry.sent !== undefined);
}

function isHidden(path: string, hidden: ReadonlySet<string>): boolean {
  return hidden.has(path) || foldersAbove(path).some((folder) => hidden.has(folder));
}

/** A content that no hash equals: that of a file whose size differs, or which was not found. */
const foreign: SyncedContent = { hash: '', size: 0 };

/** Whether a file that did not change in the folder has the size and time that were listed last. */
function looksUnchanged(
  mine: SyncedContent | undefined,
  entry: BaseFile | undefined,
  { size, modifiedAt }: ListedFile,
): boolean {
  return (
    mine !== undefined &&
    mine.hash === entry?.content?.hash &&
    entry.sent === undefined &&
    (size === undefined || size === mine.size) &&
    (modifiedAt === undefined || modifiedAt === entry.modifiedAt)
  );
}

/** Returns why a file can't be created beside files and folders of the service. */
function clashOf(
  path: string,
  files: ReadonlySet<string>,
  folders: ReadonlySet<string>,
): string | undefined {
  const above = foldersAbove(path).find((folder) => files.has(folder));
  if (above !== undefined) return `${above} is a file on the service`;
  return folders.has(path) ? 'it is a folder on the service' : undefined;
}
