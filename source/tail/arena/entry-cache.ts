import type { LineEntry } from './entries.ts';

/** The slots for lines of usual length, and that length in bytes. */
const usualSlots = 512;
const maxUsualLength = 16 * 1024;

/** The slots for longer lines. */
const longSlots = 8;

/** Caches recently read entries, so that repainting a window does not decode them again. */
export class EntryCache<Line> {
  readonly #usual: (LineEntry<Line> | undefined)[] = [];
  readonly #long: (LineEntry<Line> | undefined)[] = [];

  /**
   * Returns the entry with this `seq`, from the cache or else from `read`.
   *
   * @param length bytes of the line.
   */
  get(seq: number, length: number, read: () => LineEntry<Line>): LineEntry<Line> {
    const isUsual = length <= maxUsualLength;
    const entries = isUsual ? this.#usual : this.#long;
    const number = Math.abs(Math.floor(seq));
    // Numbers may lie 2^16 or more apart, so the higher bits count too.
    const slot = (number + Math.floor(number / 2 ** 16)) % (isUsual ? usualSlots : longSlots);
    const cached = entries[slot];
    if (cached?.seq === seq) return cached;
    const entry = read();
    entries[slot] = entry;
    return entry;
  }

  clear(): void {
    this.#usual.length = 0;
    this.#long.length = 0;
  }
}
