/** The memory of one block. */
export interface BlockMemory {
  readonly bytes: Uint8Array;
  readonly starts: Uint32Array;
  readonly ends: Uint32Array;
  readonly places: Float64Array;
  readonly seqs: Float64Array;
  readonly services: Uint8Array;
}

/** Bytes of the columns per line, besides its message. */
export const lineOverhead = 4 + 4 + 8 + 8 + 1;

const alignment = 8;

function sizeOf(byteLimit: number, lineLimit: number): number {
  const size = byteLimit + lineLimit * lineOverhead;
  return Math.ceil(size / alignment) * alignment;
}

/** Lays out the columns of a block in a piece of memory, widest numbers first for alignment. */
function layOut(
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
  const bytes = new Uint8Array(memory, from + 25 * lineLimit, byteLimit);
  return { bytes, starts, ends, places, seqs, services };
}

/** Allocates the memory of one block of any size. */
export function allocateBlock(byteLimit: number, lineLimit: number): BlockMemory {
  return layOut(new ArrayBuffer(sizeOf(byteLimit, lineLimit)), 0, byteLimit, lineLimit);
}

/** The size of a new piece of memory relative to all earlier ones. */
const growth = 8;

/**
 * Allocates blocks of one size from few pieces of growing size: a piece per block would make the
 * garbage collector walk the whole heap repeatedly while a log fills. Untouched parts of a piece
 * take no RAM.
 */
export class BlockAllocator {
  readonly #byteLimit: number;
  readonly #lineLimit: number;
  readonly #maxBlocks: number;
  #piece = new ArrayBuffer(0);
  #used = 0;
  #blocks = 0;

  /** @param maxBytes approximate bytes of all blocks, which limit the size of a piece. */
  constructor(byteLimit: number, lineLimit: number, maxBytes: number) {
    this.#byteLimit = byteLimit;
    this.#lineLimit = lineLimit;
    this.#maxBlocks = Math.max(1, Math.ceil(maxBytes / sizeOf(byteLimit, lineLimit)));
  }

  allocate(): BlockMemory {
    const size = sizeOf(this.#byteLimit, this.#lineLimit);
    if (this.#used + size > this.#piece.byteLength) {
      const remainingBlocks = this.#maxBlocks - this.#blocks;
      this.#piece = new ArrayBuffer(
        size * Math.max(1, Math.min(growth * this.#blocks, remainingBlocks)),
      );
      this.#used = 0;
    }
    const memory = layOut(this.#piece, this.#used, this.#byteLimit, this.#lineLimit);
    this.#used += size;
    this.#blocks += 1;
    return memory;
  }
}
