/** The files of a service as a sync sees them: those below its folder, and their contents. */
import { hash } from 'node:crypto';
import type { Client } from '../../client/client.ts';
import type { Result, ServiceError } from '../../client/http/errors.ts';
import type { UploadPart } from '../../client/upload.ts';
import type { SyncedContent, SyncEnds } from '../../disk/sync-bases.ts';
import { withTemporaryFile } from '../files/write-file-out.ts';
import { hashOfFile } from './local-folder.ts';
import type { ListedFile } from './plan-sync.ts';

type ListedFiles = ReadonlyMap<string, ListedFile>;

/** Bytes above which a file is streamed through a temporary file instead of read into memory. */
const largestInMemory = 1024 * 1024;

/** Files that are read at once. */
const readers = 6;

/** The folder on the service that a sync writes. Paths are relative to it. */
export class ServiceFolder {
  readonly #files: Client['files'];
  readonly #ends: SyncEnds;
  readonly #signal: AbortSignal;

  /** @param signal ends reads; writes are finished. */
  constructor(files: Client['files'], ends: SyncEnds, signal: AbortSignal) {
    this.#files = files;
    this.#ends = ends;
    this.#signal = signal;
  }

  /** Returns the path inside the service. */
  placeOf(below: string): string {
    const { target } = this.#ends;
    return target === '' ? below : `${target}/${below}`;
  }

  /** Resolves with the files below the folder. */
  async list(): Promise<Result<ListedFiles>> {
    const { deployment, service } = this.#ends;
    const listed = await this.#files.list(deployment, service, this.#signal);
    if (!listed.ok) return listed;
    const prefix = this.placeOf('');
    const files = new Map<string, ListedFile>();
    for (const { value } of listed.value) {
      const { path, size, modifiedAt, directory } = value;
      const whole = path.replace(/^(?:\.?\/)+/, '');
      const below = whole.slice(prefix.length);
      if (!whole.startsWith(prefix) || below === '' || directory === true) continue;
      files.set(below, { size, modifiedAt });
    }
    return { ok: true, value: files };
  }

  /** Resolves with files of which some have their contents; those that are gone stay without. */
  async read(files: ListedFiles, paths: readonly string[]): Promise<Result<ListedFiles>> {
    const read = new Map(files);
    const queue = paths.values();
    let failure: ServiceError | undefined;
    const work = async (): Promise<void> => {
      for (const below of queue) {
        const found = files.get(below);
        const content = await this.content(below, found?.size);
        if (content.ok) read.set(below, { ...found, content: content.value });
        else if (content.error.code !== 'not-found') failure ??= content.error;
        if (failure !== undefined) return;
      }
    };
    await Promise.all(Array.from({ length: readers }, work));
    return failure === undefined ? { ok: true, value: read } : { ok: false, error: failure };
  }

  /** Resolves with the content of a file. */
  async content(below: string, size = 0): Promise<Result<SyncedContent>> {
    if (size > largestInMemory) return this.#streamed(below);
    const { deployment, service } = this.#ends;
    const got = await this.#files.get(deployment, service, this.placeOf(below), this.#signal);
    if (!got.ok) return got.error.code === 'oversized-answer' ? this.#streamed(below) : got;
    const { bytes } = got.value;
    return { ok: true, value: { hash: hash('sha256', bytes), size: bytes.length } };
  }

  #streamed(below: string): Promise<Result<SyncedContent>> {
    const { deployment, service } = this.#ends;
    return withTemporaryFile(async (file) => {
      const options = { signal: this.#signal };
      const saved = await this.#files.save(deployment, service, this.placeOf(below), file, options);
      if (!saved.ok) return saved;
      return { ok: true, value: { hash: await hashOfFile(file), size: saved.value.size } };
    });
  }

  /** @param onProgress receives the bytes of file contents sent so far. */
  upload(parts: readonly UploadPart[], onProgress: (bytes: number) => void): Promise<Result<void>> {
    const { deployment, service } = this.#ends;
    const placed = parts.map(({ path, source }) => ({ path: this.placeOf(path), source }));
    return this.#files.upload(deployment, service, placed, { onProgress });
  }

  delete(below: string): Promise<Result<void>> {
    const { deployment, service } = this.#ends;
    return this.#files.delete(deployment, service, this.placeOf(below));
  }
}
