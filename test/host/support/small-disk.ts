import { execFileSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmSync, statfsSync, writeSync } from 'node:fs';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import { fastFolder } from '../../support/fast-folder.ts';

const mebibyte = 2 ** 20;

/** The file systems of the tests: in memory, and on a disk that the kernel keeps in a file. */
export const smallDiskKinds = ['tmpfs', 'ext4'] as const;

type SmallDiskKind = (typeof smallDiskKinds)[number];

/** Returns true when this machine can mount this kind; else writes the reason to the output. */
export function isMountable(kind: SmallDiskKind): boolean {
  try {
    using disk = SmallDisk.mount(kind);
    return disk.freeBytes > 0;
  } catch (error) {
    const [reason = ''] = error instanceof Error ? error.message.trim().split('\n').slice(-1) : [];
    process.stderr.write(
      `Tests of full disks on ${kind} are SKIPPED: it can't be mounted here (${reason}).\n`,
    );
    return false;
  }
}

/** A file system of 24 MB that ends with the test. */
export class SmallDisk {
  readonly #folder: string;
  readonly #filler: string;
  #isMounted = true;

  private constructor(folder: string) {
    this.#folder = folder;
    this.#filler = path.join(this.path, 'filler');
  }

  /** Mounts a new file system, for the rest of the test. */
  static ofTest(kind: SmallDiskKind): SmallDisk {
    const disk = SmallDisk.mount(kind);
    onTestFinished(() => disk[Symbol.dispose]());
    return disk;
  }

  /** Throws where the system can't mount this kind. */
  static mount(kind: SmallDiskKind): SmallDisk {
    const folder = mkdtempSync(path.join(fastFolder, 'hostdeck-disk-'));
    const target = path.join(folder, 'mounted');
    const run = (command: string, ...args: readonly string[]) =>
      execFileSync(command, args, { stdio: ['ignore', 'ignore', 'pipe'] });
    try {
      run('mkdir', '-m', '755', target);
      if (kind === 'tmpfs') {
        run('mount', '-t', 'tmpfs', '-o', 'size=24m', 'hostdeck-test', target);
      } else {
        const image = path.join(folder, 'image');
        run('truncate', '-s', '24M', image);
        run('mkfs.ext4', '-q', image);
        run('mount', '-o', 'loop', image, target);
      }
      return new SmallDisk(folder);
    } catch (error) {
      rmSync(folder, { recursive: true, force: true });
      throw error;
    }
  }

  get path(): string {
    return path.join(this.#folder, 'mounted');
  }

  /** Bytes that users may write. */
  get freeBytes(): number {
    const { bavail, bsize } = statfsSync(this.path);
    return bavail * bsize;
  }

  /** Returns true when users can write no further block, up to a few that the system keeps. */
  isFull(): boolean {
    return this.freeBytes < 65_536;
  }

  /** Writes a file until no byte is free. */
  fill(): void {
    const descriptor = openSync(this.#filler, 'a');
    try {
      for (let size = mebibyte; size >= 1; size = Math.floor(size / 2)) {
        const bytes = Buffer.alloc(size, 'x');
        try {
          for (;;) writeSync(descriptor, bytes);
        } catch {
          // Smaller writes fill the rest.
        }
      }
    } finally {
      closeSync(descriptor);
    }
  }

  /** Removes the file of {@link fill}. */
  empty(): void {
    rmSync(this.#filler, { force: true });
  }

  [Symbol.dispose](): void {
    if (!this.#isMounted) return;
    this.#isMounted = false;
    // Lazy, as a process that a failed test left behind may still use it.
    execFileSync('umount', ['--lazy', this.path]);
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
