import type { LineEntry } from './entries.ts';

/** Lines of usual length, and how long those are in bytes. */
const usualLines = 512;
const usualLength = 16 * 1024;

/** Longer lines. */
const longLines = 8;

/** The entries looked at last, so that a window that is painted again is not read again. */
export class EntryCache<Line> {
  readonly #usual: (LineEntry<Line> | undefined)[] = [];
  readonly #long: (LineEntry<Line> | undefined)[] = [];

  /**
   * The entry with this number, read by `read` if it is not at hand.
   * @param length bytes of the line.
   */
  get(seq: number, length: number, read: () => LineEntry<Line>): LineEntry<Line> {
    const isUsual = length <= usualLength;
    const entries = isUsual ? this.#usual : this.#long;
    const number = Math.abs(Math.floor(seq));
    // Numbers may stand 2^16 and more apart.
    const slot = (number + Math.floor(number / 2 ** 16)) % (isUsual ? usualLines : longLines);
    const known = entries[slot];
    if (known?.seq === seq) return known;
    const entry = read();
    entries[slot] = entry;
    return entry;
  }

  clear(): void {
    this.#usual.length = 0;
    this.#long.length = 0;
  }
}
