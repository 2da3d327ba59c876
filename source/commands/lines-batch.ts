import type { WholeLines } from './lines-writer.ts';

/** Collects lines to be written at once. */
export interface LinesBatch {
  /** A line that stands in other memory, which is copied; a line break is put behind it. */
  copy(bytes: Uint8Array, start: number, end: number): void;
  /** A line with its line break. */
  text(line: string): void;
  /** All lines so far; good until it is cleared. */
  lines(): WholeLines;
  /** Begins anew, in the same memory: it must have been written. */
  clear(): void;
}

/** Memory that one very long line has made larger than so many times the usual is let go. */
const mostGrown = 8;

/** @param size bytes for which there is room at first. */
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
      if (bytes.length > size * mostGrown) bytes = Buffer.allocUnsafeSlow(size);
      used = 0;
      ends = [];
    },
  };
}

const lineBreak = 0x0a;
