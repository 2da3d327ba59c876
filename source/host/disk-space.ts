/** The free space of file systems, and the errors of full ones. */
import { statfsSync } from 'node:fs';
import type { LowDisk } from '../contract/disk-header.ts';
import { type HostClock, startInterval } from './clock.ts';
import { hasErrorCode } from './files/missing.ts';
import { storageFull } from './refusal.ts';

/** SQLite's result code for a full disk. */
const sqliteFull = 13;

/** Returns true for an error of a full file system, of a used-up quota, or of SQLite on either. */
export function isDiskFull(error: unknown): boolean {
  if (hasErrorCode(error, 'ENOSPC', 'EDQUOT')) return true;
  return error instanceof Error && 'errcode' in error && error.errcode === sqliteFull;
}

/**
 * SQLite's extended result codes for a write, a sync, a sync of a folder and a truncation that the
 * system refused (SQLite, "Result and Error Codes").
 */
const sqliteWriteFailures = new Set<unknown>([778, 1034, 1290, 1546]);

/**
 * Returns true for an error that a full disk causes or may cause. A quota, or a file system that
 * allocates blocks late, refuses the sync, and SQLite then hides the system's code.
 */
export function isWriteFailure(error: unknown): boolean {
  if (isDiskFull(error)) return true;
  return error instanceof Error && 'errcode' in error && sqliteWriteFailures.has(error.errcode);
}

/** Returns the bytes that users may still write to the file system of a folder. */
export function readFreeBytes(folder: string): number {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
}

const mebibyte = 2 ** 20;

/** Free bytes below which the records stop growing, and the least value of `--min-free`. */
export const leastMinFreeBytes = 8 * mebibyte;

/** Milliseconds between two looks at the free space for the output of the host. */
const watchMs = 5000;

/** Multiple of the least free space below which the disk is low, while there is time to act. */
const lowFactor = 2;

/** Formats a size for a person, in whole MiB or KiB, rounded down. */
function formatSpace(bytes: number): string {
  return bytes < mebibyte
    ? `${Math.floor(bytes / 1024)} KiB`
    : `${Math.floor(bytes / mebibyte)} MiB`;
}

/**
 * The free space below which a host refuses new work: whatever grows. Services go on, since a host
 * that stops them would lose more than it saves, and what frees space is always accepted.
 */
export class DiskSpace {
  readonly #folders: readonly string[];
  readonly #minFreeBytes: number;
  #low: LowDisk | undefined;

  /** @param folders existing folders of the host, which may be on different file systems. */
  constructor(folders: readonly string[], minFreeBytes: number) {
    this.#folders = folders;
    this.#minFreeBytes = minFreeBytes;
  }

  /** Throws a 507 when less than the minimum is free, or would be after a write of these bytes. */
  assertFree(bytes = 0): void {
    for (const folder of this.#folders) {
      const free = readFreeBytes(folder);
      if (free - bytes >= this.#minFreeBytes) continue;
      const kept = `(--min-free ${formatSpace(this.#minFreeBytes)})`;
      throw storageFull(
        free < this.#minFreeBytes
          ? `The disk of this host has less free space than the host keeps ${kept}.`
          : `The request needs more disk space than this host may use: it keeps some free ${kept}.`,
      );
    }
  }

  /** Returns a sentence about the shortage for the person who runs the host; undefined without one. */
  describeShortage(): string | undefined {
    for (const folder of this.#folders) {
      const free = readFreeBytes(folder);
      if (free >= this.#minFreeBytes) continue;
      return (
        `The disk of ${folder} has ${formatSpace(free)} free, less than the ` +
        `${formatSpace(this.#minFreeBytes)} that the host keeps (--min-free). New work is refused; ` +
        'deployments go on and can be closed.'
      );
    }
    return undefined;
  }

  /** Returns the space of a low disk as of the last look of {@link watch}; undefined without one. */
  low(): LowDisk | undefined {
    return this.#low;
  }

  #findLow(): LowDisk | undefined {
    const free = Math.min(...this.#folders.map(readFreeBytes));
    const kept = this.#minFreeBytes;
    return free < kept * lowFactor ? { free, kept } : undefined;
  }

  /** Reports each shortage once, when it begins, until the returned function is called. */
  watch(clock: HostClock, onShortage: (sentence: string) => void): () => void {
    let isShort = false;
    const look = () => {
      const sentence = this.describeShortage();
      if (sentence !== undefined && !isShort) onShortage(sentence);
      isShort = sentence !== undefined;
      this.#low = this.#findLow();
    };
    look();
    return startInterval(clock, watchMs, look);
  }
}
