import {
  type BigIntStats,
  closeSync,
  constants,
  createReadStream,
  fstatSync,
  lstatSync,
  openSync,
  type ReadStream,
  read as readThen,
  readlinkSync,
  readSync,
} from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { hasCode } from './missing.ts';
import { type StagedFile, toRecord } from './staged-file.ts';

const read = promisify(readThen);

/** For one file after the other: so much comes faster than another thread could be asked for it. */
const small = Buffer.allocUnsafeSlow(64 * 1024);

/**
 * A file of a tree that was opened for reading; whoever opened it closes it. What is read are the
 * bytes that it had then, whatever takes its place meanwhile.
 */
export class OpenTreeFile {
  readonly record: StagedFile;
  readonly #descriptor: number;

  private constructor(descriptor: number, record: StagedFile) {
    this.#descriptor = descriptor;
    this.record = record;
  }

  /**
   * Opens a plain file by the path of its tree, which must have no link in it, and its segments
   * inside. Undefined when there is none, also when the way to it leads through a link.
   */
  static open(root: string, segments: readonly string[]): OpenTreeFile | undefined {
    const target = `${root}/${segments.join('/')}`;
    const descriptor = openPlain(target);
    if (descriptor === undefined) {
      // Fails where it is the host's own folders that are not as they should be.
      lstatSync(root, { throwIfNoEntry: false });
      return undefined;
    }
    try {
      const stats = fstatSync(descriptor);
      if (stats.isFile() && isThere(descriptor, target, root, segments)) {
        return new OpenTreeFile(descriptor, toRecord(segments.join('/'), stats));
      }
    } catch (error) {
      closeSync(descriptor);
      throw error;
    }
    closeSync(descriptor);
    return undefined;
  }

  /** Read so quickly that no other thread is asked. */
  get isSmall(): boolean {
    return this.record.size <= small.length;
  }

  /** As they are now, with times to the nanosecond. */
  stats(): BigIntStats {
    return fstatSync(this.#descriptor, { bigint: true });
  }

  /**
   * What `take` makes of all of it, or of what is left when someone has shortened it since. The bytes
   * are another file's as soon as it returns.
   */
  content<T>(take: (bytes: Buffer) => T): T | Promise<T> {
    const { size } = this.record;
    return this.isSmall ? take(this.#readSmall(size)) : this.#readLarge(size).then(take);
  }

  #readSmall(size: number): Buffer {
    let filled = 0;
    while (filled < size) {
      const count = readSync(this.#descriptor, small, filled, size - filled, filled);
      if (count === 0) break;
      filled += count;
    }
    return small.subarray(0, filled);
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

  /** All of it, piece by piece; closes the file at its end, or when it is destroyed. */
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
    // NONBLOCK: opening a FIFO must not wait for its writer.
    return openSync(target, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (error) {
    if (hasCode(error, 'ENOENT', 'ENOTDIR', 'ELOOP', 'ENXIO')) return undefined;
    throw error;
  }
}

/** True when what was opened is at its path inside the tree, rather than where a link led to. */
function isThere(
  descriptor: number,
  target: string,
  root: string,
  segments: readonly string[],
): boolean {
  if (process.platform === 'linux') {
    try {
      const there = readlinkSync(`/proc/self/fd/${descriptor}`);
      // What has been replaced since it was opened was in its place all the same.
      return there === target || there === `${target} (deleted)`;
    } catch (error) {
      if (!hasCode(error, 'ENOENT')) throw error;
    }
  }
  return segments.every(
    (_, index) =>
      index === 0 || lstatSync(path.join(root, ...segments.slice(0, index))).isDirectory(),
  );
}
