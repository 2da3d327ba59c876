import { execFileSync } from 'node:child_process';
import {
  closeSync,
  existsSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  statfsSync,
  writeSync,
} from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Fill } from './host-plan.ts';

const mebibyte = 2 ** 20;

/** Free bytes that a host in these rounds keeps (`--min-free 8Mi`). */
export const minFree = '8Mi';

/** Bytes that are left on a disk that is short of space: too few for new work, enough for logs. */
const leftBytes = { short: 6 * mebibyte, full: 0 } as const;

/** Name of the file systems, before the id of the process that made them. */
const mountName = 'hostdeck-faults-';

/** Unmounts what runs that were killed have left. */
function removeLeftMounts(): void {
  for (const line of readFileSync('/proc/self/mounts', 'utf8').split('\n')) {
    const [device = '', target] = line.split(' ');
    const isLeft =
      device.startsWith(mountName) && !existsSync(`/proc/${device.slice(mountName.length)}`);
    if (isLeft && target !== undefined) execFileSync('umount', ['--lazy', target]);
  }
}

/** A small file system for a data folder, which something fills and empties while clients work. */
export class SmallDataDisk {
  readonly #target: string;
  readonly #filler: string;
  readonly #left: number;
  /** Times of the latest beginning and end of a shortage, of `performance.now`. */
  #begun = Number.NEGATIVE_INFINITY;
  #ended = Number.NEGATIVE_INFINITY;

  private constructor(target: string, kind: keyof typeof leftBytes) {
    this.#target = target;
    this.#filler = path.join(target, 'lost+found', 'filler');
    this.#left = leftBytes[kind];
  }

  /** Mounts one at a missing folder. Where the system can't, says so and returns undefined. */
  static mount(target: string, kind: keyof typeof leftBytes): SmallDataDisk | undefined {
    mkdirSync(target, { mode: 0o700 });
    const options = 'size=96m,mode=700';
    try {
      removeLeftMounts();
      const args = ['-t', 'tmpfs', '-o', options, `${mountName}${process.pid}`, target];
      execFileSync('mount', args, { stdio: ['ignore', 'ignore', 'pipe'] });
    } catch (error) {
      const reason = error instanceof Error ? error.message.trim().split('\n').at(-1) : '';
      process.stderr.write(`Full disks are SKIPPED: none can be mounted here (${reason}).\n`);
      return undefined;
    }
    mkdirSync(path.join(target, 'lost+found'), { mode: 0o700 });
    return new SmallDataDisk(target, kind);
  }

  /** Fills the disk for a while after a while; until {@link empty} if the host is gone by then. */
  async act({ wait, hold }: Fill, gone: () => Promise<never>): Promise<void> {
    await Promise.race([sleep(wait), gone()]);
    this.fill();
    await Promise.race([sleep(hold), gone()]);
    this.empty();
  }

  fill(): void {
    this.#begun = performance.now();
    const descriptor = openSync(this.#filler, 'a');
    try {
      for (let size = mebibyte; size >= 4096; size /= 2) {
        const bytes = Buffer.alloc(size, 'x');
        try {
          while (this.#freeBytes() - size >= this.#left) writeSync(descriptor, bytes);
        } catch {
          // Smaller writes fill the rest.
        }
      }
    } finally {
      closeSync(descriptor);
    }
  }

  empty(): void {
    if (!existsSync(this.#filler)) return;
    const descriptor = openSync(this.#filler, 'r+');
    ftruncateSync(descriptor);
    closeSync(descriptor);
    rmSync(this.#filler);
    this.#ended = performance.now();
  }

  /** Returns true when the disk was short of space at any time since this one. */
  wasShort(since: number): boolean {
    return this.#begun > this.#ended || this.#ended > since;
  }

  unmount(): void {
    execFileSync('umount', ['--lazy', this.#target]);
  }

  #freeBytes(): number {
    const { bavail, bsize } = statfsSync(this.#target);
    return bavail * bsize;
  }
}
