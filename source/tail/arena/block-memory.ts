/** Memory for one block, all of it unused or free to be used again. */
export interface BlockMemory {
  readonly bytes: Uint8Array;
  readonly starts: Uint32Array;
  readonly ends: Uint32Array;
  readonly places: Float64Array;
  readonly seqs: Float64Array;
  readonly services: Uint8Array;
  readonly escapes: Uint8Array;
}

/** Bytes that a line takes beside its message. */
export const besideLine = 4 + 4 + 8 + 8 + 1 + 1;

const wholeNumbers = 8;

function sizeOf(byteLimit: number, lineLimit: number): number {
  const size = byteLimit + lineLimit * besideLine;
  return Math.ceil(size / wholeNumbers) * wholeNumbers;
}

/** Lays the lists of a block out in a piece of memory; the widest numbers first, to stand even. */
function laidOut(
  memory: ArrayBuffer,
  from: number,
  byteLimit: number,
  lineLimit: number,
): BlockMemory {
  const places = new Float64Array(memory, from, lineLimit);
  const seqs = new Float64Array(memory, from + 8 * lineLimit, lineLimit);
  const starts = new Uint32Array(memory, from + 16 * lineLimit, lineLimit);
  const ends = new Uint32Array(memory, from + 20 * lineLimit, lineLimit);
  const services = new Uint8Array(memory, from + 24 * lineLimit, lineLimit);
  const escapes = new Uint8Array(memory, from + 25 * lineLimit, lineLimit);
  const bytes = new Uint8Array(memory, from + 26 * lineLimit, byteLimit);
  return { bytes, starts, ends, places, seqs, services, escapes };
}

/** Memory for one block of any size. */
export function blockMemory(byteLimit: number, lineLimit: number): BlockMemory {
  return laidOut(new ArrayBuffer(sizeOf(byteLimit, lineLimit)), 0, byteLimit, lineLimit);
}

/** So many times as large as all pieces before it is the next one. */
const growth = 8;

/**
 * Memory for many blocks of one size, taken in few pieces that grow: with a piece for each block, the
 * garbage collector would go through the whole heap again and again while a log fills. What is not
 * used yet of a piece takes no RAM.
 */
export class BlockStock {
  readonly #byteLimit: number;
  readonly #lineLimit: number;
  readonly #mostBlocks: number;
  #piece = new ArrayBuffer(0);
  #used = 0;
  #blocks = 0;

  /** @param most bytes of all blocks, about: no piece is larger. */
  constructor(byteLimit: number, lineLimit: number, most: number) {
    this.#byteLimit = byteLimit;
    this.#lineLimit = lineLimit;
    this.#mostBlocks = Math.max(1, Math.ceil(most / sizeOf(byteLimit, lineLimit)));
  }

  take(): BlockMemory {
    const size = sizeOf(this.#byteLimit, this.#lineLimit);
    if (this.#used + size > this.#piece.byteLength) {
      const left = this.#mostBlocks - this.#blocks;
      this.#piece = new ArrayBuffer(size * Math.max(1, Math.min(growth * this.#blocks, left)));
      this.#used = 0;
    }
    const memory = laidOut(this.#piece, this.#used, this.#byteLimit, this.#lineLimit);
    this.#used += size;
    this.#blocks += 1;
    return memory;
  }
}
