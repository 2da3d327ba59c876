/** Hashes and reads local files that other programs may write at the same time. */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { lstat, readFile } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { SyncedContent } from '../../disk/sync-bases.ts';
import type { UploadPart } from '../../client/upload.ts';
import { type LocalTree, versionOf } from './local-tree.ts';

/** A local file at one version. */
export interface HashedFile {
  readonly content: SyncedContent;
  /** Changes with every write, as in {@link TreeFile}. */
  readonly version: string;
}

/** A file that is ready to be sent. */
export interface ReadyFile extends HashedFile {
  readonly source: UploadPart['source'];
}

/** Reads the files of one folder; hashes are remembered while a file keeps its version. */
export interface LocalContents {
  /** Resolves with the hashes of all files of a tree; files that keep changing are left out. */
  hashesOf(tree: LocalTree): Promise<ReadonlyMap<string, SyncedContent>>;
  /** Resolves with a file to send; undefined for one that is gone or keeps changing. */
  ready(path: string): Promise<ReadyFile | undefined>;
  /** Whether a file still has this version. */
  isUnchanged(path: string, version: string): Promise<boolean>;
  /** Whether a file of any kind but a folder has this path. */
  isFile(path: string): Promise<boolean>;
}

/** Bytes up to which a file is sent from memory, so that its hash is that of the bytes sent. */
const largestInMemory = 1024 * 1024;

/** Attempts to read a file that changes meanwhile. */
const attempts = 5;

export function createLocalContents(root: string): LocalContents {
  let known = new Map<string, HashedFile>();
  const placeOf = (below: string): string => path.join(root, below);

  async function versionNow(below: string): Promise<{ version: string; size: number } | undefined> {
    try {
      const found = await lstat(placeOf(below));
      return found.isFile() ? { version: versionOf(found), size: found.size } : undefined;
    } catch {
      return undefined;
    }
  }

  /** Reads a file between two equal versions; undefined where there never are. */
  async function readStable<T>(
    below: string,
    read: (file: string, size: number) => Promise<T>,
  ): Promise<{ readonly value: T; readonly version: string; readonly size: number } | undefined> {
    for (let attempt = 1; attempt <= attempts; attempt += 1) {
      const before = await versionNow(below);
      if (before === undefined) return undefined;
      const value = await read(placeOf(below), before.size).catch(() => undefined);
      const after = await versionNow(below);
      if (value !== undefined && after?.version === before.version) return { value, ...before };
    }
    return undefined;
  }

  async function hash(below: string, version: string): Promise<HashedFile | undefined> {
    const kept = known.get(below);
    if (kept?.version === version) return kept;
    const read = await readStable(below, (file) => hashOfFile(file));
    if (read === undefined) return undefined;
    return { content: { hash: read.value, size: read.size }, version: read.version };
  }

  return {
    async hashesOf(tree) {
      const hashed = new Map<string, HashedFile>();
      // One by one: a disk reads no faster in parallel, and large files would share its cache.
      for (const { path: below, version } of tree.files.values()) {
        const found = await hash(below, version);
        if (found !== undefined) hashed.set(below, found);
      }
      known = hashed;
      return new Map(Array.from(hashed, ([below, { content }]) => [below, content]));
    },
    async ready(below) {
      const read = await readStable(below, async (file, size) => {
        if (size > largestInMemory) return { hash: await hashOfFile(file), source: { file } };
        const bytes = await readFile(file);
        return { hash: hashOfBytes(bytes), source: { bytes } };
      });
      if (read === undefined) return undefined;
      const { value, size, version } = read;
      return { content: { hash: value.hash, size }, version, source: value.source };
    },
    isUnchanged: async (below, version) => (await versionNow(below))?.version === version,
    isFile: (below) =>
      lstat(placeOf(below)).then(
        (found) => !found.isDirectory(),
        (error: NodeJS.ErrnoException) => !isAbsence(error),
      ),
  };
}

/** Whether an error says that there is nothing; any other says that there may be a file. */
function isAbsence({ code }: NodeJS.ErrnoException): boolean {
  return code === 'ENOENT' || code === 'ENOTDIR';
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
