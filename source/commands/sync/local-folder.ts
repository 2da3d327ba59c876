/** Reads a local folder that other programs may write at the same time: what a sync sends, and what not. */
import { createHash } from 'node:crypto';
import { createReadStream, type Dirent, type Stats } from 'node:fs';
import { lstat, readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import ignore, { type Ignore } from 'ignore';
import { describeLocalError } from '../../client/local-reason.ts';
import type { UploadPart } from '../../client/upload.ts';
import { isRequestablePath } from '../../contract/routes.ts';
import type { SyncedContent } from '../../disk/sync-bases.ts';
import type { SyncItem } from './plan-sync.ts';

/** The folder at one time. Paths are below it, with `/` between segments. */
export interface FolderState {
  readonly files: Map<string, SyncedContent>;
  /** Links, empty folders, modes, names that no URL can address, and what couldn't be read. */
  readonly unsynced: SyncItem[];
  /** Files that change while they are read. */
  readonly unstable: string[];
  /**
   * Paths whose files are unknown, or no files to send: what lies there, or below, must not count as
   * removed.
   */
  readonly hidden: Set<string>;
  /** Files and folders that ignore files exclude; a folder counts once. */
  ignored: number;
}

export type FolderRead =
  | { readonly ok: true; readonly state: FolderState }
  /** The folder is gone, or can't be read. */
  | { readonly ok: false; readonly reason: string };

/** A local file at one version, which is ready to be sent. */
export interface ReadyFile {
  readonly content: SyncedContent;
  /** Changes with every write of the file. */
  readonly version: string;
  readonly source: UploadPart['source'];
}

/** Ignore files; the first that a folder has counts. */
const ignoreFiles = ['.hostdeckignore', '.gitignore'] as const;

/** Bits of a mode that make a file executable. */
const executable = 0o111;

/** Bytes up to which a file is sent from memory, so that its hash is that of the bytes sent. */
const largestInMemory = 1024 * 1024;

/** Attempts to read a file that changes meanwhile. */
const attempts = 5;

/** Remembers the hashes of its files while they keep their versions. */
export class LocalFolder {
  readonly root: string;
  #known = new Map<string, Omit<ReadyFile, 'source'>>();

  constructor(root: string) {
    this.root = root;
  }

  /** @param onFolder receives each folder before it is read; the root is the empty path. */
  async read(onFolder: (folder: string) => void = () => undefined): Promise<FolderRead> {
    const state: FolderState = {
      files: new Map(),
      unsynced: [],
      unstable: [],
      hidden: new Set(),
      ignored: 0,
    };
    const before = this.#known;
    this.#known = new Map();
    try {
      await this.#readFolder('', { state, before, onFolder }, noIgnoreRules());
      return { ok: true, state };
    } catch (error) {
      return { ok: false, reason: describeLocalError(error) };
    }
  }

  /** Reads a file between two equal versions; undefined for one that is gone or keeps changing. */
  async ready(below: string): Promise<ReadyFile | undefined> {
    const file = path.join(this.root, below);
    for (let attempt = 1; attempt <= attempts; attempt += 1) {
      try {
        const found = await lstat(file);
        if (!found.isFile()) return undefined;
        const { size } = found;
        const version = versionOf(found);
        const bytes = size > largestInMemory ? undefined : await readFile(file);
        const hash = bytes === undefined ? await hashOfFile(file) : hashOfBytes(bytes);
        const source = bytes === undefined ? { file } : { bytes };
        if (await this.isUnchanged(below, version)) {
          return { content: { hash, size }, version, source };
        }
      } catch (error) {
        // Editors that save by renaming leave a moment without the file.
        if (!isAbsence(error)) throw error;
      }
    }
    return undefined;
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

  async #readFolder(folder: string, walk: Walk, above: Ignore): Promise<void> {
    const { state, onFolder } = walk;
    onFolder(folder);
    const place = path.join(this.root, folder);
    const entries = await readdir(place, { withFileTypes: true });
    if (entries.length === 0 && folder !== '') {
      state.unsynced.push({ action: 'unsupported', path: folder, reason: 'empty folder' });
    }
    const isFile = (name: string): boolean =>
      entries.some((entry) => entry.name === name && entry.isFile());
    const name = ignoreFiles.find(isFile);
    const text = name === undefined ? undefined : await readFile(path.join(place, name), 'utf8');
    const rules = text === undefined ? above : ignoreRulesIn(folder, text, above);
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
        await this.#readEntry(entry, below, walk, rules);
      } catch (error) {
        // A file that was removed since the folder was read is no failure.
        if (isAbsence(error)) continue;
        state.hidden.add(below);
        const reason = describeLocalError(error);
        state.unsynced.push({ action: 'unreadable', path: below, reason });
      }
    }
  }

  async #readEntry(entry: Dirent, below: string, walk: Walk, rules: Ignore): Promise<void> {
    const { state, before } = walk;
    const reason = whyUnsupported(entry, below);
    if (reason !== undefined) {
      state.hidden.add(below);
      state.unsynced.push({ action: 'unsupported', path: below, reason });
      return;
    }
    if (entry.isDirectory()) return this.#readFolder(below, walk, rules);
    const found = await lstat(path.join(this.root, below));
    const known = before.get(below);
    const file = known?.version === versionOf(found) ? known : await this.ready(below);
    if (file === undefined) {
      if (!(await this.isFile(below))) return;
      state.hidden.add(below);
      state.unstable.push(below);
      return;
    }
    this.#known.set(below, { content: file.content, version: file.version });
    state.files.set(below, file.content);
    if ((found.mode & executable) !== 0) {
      const mode = `mode ${(found.mode & 0o777).toString(8)}; the content is synced`;
      state.unsynced.push({ action: 'unsupported', path: below, reason: mode });
    }
  }
}

interface Walk {
  readonly state: FolderState;
  /** Files that the reading before this one hashed. */
  readonly before: ReadonlyMap<string, Pick<ReadyFile, 'content' | 'version'>>;
  readonly onFolder: (folder: string) => void;
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

/** Returns the SHA-256 of bytes in hexadecimal. */
export function hashOfBytes(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
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
