import { type BigIntStats, lstatSync } from 'node:fs';

interface CacheEntry {
  readonly stats: BigIntStats;
  readonly text: string;
}

/** Most characters of all cached texts. */
const maxCharacters = 8 * 1024 * 1024;

/**
 * Coarsest granularity of time stamps among file systems; two changes within it may have the same
 * time stamp.
 */
const timestampMs = 2000;

/**
 * Caches texts derived from files while the files' inode, size and times stay the same. Reading the
 * stats is much faster than reading the file, and a link in its place has other stats.
 */
export class FileTextCache {
  readonly #entries = new Map<string, CacheEntry>();
  #characters = 0;

  /**
   * Returns the cached text of the file at a path; undefined when it isn't cached or has changed.
   */
  get(path: string): string | undefined {
    const entry = this.#entries.get(path);
    if (entry === undefined) return undefined;
    const stats = lstatSync(path, { bigint: true, throwIfNoEntry: false });
    if (stats !== undefined && isSame(stats, entry.stats)) return entry.text;
    this.#evict(path, entry);
    return undefined;
  }

  /** Caches the text of a file; `stats` must be taken after the file was read. */
  set(path: string, stats: BigIntStats, text: string): void {
    const previous = this.#entries.get(path);
    if (previous !== undefined) this.#evict(path, previous);
    const changed = Number(stats.ctimeMs > stats.mtimeMs ? stats.ctimeMs : stats.mtimeMs);
    if (Math.abs(Date.now() - changed) < timestampMs || text.length > maxCharacters) return;
    this.#entries.set(path, { stats, text });
    this.#characters += text.length;
    for (const [oldest, entry] of this.#entries) {
      if (this.#characters <= maxCharacters) return;
      this.#evict(oldest, entry);
    }
  }

  #evict(path: string, { text }: CacheEntry): void {
    this.#entries.delete(path);
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
