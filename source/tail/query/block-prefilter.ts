import type { Block } from '../arena/block.ts';
import { type ByteSearch, byteSearch, type Literal, mostBytes, mostPlaces } from './byte-search.ts';
import type { Sieve } from './prefilter.ts';

/** What is learned of a block from so large a part of it is worth it. */
export const learnedFrom = 1 / 32;

/** Fewer lines are read sooner than gone through. */
const leastLines = 4;

/** How a message may hide what its text matches: not, in colour codes, or in any way. */
const hidesNothing = 0;
const hidesInColours = 1;
const hidesAnyhow = 2;

/**
 * Goes through the bytes of the lines of a block from index `from` up to `to`.
 *
 * @returns for each of them, whether the sieve finds something in it or may not be able to.
 * Undefined when that is not worth it, or cannot be done, without reading the lines.
 */
export function sieveBlock(
  block: Block,
  from: number,
  to: number,
  sieve: Sieve,
): Uint8Array | undefined {
  const { literals, message } = sieve;
  const search = literals.length === 0 || to - from < leastLines ? undefined : byteSearch();
  if (search === undefined) return undefined;
  let base = block.start(from);
  const end = block.end(to - 1);
  if (end - base > mostBytes) return undefined;
  const begin = base;
  if (block.knowsEscapes) search.take(block.bytes.subarray(begin, end));
  else {
    base = block.start(0);
    const last = block.end(block.count - 1);
    if (to - from < block.count * learnedFrom || last - base > mostBytes) return undefined;
    search.take(block.bytes.subarray(base, last));
    learnEscapes(block, search);
  }

  const holds = (start: number, stop: number): boolean => {
    message.lastIndex = 0;
    return message.test(search.bytewise(start, stop));
  };
  const passed = new Uint8Array(to - from);
  const most = Math.min(to - from, mostPlaces);
  for (const literal of literals) {
    const count = search.find(literal, begin - base, end - base, most);
    if (count >= most) return undefined;
    let at = from;
    for (let index = 0; index < count; index += 1) {
      const place = search.place(index) + base;
      if (at > from && place < block.end(at - 1)) continue;
      while (block.end(at) <= place) at += 1;
      if (passed[at - from] === 0 && holds(block.start(at) - base, block.end(at) - base)) {
        passed[at - from] = 1;
      }
      at += 1;
    }
  }
  const { escapes } = block;
  for (let at = from; at < to; at += 1) {
    const hides = escapes[at];
    if (hides === hidesNothing || passed[at - from] !== 0) continue;
    if (hides === hidesInColours) {
      const start = block.start(at) - base;
      const stop = search.bleach(start, block.end(at) - base);
      const isThere = literals.some((literal) => search.find(literal, start, stop, 1) > 0);
      if (!isThere || !holds(start, stop)) continue;
    }
    passed[at - from] = 1;
  }
  return passed;
}

const escapeOfAscii: Literal = { letters: String.raw`\u00`, ignoresCase: false };
const escapeOfSlash: Literal = { letters: String.raw`\/`, ignoresCase: false };

/** Notes which lines of the block that was taken as a whole are written so that a match may hide. */
function learnEscapes(block: Block, search: ByteSearch): void {
  const base = block.start(0);
  const { bytes, escapes } = block;
  escapes.fill(hidesNothing);
  const note = (literal: Literal, hides: (place: number) => number): void => {
    const end = block.end(block.count - 1) - base;
    let at = 0;
    let next = 0;
    for (let count = mostPlaces; count >= mostPlaces; ) {
      count = search.find(literal, next, end, mostPlaces);
      for (let index = 0; index < count; index += 1) {
        const place = search.place(index) + base;
        next = place - base + 1;
        while (block.end(at) <= place) at += 1;
        escapes[at] = Math.max(escapes[at] ?? 0, hides(place));
      }
    }
  };
  note(escapeOfAscii, (place) => {
    const high = bytes[place + 4] ?? 0;
    if (high >= 0x32 && high <= 0x37) return hidesAnyhow;
    const isEscape = high === 0x31 && ((bytes[place + 5] ?? 0) | 0x20) === 0x62;
    return isEscape ? hidesInColours : hidesNothing;
  });
  note(escapeOfSlash, () => hidesAnyhow);
  block.knowsEscapes = true;
}
