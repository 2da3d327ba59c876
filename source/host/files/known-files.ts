import { type BigIntStats, lstatSync } from 'node:fs';

interface Known {
  readonly stats: BigIntStats;
  readonly text: string;
}

/** Characters of all texts. */
const most = 8 * 1024 * 1024;

/**
 * Time stamps of files are no finer than this on any file system: what is changed twice within it
 * may look the same.
 */
const grainMs = 2000;

/**
 * What was made of the content of files, as long as they are the very same: of one inode, size and
 * times of change. To look at these takes a fraction of reading a file anew; and they are another
 * file's when a link has been put in the way.
 */
export class KnownFiles {
  readonly #known = new Map<string, Known>();
  #characters = 0;

  /** What was made of the file at a path, undefined when nothing is known of the one there now. */
  of(path: string): string | undefined {
    const known = this.#known.get(path);
    if (known === undefined) return undefined;
    const stats = lstatSync(path, { bigint: true, throwIfNoEntry: false });
    if (stats !== undefined && isSame(stats, known.stats)) return known.text;
    this.#forget(path, known);
    return undefined;
  }

  /** Keeps what was made of a file; `stats` are of after it was read. */
  keep(path: string, stats: BigIntStats, text: string): void {
    const before = this.#known.get(path);
    if (before !== undefined) this.#forget(path, before);
    const changed = Number(stats.ctimeMs > stats.mtimeMs ? stats.ctimeMs : stats.mtimeMs);
    if (Math.abs(Date.now() - changed) < grainMs || text.length > most) return;
    this.#known.set(path, { stats, text });
    this.#characters += text.length;
    for (const [oldest, known] of this.#known) {
      if (this.#characters <= most) return;
      this.#forget(oldest, known);
    }
  }

  #forget(path: string, { text }: Known): void {
    this.#known.delete(path);
    this.#characters -= text.length;
  }
}

function isSame(one: BigIntStats, other: BigIntStats): boolean {
  return (
    one.ino === other.ino &&
    one.dev === other.dev &&
    one.size === other.size &&
    one.mtimeNs === other.mtimeNs &&
    one.ctimeNs === other.ctimeNs &&
    one.mode === other.mode
  );
}
