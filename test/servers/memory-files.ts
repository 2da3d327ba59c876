import type { FilesClient } from '../../source/client/files.ts';
import { decodeText, type FileBody } from '../../source/client/file-content.ts';
import type { Result } from '../../source/client/http/errors.ts';
import type { FileRecord } from '../../source/contract/files.ts';
import { done, failure } from '../store/requests.ts';

interface StoredFile {
  readonly bytes: Uint8Array;
  readonly modifiedAt: string;
}

/**
 * Fields of the records of a list, beside the path. `unlike`: sizes in KiB and the time of the list, which
 * never agree with the content.
 */
export type ListedFields = 'both' | 'size' | 'time' | 'none' | 'unlike';

async function noPart(): Promise<never> {
  throw new Error('not a part of this model');
}

/** The files of one service in memory, with the interface of the client. */
export class MemoryFiles implements FilesClient {
  readonly #files = new Map<string, StoredFile>();
  readonly #listed: ListedFields;
  /** All requests so far, as `get app.yaml`. */
  readonly requests: string[] = [];
  /** Error of every request. */
  fails: ReturnType<typeof failure> | undefined;
  /** Settled before a file is answered; its content is the one when the request came. */
  delay: Promise<void> = Promise.resolve();
  #seconds = 0;

  constructor(listed: ListedFields = 'both') {
    this.#listed = listed;
  }

  /** Writes a file as somebody else. The time of modification stays where one is given. */
  put(path: string, content: string | Uint8Array, modifiedAt = this.#nextTime()): void {
    this.#files.set(path, { bytes: Buffer.from(content), modifiedAt });
  }

  timeOf(path: string): string | undefined {
    return this.#files.get(path)?.modifiedAt;
  }

  remove(path: string): void {
    this.#files.delete(path);
  }

  textOf(path: string): string | undefined {
    const file = this.#files.get(path);
    return file && Buffer.from(file.bytes).toString();
  }

  async list(): ReturnType<FilesClient['list']> {
    this.requests.push('list');
    if (this.fails !== undefined) return this.fails;
    const value = [...this.#files].map(([path, file]) => ({
      value: this.#recordOf(path, file),
      unknown: {},
    }));
    return { ok: true, value };
  }

  async get(_id: string, _service: string, path: string): Promise<Result<FileBody>> {
    this.requests.push(`get ${path}`);
    const file = this.#files.get(path);
    const { fails } = this;
    await this.delay;
    if (fails !== undefined) return fails;
    if (file === undefined) return failure('not-found');
    const { bytes, modifiedAt } = file;
    return {
      ok: true,
      value: { path, bytes, text: decodeText(bytes), certainty: 'certain', modifiedAt },
    };
  }

  async update(_id: string, _service: string, path: string, content: string) {
    this.requests.push(`update ${path}`);
    if (this.fails !== undefined) return this.fails;
    this.put(path, content);
    return done;
  }

  async delete(_id: string, _service: string, path: string): Promise<Result<void>> {
    this.requests.push(`delete ${path}`);
    this.remove(path);
    return done;
  }

  async rename(_id: string, _service: string, path: string, to: string) {
    this.requests.push(`rename ${path} ${to}`);
    const file = this.#files.get(path);
    if (file === undefined) return failure('not-found');
    this.#files.delete(path);
    this.#files.set(to, file);
    return done;
  }

  async upload(...[, , files]: Parameters<FilesClient['upload']>): Promise<Result<void>> {
    for (const { path, source } of files) {
      this.requests.push(`upload ${path}`);
      if (!('bytes' in source)) return noPart();
      this.put(path, source.bytes);
    }
    return done;
  }

  readonly save = noPart;

  #nextTime(): string {
    this.#seconds += 1;
    return new Date(Date.UTC(2026, 0, 1) + this.#seconds * 1000).toISOString();
  }

  #recordOf(path: string, { bytes, modifiedAt }: StoredFile): FileRecord {
    if (this.#listed === 'unlike')
      return { path, size: Math.ceil(bytes.length / 1024), modifiedAt: this.#nextTime() };
    return {
      path,
      size: this.#listed === 'both' || this.#listed === 'size' ? bytes.length : undefined,
      modifiedAt: this.#listed === 'both' || this.#listed === 'time' ? modifiedAt : undefined,
    };
  }
}
