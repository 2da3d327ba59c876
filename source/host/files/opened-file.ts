import {
  type BigIntStats,
  closeSync,
  constants,
  createReadStream,
  fstatSync,
  lstatSync,
  openSync,
  type ReadStream,
  read as readWithCallback,
  readlinkSync,
  readSync,
} from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { hasErrorCode } from './missing.ts';
import { type StagedFile, toFileRecord } from './staged-file.ts';

const read = promisify(readWithCallback);

/** Most bytes of a small file: a synchronous read delivers it faster than a thread would. */
const smallFileBytes = 64 * 1024;

/** Shared buffer for small files. */
const smallBuffer = Buffer.allocUnsafeSlow(smallFileBytes);

/** A file of a tree, open for reading even when it is replaced meanwhile. The caller closes it. */
export class OpenTreeFile {
  readonly record: StagedFile;
  readonly #descriptor: number;

  private constructor(descriptor: number, record: StagedFile) {
    this.#descriptor = descriptor;
    this.record = record;
  }

  /**
   * Opens a plain file. Returns undefined when it is missing or its path leads through a link.
   *
   * @param root path of the tree, without links.
   */
  static open(root: string, segments: readonly string[]): OpenTreeFile | undefined {
    const target = `${root}/${segments.join('/')}`;
    const descriptor = openPlain(target);
    if (descriptor === undefined) {
      // Throws when the host can't access its own folders.
      lstatSync(root, { throwIfNoEntry: false });
      return undefined;
    }
    try {
      const stats = fstatSync(descriptor);
      if (stats.isFile() && isInTree(descriptor, target, root, segments)) {
        return new OpenTreeFile(descriptor, toFileRecord(segments.join('/'), stats));
      }
    } catch (error) {
      closeSync(descriptor);
      throw error;
    }
    closeSync(descriptor);
    return undefined;
  }

  /** True when the content is read synchronously. */
  get isSmall(): boolean {
    return this.record.size <= smallBuffer.length;
  }

  /** Returns the current stats, with times in nanoseconds. */
  stats(): BigIntStats {
    return fstatSync(this.#descriptor, { bigint: true });
  }

  /**
   * Reads the content, shorter when the file was truncated since, and returns the result of
   * `parse`, which must not keep the bytes: the next read reuses them.
   */
  readContent<T>(parse: (bytes: Buffer) => T): T | Promise<T> {
    const { size } = this.record;
    return this.isSmall ? parse(this.#readSmall(size)) : this.#readLarge(size).then(parse);
  }

  #readSmall(size: number): Buffer {
    let filled = 0;
    while (filled < size) {
      const count = readSync(this.#descriptor, smallBuffer, filled, size - filled, filled);
      if (count === 0) break;
      filled += count;
    }
    return smallBuffer.subarray(0, filled);
  }

  async #readLarge(size: number): Promise<Buffer> {
    const bytes = Buffer.allocUnsafe(size);
    let filled = 0;
    while (filled < size) {
      const { bytesRead } = await read(this.#descriptor, bytes, filled, size - filled, filled);
      if (bytesRead === 0) break;
      filled += bytesRead;
    }
    return bytes.subarray(0, filled);
  }

  /** Returns the content of a large file as a stream, which closes the file when it ends. */
  stream(): ReadStream {
    return createReadStream('', {
      fd: this.#descriptor,
      start: 0,
      end: this.record.size - 1,
      highWaterMark: 256 * 1024,
    });
  }

  close(): void {
    closeSync(this.#descriptor);
  }
}

function openPlain(target: string): number | undefined {
  try {
    // O_NONBLOCK: opening a FIFO must not wait for its writer.
    return openSync(target, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT', 'ENOTDIR', 'ELOOP', 'ENXIO')) return undefined;
    throw error;
  }
}

/** Returns true when the open file is at its path inside the tree, not behind a link. */
function isInTree(
  descriptor: number,
  target: string,
  root: string,
  segments: readonly string[],
): boolean {
  if (process.platform === 'linux') {
    try {
      const realPath = readlinkSync(`/proc/self/fd/${descriptor}`);
      // A file that was replaced since it was opened is shown as deleted.
      return realPath === target || realPath === `${target} (deleted)`;
    } catch (error) {
      if (!hasErrorCode(error, 'ENOENT')) throw error;
    }
  }
  return segments.every(
    (_, index) =>
      index === 0 || lstatSync(path.join(root, ...segments.slice(0, index))).isDirectory(),
  );
}
