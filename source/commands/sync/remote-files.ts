/** The files of a service as a sync sees them: a tree below its folder, and their contents. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Client } from '../../client/client.ts';
import type { Result, ServiceError } from '../../client/http/errors.ts';
import type { UploadPart } from '../../client/upload.ts';
import type { FileRecord } from '../../contract/files.ts';
import type { SyncedContent } from '../../disk/sync-bases.ts';
import { foldersAbove } from '../../store/files/path-clash.ts';
import { hashOfBytes, hashOfFile } from './local-contents.ts';
import type { RemoteEntry, RemoteTree } from './plan-sync.ts';

/** The folder on the service that a sync writes. Paths are relative to it. */
export interface RemoteFiles {
  /** Returns the path inside the service. */
  placeOf(path: string): string;
  list(): Promise<Result<RemoteTree>>;
  /**
   * Resolves with the contents of files; those that are gone are left out.
   * @param sizes bytes of the files, as far as they are known.
   */
  contents(
    paths: readonly string[],
    sizes: ReadonlyMap<string, number>,
  ): Promise<Result<ReadonlyMap<string, SyncedContent>>>;
  /** @param onProgress receives the bytes of file contents sent so far. */
  upload(parts: readonly UploadPart[], onProgress?: (bytes: number) => void): Promise<Result<void>>;
  delete(path: string): Promise<Result<void>>;
  /** Removes temporary files. */
  close(): Promise<void>;
}

/** Bytes above which a file is streamed through a temporary file instead of read into memory. */
const largestInMemory = 1024 * 1024;

/** Files that are read at once. */
const readers = 6;

export interface RemoteFilesOptions {
  readonly files: Client['files'];
  readonly deployment: string;
  readonly service: string;
  /** Folder on the service; empty for its root. */
  readonly target: string;
  /** Ends reads; writes are finished. */
  readonly signal: AbortSignal;
}

export function createRemoteFiles(options: RemoteFilesOptions): RemoteFiles {
  const { files, deployment: id, service, target, signal } = options;
  let temporary: Promise<string> | undefined;
  const placeOf = (below: string): string => (target === '' ? below : `${target}/${below}`);

  async function streamed(below: string): Promise<Result<SyncedContent>> {
    temporary ??= mkdtemp(path.join(tmpdir(), 'hostdeck-sync-'));
    const file = path.join(await temporary, hashOfBytes(Buffer.from(below)));
    const saved = await files.save(id, service, placeOf(below), file, { signal });
    if (!saved.ok) return saved;
    const content = { hash: await hashOfFile(file), size: saved.value.size };
    await rm(file, { force: true });
    return { ok: true, value: content };
  }

  async function contentOf(below: string, size: number | undefined) {
    if (size !== undefined && size > largestInMemory) return streamed(below);
    const got = await files.get(id, service, placeOf(below), signal);
    if (!got.ok) return got.error.code === 'oversized-answer' ? streamed(below) : got;
    const { bytes } = got.value;
    return { ok: true, value: { hash: hashOfBytes(bytes), size: bytes.length } } as const;
  }

  return {
    placeOf,
    async list() {
      const listed = await files.list(id, service, signal);
      if (!listed.ok) return listed;
      return {
        ok: true,
        value: remoteTree(
          listed.value.map(({ value }) => value),
          target,
        ),
      };
    },
    async contents(paths, sizes) {
      const found = new Map<string, SyncedContent>();
      const queue = paths.values();
      let failure: ServiceError | undefined;
      const work = async (): Promise<void> => {
        for (const below of queue) {
          const read = await contentOf(below, sizes.get(below));
          if (read.ok) found.set(below, read.value);
          else if (read.error.code !== 'not-found') failure ??= read.error;
          if (failure !== undefined) return;
        }
      };
      await Promise.all(Array.from({ length: readers }, work));
      return failure === undefined ? { ok: true, value: found } : { ok: false, error: failure };
    },
    upload: (parts, onProgress) =>
      files.upload(
        id,
        service,
        parts.map(({ path: below, source }) => ({ path: placeOf(below), source })),
        onProgress === undefined ? {} : { onProgress },
      ),
    delete: (below) => files.delete(id, service, placeOf(below)),
    async close() {
      if (temporary !== undefined) await rm(await temporary, { recursive: true, force: true });
    },
  };
}

/** Returns the files below a folder of the service, and the folders that they imply. */
export function remoteTree(records: readonly FileRecord[], target: string): RemoteTree {
  const prefix = target === '' ? '' : `${target}/`;
  const files = new Map<string, RemoteEntry>();
  const folders = new Set<string>();
  for (const { path: listed, size, modifiedAt, directory } of records) {
    const whole = listed.replace(/^(?:\.?\/)+/, '');
    if (!whole.startsWith(prefix) || whole === prefix) continue;
    const below = whole.slice(prefix.length);
    for (const folder of foldersAbove(below)) folders.add(folder);
    if (directory === true) folders.add(below);
    else files.set(below, { size, modifiedAt });
  }
  return { files, folders };
}
