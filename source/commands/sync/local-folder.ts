/** Reads a local folder that other programs may write at the same time: what a sync sends, and what not. */
import { createHash, hash as hashOf } from 'node:crypto';
import { createReadStream, type Dirent, type Stats } from 'node:fs';
import { lstat, readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import ignore, { type Ignore } from 'ignore';
import { describeLocalError } from '../../client/local-reason.ts';
import type { UploadPart } from '../../client/upload.ts';
import { isRequestablePath } from '../../contract/routes.ts';
import type { SyncedContent } from '../../disk/sync-bases.ts';
import type { FolderWatcher } from './folder-watcher.ts';
import type { SyncItem } from './plan-sync.ts';

/** A local file at one version. */
export interface VersionedFile {
  readonly content: SyncedContent;
  /** Changes with every write of the file. */
  readonly version: string;
}

/** A file that is ready to be sent. */
export interface ReadyFile extends VersionedFile {
  readonly source: UploadPart['source'];
}

/** The folder at one time. Paths are below it, with `/` between segments. */
export class FolderState {
  readonly files = new Map<string, VersionedFile>();
  /** Links, empty folders, modes, names that no URL can address, and what couldn't be read. */
  readonly unsynced: SyncItem[] = [];
  /**
   * Paths whose files are unknown, or no files to send: what lies there, or below, must not count as
   * removed.
   */
  readonly hidden = new Set<string>();
  /** Files and folders that ignore files exclude; a folder counts once. */
  ignored = 0;

  leave(action: SyncItem['action'], below: string, reason: string): void {
    this.unsynced.push({ action, path: below, reason });
  }

  hide(action: SyncItem['action'], below: string, reason: string): void {
    this.hidden.add(below);
    this.leave(action, below, reason);
  }
}

export type FolderRead =
  | { readonly ok: true; readonly state: FolderState }
  /** The folder is gone, or can't be read. */
  | { readonly ok: false; readonly reason: string };

/** Ignore files; the first that a folder has counts. */
const ignoreFiles = ['.hostdeckignore', '.gitignore'] as const;

/** Bits of a mode that make a file executable. */
const executable = 0o111;

/** Bytes up to which a file is sent from memory, so that its hash is that of the bytes sent. */
const largestInMemory = 1024 * 1024;

/** Remembers the hashes of its files while they keep their versions. */
export class LocalFolder {
  readonly root: string;
  /** Receives each folder before it is read. */
  watcher: FolderWatcher | undefined;
  #last = new FolderState();

  constructor(root: string) {
    this.root = root;
  }

  async read(): Promise<FolderRead> {
    const state = new FolderState();
    this.watcher?.clear();
    try {
      await this.#readFolder(state, '', noIgnoreRules());
    } catch (error) {
      return { ok: false, reason: describeLocalError(error) };
    }
    this.#last = state;
    return { ok: true, state };
  }

  /** Reads a file between two equal versions; undefined for one that changes, rejects for one that is gone. */
  async ready(below: string): Promise<ReadyFile | undefined> {
    const file = path.join(this.root, below);
    const found = await lstat(file);
    if (!found.isFile()) return undefined;
    const { size } = found;
    const version = versionOf(found);
    const bytes = size > largestInMemory ? undefined : await readFile(file);
    const hash = bytes === undefined ? await hashOfFile(file) : hashOf('sha256', bytes);
    const source = bytes === undefined ? { file } : { bytes };
    const isStable = await this.isUnchanged(below, version);
    return isStable ? { content: { hash, size }, version, source } : undefined;
  }

  /** Resolves with whether a file still has this version. */
  async isUnchanged(below: string, version: string): Promise<boolean> {
    return lstat(path.join(this.root, below)).then(
      (found) => versionOf(found) === version,
      () => false,
    );
  }

  /** Resolves with whether a file of any kind but a folder may have this path. */
  async isFile(below: string): Promise<boolean> {
    return lstat(path.join(this.root, below)).then(
      (found) => !found.isDirectory(),
      (error: unknown) => !isAbsence(error),
    );
  }

  async #readFolder(state: FolderState, folder: string, above: Ignore): Promise<void> {
    this.watcher?.add(folder);
    const place = path.join(this.root, folder);
    const entries = await readdir(place, { withFileTypes: true });
    if (entries.length === 0 && folder !== '') state.leave('unsupported', folder, 'empty folder');
    const isFile = (name: string): boolean =>
      entries.some((entry) => entry.name === name && entry.isFile());
    const name = ignoreFiles.find(isFile);
    const rules =
      name === undefined
        ? above
        : ignoreRulesIn(folder, await readFile(path.join(place, name), 'utf8'), above);
    for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
      const below = folder === '' ? entry.name : `${folder}/${entry.name}`;
      if (entry.name === '.git') continue;
      const isIgnored = rules.ignores(entry.isDirectory() ? `${below}/` : below);
      if (isIgnored || entry.name === ignoreFiles[0]) {
        state.ignored += 1;
        state.hidden.add(below);
        continue;
      }
      try {
        await this.#readEntry(state, entry, below, rules);
      } catch (error) {
        // A file that was removed since the folder was read is no failure.
        if (!isAbsence(error)) state.hide('unreadable', below, describeLocalError(error));
      }
    }
  }

  async #readEntry(state: FolderState, entry: Dirent, below: string, rules: Ignore): Promise<void> {
    const unsupported = whyUnsupported(entry, below);
    if (unsupported !== undefined) return state.hide('unsupported', below, unsupported);
    if (entry.isDirectory()) return this.#readFolder(state, below, rules);
    const found = await lstat(path.join(this.root, below));
    const last = this.#last.files.get(below);
    const file = last?.version === versionOf(found) ? last : await this.ready(below);
    if (file === undefined) return state.hide('unstable', below, 'it changed while it was read');
    state.files.set(below, { content: file.content, version: file.version });
    if ((found.mode & executable) !== 0) {
      const mode = (found.mode & 0o777).toString(8);
      state.leave('unsupported', below, `mode ${mode}; the content is synced`);
    }
  }
}

