import {
  bytesAt,
  byteSearchModule,
  casesAt,
  lettersAt,
  placesAt,
  placesBeyond,
  readBeyond,
} from './byte-search-code.ts';
import { wasmPage } from './wasm-code.ts';

/** ASCII letters that follow each other. */
export interface Literal {
  /** In lower case, when case does not count; {@link mostLetters} at most. */
  readonly letters: string;
  readonly ignoresCase: boolean;
}

/** Letters that may be looked for, and places that may be found at once. */
export const mostLetters = 64;
export const mostPlaces = 4096;

/** Bytes that may be gone through at once. */
export const mostBytes = 1 << 22;

/** Letters of log lines in JSON, the most frequent first. */
const frequent = ' e"a0t1:,r2on3i\\s45678d9lc-pmu=/.gb{}_hfEvkwyTRIOSANLDPCUxGMBFq';

/** The part of the standard that is used here. */
declare const WebAssembly:
  | {
      readonly Module: new (bytes: Uint8Array<ArrayBuffer>) => object;
      readonly Instance: new (module: object) => { readonly exports: Exports };
    }
  | undefined;

interface Exports {
  readonly memory: { readonly buffer: ArrayBuffer; readonly grow: (pages: number) => number };
  readonly find: (
    at: number,
    end: number,
    length: number,
    first: number,
    second: number,
    most: number,
  ) => number;
  readonly bleach: (from: number, end: number) => number;
}

/** Looks for letters in many bytes, sixteen at a time. */
export class ByteSearch {
  readonly #exports: Exports;
  #bytes: Buffer;
  #places: Uint32Array;
  #literal: Literal | undefined;
  #first = 0;
  #second = 0;

  constructor(exports: Exports) {
    this.#exports = exports;
    const { buffer } = exports.memory;
    this.#bytes = Buffer.from(buffer);
    this.#places = new Uint32Array(buffer, placesAt, mostPlaces + placesBeyond);
  }

  /** Takes a copy of bytes to look through; offsets are in these, until others are taken. */
  take(bytes: Uint8Array): void {
    const lack = bytesAt + bytes.length + readBeyond + mostLetters - this.#bytes.length;
    if (lack > 0) {
      const { memory } = this.#exports;
      memory.grow(Math.ceil(lack / wasmPage));
      this.#bytes = Buffer.from(memory.buffer);
      this.#places = new Uint32Array(memory.buffer, placesAt, mostPlaces + placesBeyond);
    }
    this.#bytes.set(bytes, bytesAt);
  }

  /**
   * How often letters stand from one offset up to, not with, another; see {@link place}. It stops
   * when it has found more than `most`, which may be {@link mostPlaces}.
   */
  find(literal: Literal, from: number, to: number, most: number): number {
    if (literal !== this.#literal) this.#put(literal);
    const { length } = literal.letters;
    const end = bytesAt + to - length + 1;
    const begin = bytesAt + from;
    if (end <= begin) return 0;
    const limit = Math.min(most, mostPlaces);
    let count = this.#exports.find(begin, end, length, this.#first, this.#second, limit);
    while (count > 0 && (this.#places[count - 1] ?? 0) >= end) count -= 1;
    return count;
  }

  /** Where the letters stand that were found last, by rising index. */
  place(index: number): number {
    return (this.#places[index] ?? 0) - bytesAt;
  }

  /** Takes the colour codes out of JSON, and gives where it ends now; what was behind is void. */
  bleach(from: number, to: number): number {
    return this.#exports.bleach(bytesAt + from, bytesAt + to) - bytesAt;
  }

  /** One character a byte. */
  bytewise(from: number, to: number): string {
    return this.#bytes.toString('latin1', bytesAt + from, bytesAt + to);
  }

  #put(literal: Literal): void {
    const letters = Buffer.from(literal.letters, 'latin1');
    const cases = letters.map((letter) =>
      literal.ignoresCase && letter >= 0x61 && letter <= 0x7a ? 0x20 : 0,
    );
    this.#bytes.set(letters, lettersAt);
    this.#bytes.set(cases, casesAt);
    [this.#first, this.#second] = rarest(literal.letters);
    this.#literal = literal;
  }
}

/** Where the two letters of a text stand that lines have least. */
function rarest(letters: string): readonly [number, number] {
  const byRarity = Array.from(letters, (letter, index) => ({ rank: rank(letter), index }));
  byRarity.sort((a, b) => b.rank - a.rank);
  const [first, second = first] = byRarity;
  return [first?.index ?? 0, second?.index ?? 0];
}

function rank(letter: string): number {
  const found = frequent.indexOf(letter);
  return found < 0 ? frequent.length : found;
}

let search: ByteSearch | undefined;
let isTried = false;

/** The one there is; undefined where the machine cannot do it. Bytes taken stay until others are. */
export function byteSearch(): ByteSearch | undefined {
  if (!isTried) {
    isTried = true;
    search = typeof WebAssembly === 'undefined' ? undefined : startSearch(WebAssembly);
  }
  return search;
}

function startSearch({
  Module,
  Instance,
}: NonNullable<typeof WebAssembly>): ByteSearch | undefined {
  try {
    return new ByteSearch(new Instance(new Module(byteSearchModule())).exports);
  } catch {
    // It knows no vectors.
    return undefined;
  }
}
