import { Folder } from './folder.ts';
import { MovedFolder, walkTree } from './tree-walk.ts';

/** Most walks through a tree that a service changes meanwhile. */
const maxPasses = 3;

/** Bytes of a block of `st_blocks` (POSIX, stat(2)). */
const blockBytes = 512;

/** Files with several hard links that are remembered, to count each once. */
const maxRemembered = 100_000;

/**
 * Resolves with the disk space that the files and folders of a tree take, in bytes. The walk ends
 * once it has found more than `most`, since more is not needed to know that. Where a service moves
 * folders meanwhile, the largest part that was seen counts.
 */
export async function measureTree(path: string, most: number): Promise<number> {
  let largest = 0;
  for (let pass = 0; pass < maxPasses; pass += 1) {
    const root = await Folder.open(path);
    if (!(root instanceof Folder)) return largest;
    const sum = new SizeSum(most);
    try {
      await walkTree(root, sum);
      return Math.max(largest, sum.bytes);
    } catch (error) {
      if (!(error instanceof MovedFolder)) throw error;
      largest = Math.max(largest, sum.bytes);
    }
  }
  return largest;
}

class SizeSum {
  bytes = 0;
  readonly #most: number;
  readonly #linked = new Set<string>();

  constructor(most: number) {
    this.#most = most;
  }

  readonly onEntry = async (folder: Folder, name: string | Buffer): Promise<boolean> => {
    const stats = await folder.stat(name);
    if (stats === undefined) return true;
    const { dev, ino, nlink, blocks } = stats;
    if (nlink > 1) {
      const key = `${dev} ${ino}`;
      if (this.#linked.has(key)) return true;
      if (this.#linked.size < maxRemembered) this.#linked.add(key);
    }
    this.bytes += blocks * blockBytes;
    return this.bytes <= this.#most;
  };

  readonly onFolder = async (folder: Folder): Promise<void> => {
    this.bytes += (await folder.ownStats()).blocks * blockBytes;
  };
}
