import type { WholeLines } from './lines-writer.ts';

/** Collects lines for one write. */
export interface LinesBatch {
  /** Appends a copy of a line without line break, and a line break. */
  copy(bytes: Uint8Array, start: number, end: number): void;
  /** Appends a line that has its line break. */
  text(line: string): void;
  /** Returns all lines so far; valid until `clear`. */
  lines(): WholeLines;
  /** Reuses the memory: the lines must have been written. */
  clear(): void;
}

/** A buffer that one very long line has grown to more than this multiple of `size` is released. */
const largestGrowth = 8;

/**
 * Returns an empty batch.
 * @param size first capacity, in bytes.
 */
export function createLinesBatch(size: number): LinesBatch {
  let bytes = Buffer.allocUnsafeSlow(size);
  let used = 0;
  let ends: number[] = [];

  const makeRoom = (length: number): void => {
    if (used + length <= bytes.length) return;
    const larger = Buffer.allocUnsafeSlow(Math.max(bytes.length * 2, used + length));
    bytes.copy(larger, 0, 0, used);
    bytes = larger;
  };

  return {
    copy(from, start, end) {
      makeRoom(end - start + 1);
      bytes.set(from.subarray(start, end), used);
      used += end - start + 1;
      bytes[used - 1] = lineBreak;
      ends.push(used);
    },
    text(line) {
      makeRoom(Buffer.byteLength(line));
      used += bytes.write(line, used);
      ends.push(used);
    },
    lines: () => ({ bytes: bytes.subarray(0, used), ends }),
    clear() {
      if (bytes.length > size * largestGrowth) bytes = Buffer.allocUnsafeSlow(size);
      used = 0;
      ends = [];
    },
  };
}

const lineBreak = 0x0a;