function whyUnsupported(entry: Dirent, below: string): string | undefined {
  if (entry.isSymbolicLink()) return 'symbolic link';
  if (!entry.isDirectory() && !entry.isFile()) return 'not a regular file';
  // Node reads names that are not UTF-8 with this character.
  const isNamed = isRequestablePath(below) && !below.includes('\u{fffd}');
  return isNamed ? undefined : 'no URL can address this name';
}

/** Whether an error says that there is nothing; any other says that there may be a file. */
function isAbsence(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return code === 'ENOENT' || code === 'ENOTDIR';
}

/** Returns a text that differs after every write of a file. */
function versionOf({ size, mtimeMs, ctimeMs, ino }: Stats): string {
  return [size, mtimeMs, ctimeMs, ino].join(' ');
}

/** Resolves with the SHA-256 of a file, read as a stream. Rejects where it can't be read. */
export async function hashOfFile(file: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file), hash);
  return hash.digest('hex');
}

/** Returns the rules of a folder without any ignore file. */
export function noIgnoreRules(): Ignore {
  return ignore({ ignorecase: false });
}

/**
 * Returns the rules in a folder with an ignore file; those of deeper folders win. The rules decide about
 * paths from the top folder whose folders are not ignored themselves.
 */
export function ignoreRulesIn(folder: string, text: string, above: Ignore): Ignore {
  const lines = text.replace(/^\u{feff}/u, '').split(/\r?\n/);
  if (folder === '') return noIgnoreRules().add(above).add(lines);
  const prefix = folder.replaceAll(/[\\*?[\]!#]/g, String.raw`\$&`);
  const patterns = lines.flatMap((line) => {
    if (line.trim() === '' || line.startsWith('#')) return [];
    const isNegated = line.startsWith('!');
    const pattern = (isNegated ? line.slice(1) : line).replace(/^\\([#!])/, '$1');
    // A slash at the beginning or in the middle binds a pattern to the folder of its file.
    const isBound = pattern.trimEnd().replace(/\/$/, '').includes('/');
    const below = isBound ? pattern.replace(/^\//, '') : `**/${pattern}`;
    return [`${isNegated ? '!' : ''}${prefix}/${below}`];
  });
  return noIgnoreRules().add(above).add(patterns);
}
