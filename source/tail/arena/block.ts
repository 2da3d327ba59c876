import { lineOverhead, type BlockMemory } from './block-memory.ts';
import type { Place } from './place.ts';
import type { Run } from './run.ts';

/** A line to store: its message and its order. */
export interface StoredLine {
  readonly bytes: Uint8Array;
  readonly start: number;
  readonly end: number;
  readonly place: Place;
  readonly seq: number;
  readonly service: number;
}

/** The encoding of consecutive messages of a block. */
export interface Encoding {
  readonly isAscii: boolean;
  /** The lines with escapes of colour codes, or with others that may obscure a match, in rising order. */
  readonly escaped: Uint16Array;
  /** The lines of these in which others may obscure a match. */
  readonly obscured: ReadonlySet<number>;
}

/** Consecutive lines, stored as messages in one piece of memory of fixed size. */
export class Block {
  readonly #bytes: Uint8Array;
  readonly #starts: Uint32Array;
  readonly #ends: Uint32Array;
  readonly #places: Float64Array;
  readonly #seqs: Float64Array;
  readonly #services: Uint8Array;
  /** All places, as soon as one exceeds the safe integers. */
  #largePlaces: Place[] | undefined;
  #usedBytes = 0;
  #count = 0;
  /** The encoding that the last scan found; cleared by the next line. */
  encoding: Encoding | undefined;

  constructor({ bytes, starts, ends, places, seqs, services }: BlockMemory) {
    this.#bytes = bytes;
    this.#starts = starts;
    this.#ends = ends;
    this.#places = places;
    this.#seqs = seqs;
    this.#services = services;
  }

  get count(): number {
    return this.#count;
  }

  /** The size of the block's memory in bytes, used or not. */
  get size(): number {
    return this.#bytes.length + this.#starts.length * lineOverhead;
  }

  get bytes(): Uint8Array {
    return this.#bytes;
  }

  /** Removes all lines, so that the memory can be reused. */
  clear(): void {
    this.#usedBytes = 0;
    this.#count = 0;
    this.#largePlaces = undefined;
    this.encoding = undefined;
  }

  start(index: number): number {
    return this.#starts[index] ?? 0;
  }

  end(index: number): number {
    return this.#ends[index] ?? 0;
  }

  seq(index: number): number {
    return this.#seqs[index] ?? 0;
  }

  setSeq(index: number, seq: number): void {
    this.#seqs[index] = seq;
  }

  place(index: number): Place {
    return (this.#largePlaces ?? this.#places)[index] ?? 0;
  }

  service(index: number): number {
    return this.#services[index] ?? 0;
  }

  storedLine(index: number): StoredLine {
    return {
      bytes: this.#bytes,
      start: this.start(index),
      end: this.end(index),
      place: this.place(index),
      seq: this.seq(index),
      service: this.service(index),
    };
  }

  /** Adds a line. Returns false when it does not fit. */
  add({ bytes, start, end, place, seq, service }: StoredLine): boolean {
    const length = end - start;
    const at = this.#count;
    if (at === this.#starts.length || this.#usedBytes + length > this.#bytes.length) return false;
    this.#bytes.set(bytes.subarray(start, end), this.#usedBytes);
    this.#starts[at] = this.#usedBytes;
    this.#ends[at] = this.#usedBytes + length;
    this.#usedBytes += length;
    if (typeof place === 'bigint') this.#largePlaces ??= [...this.#places.subarray(0, at)];
    if (this.#largePlaces !== undefined) this.#largePlaces.push(place);
    else this.#places[at] = Number(place);
    this.#seqs[at] = seq;
    this.#services[at] = service;
    this.encoding = undefined;
    this.#count += 1;
    return true;
  }

  /** Adds the lines of a run from index `from` on that fit. Returns their number. */
  addRun({ bytes, count, starts, ends, places, services }: Run, from: number, seq: number): number {
    const firstByte = starts[from] ?? 0;
    const freeBytes = this.#bytes.length - this.#usedBytes;
    const end = Math.min(count, from + this.#starts.length - this.#count);
    let to = from;
    while (to < end && (ends[to] ?? 0) - firstByte <= freeBytes) to += 1;
    if (to === from) return 0;
    const lastByte = ends[to - 1] ?? firstByte;
    this.#bytes.set(bytes.subarray(firstByte, lastByte), this.#usedBytes);
    const offset = this.#usedBytes - firstByte;
    let at = this.#count;
    for (let index = from; index < to; index += 1, at += 1) {
      this.#starts[at] = (starts[index] ?? 0) + offset;
      this.#ends[at] = (ends[index] ?? 0) + offset;
      this.#places[at] = places[index] ?? 0;
      this.#seqs[at] = seq + index - from;
      this.#services[at] = services[index] ?? 0;
    }
    if (this.#largePlaces !== undefined) this.#largePlaces.push(...places.subarray(from, to));
    this.#usedBytes += lastByte - firstByte;
    this.encoding = undefined;
    this.#count = at;
    return to - from;
  }
}
