import { besideLine, type BlockMemory } from './block-memory.ts';
import type { Place } from './place.ts';
import type { Run } from './run.ts';

/** A line to be put in: its message, and what it is ordered by. */
export interface Stored {
  readonly bytes: Uint8Array;
  readonly start: number;
  readonly end: number;
  readonly place: Place;
  readonly seq: number;
  readonly service: number;
}

/** How the messages of a block are written. */
interface Writing {
  readonly isAscii: boolean;
  /** Nothing is escaped that need not be. */
  readonly isPlain: boolean;
}

/** Some lines that follow each other, as messages in one piece of memory of a fixed size. */
export class Block {
  readonly #bytes: Uint8Array;
  readonly #starts: Uint32Array;
  readonly #ends: Uint32Array;
  readonly #places: Float64Array;
  readonly #seqs: Float64Array;
  readonly #services: Uint8Array;
  readonly #escapes: Uint8Array;
  /** All places, when there is one that is no number. */
  #large: Place[] | undefined;
  #used = 0;
  #count = 0;
  /** Who has looked may leave it here, until another line comes. */
  writing: Writing | undefined;
  /** Whether {@link escapes} is filled in: as of `writing`. */
  knowsEscapes = false;

  constructor({ bytes, starts, ends, places, seqs, services, escapes }: BlockMemory) {
    this.#bytes = bytes;
    this.#starts = starts;
    this.#ends = ends;
    this.#places = places;
    this.#seqs = seqs;
    this.#services = services;
    this.#escapes = escapes;
  }

  get count(): number {
    return this.#count;
  }

  /** Bytes of memory, used or not. */
  get size(): number {
    return this.#bytes.length + this.#starts.length * besideLine;
  }

  get bytes(): Uint8Array {
    return this.#bytes;
  }

  /** Room for how each line is written. */
  get escapes(): Uint8Array {
    return this.#escapes;
  }

  /** Empties it for other lines. */
  clear(): void {
    this.#used = 0;
    this.#count = 0;
    this.#large = undefined;
    this.writing = undefined;
    this.knowsEscapes = false;
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
    return (this.#large ?? this.#places)[index] ?? 0;
  }

  service(index: number): number {
    return this.#services[index] ?? 0;
  }

  stored(index: number): Stored {
    return {
      bytes: this.#bytes,
      start: this.start(index),
      end: this.end(index),
      place: this.place(index),
      seq: this.seq(index),
      service: this.service(index),
    };
  }

  /** False when there is no room for the line. */
  add({ bytes, start, end, place, seq, service }: Stored): boolean {
    const length = end - start;
    const at = this.#count;
    if (at === this.#starts.length || this.#used + length > this.#bytes.length) return false;
    this.#bytes.set(bytes.subarray(start, end), this.#used);
    this.#starts[at] = this.#used;
    this.#ends[at] = this.#used + length;
    this.#used += length;
    if (typeof place === 'bigint') this.#large ??= [...this.#places.subarray(0, at)];
    if (this.#large !== undefined) this.#large.push(place);
    else this.#places[at] = Number(place);
    this.#seqs[at] = seq;
    this.#services[at] = service;
    this.writing = undefined;
    this.knowsEscapes = false;
    this.#count += 1;
    return true;
  }

  /** Adds lines of a run from index `from` on, as many as there is room for; gives how many. */
  addRun({ bytes, count, starts, ends, places, services }: Run, from: number, seq: number): number {
    const begin = starts[from] ?? 0;
    const room = this.#bytes.length - this.#used;
    const most = Math.min(count, from + this.#starts.length - this.#count);
    let to = from;
    while (to < most && (ends[to] ?? 0) - begin <= room) to += 1;
    if (to === from) return 0;
    const last = ends[to - 1] ?? begin;
    this.#bytes.set(bytes.subarray(begin, last), this.#used);
    const moved = this.#used - begin;
    let at = this.#count;
    for (let index = from; index < to; index += 1, at += 1) {
      this.#starts[at] = (starts[index] ?? 0) + moved;
      this.#ends[at] = (ends[index] ?? 0) + moved;
      this.#places[at] = places[index] ?? 0;
      this.#seqs[at] = seq + index - from;
      this.#services[at] = services[index] ?? 0;
    }
    if (this.#large !== undefined) this.#large.push(...places.subarray(from, to));
    this.#used += last - begin;
    this.writing = undefined;
    this.knowsEscapes = false;
    this.#count = at;
    return to - from;
  }
}
