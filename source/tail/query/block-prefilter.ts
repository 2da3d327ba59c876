import type { Block } from '../arena/block.ts';
import {
  type ByteSearch,
  sharedByteSearch,
  type Literal,
  maxSearchedBytes,
  maxMatches,
} from './byte-search.ts';
import type { Prefilter } from './prefilter.ts';

/** The smallest part of a block, as a fraction, whose scan pays for inspecting the whole block. */
export const inspectionThreshold = 1 / 32;

/** Fewer lines are faster to decode than to search. */
const minLines = 4;

/** The ways in which a message may obscure a match: none, colour codes, or any other escape. */
const obscuresNothing = 0;
const obscuresByColours = 1;
const obscuresByEscape = 2;

/**
 * Prefilters the lines of a block from index `from` up to `to` by their bytes.
 *
 * @returns for each line 1 if it may match, else 0; undefined when decoding the lines is cheaper or
 * the prefilter can't be applied.
 */
export function prefilterBlock(
  block: Block,
  from: number,
  to: number,
  prefilter: Prefilter,
): Uint8Array | undefined {
  const { literals, message } = prefilter;
  const search = literals.length === 0 || to - from < minLines ? undefined : sharedByteSearch();
  if (search === undefined) return undefined;
  let base = block.start(from);
  const end = block.end(to - 1);
  if (end - base > maxSearchedBytes) return undefined;
  const firstByte = base;
  if (block.hasEscapes) search.load(block.bytes.subarray(firstByte, end));
  else {
    base = block.start(0);
    const last = block.end(block.count - 1);
    if (to - from < block.count * inspectionThreshold || last - base > maxSearchedBytes)
      return undefined;
    search.load(block.bytes.subarray(base, last));
    learnEscapes(block, search);
  }

  const matches = (start: number, stop: number): boolean => {
    message.lastIndex = 0;
    return message.test(search.latin1(start, stop));
  };
  const passed = new Uint8Array(to - from);
  const maxPlaces = Math.min(to - from, maxMatches);
  for (const literal of literals) {
    const count = search.find(literal, firstByte - base, end - base, maxPlaces);
    if (count >= maxPlaces) return undefined;
    let at = from;
    for (let index = 0; index < count; index += 1) {
      const place = search.matchAt(index) + base;
      if (at > from && place < block.end(at - 1)) continue;
      while (block.end(at) <= place) at += 1;
      if (passed[at - from] === 0 && matches(block.start(at) - base, block.end(at) - base)) {
        passed[at - from] = 1;
      }
      at += 1;
    }
  }
  const { escapes } = block;
  for (let at = from; at < to; at += 1) {
    const obscures = escapes[at];
    if (obscures === obscuresNothing || passed[at - from] !== 0) continue;
    if (obscures === obscuresByColours) {
      const start = block.start(at) - base;
      const stop = search.bleach(start, block.end(at) - base);
      const hasLiteral = literals.some((literal) => search.find(literal, start, stop, 1) > 0);
      if (!hasLiteral || !matches(start, stop)) continue;
    }
    passed[at - from] = 1;
  }
  return passed;
}

const escapeOfAscii: Literal = { letters: String.raw`\u00`, ignoresCase: false };
const escapeOfSlash: Literal = { letters: String.raw`\/`, ignoresCase: false };

/** Records which lines of the loaded block have escapes that may obscure a match. */
function learnEscapes(block: Block, search: ByteSearch): void {
  const base = block.start(0);
  const { bytes, escapes } = block;
  escapes.fill(obscuresNothing);
  const recordEscapes = (literal: Literal, obscures: (place: number) => number): void => {
    const end = block.end(block.count - 1) - base;
    let at = 0;
    let next = 0;
    for (let count = maxMatches; count >= maxMatches; ) {
      count = search.find(literal, next, end, maxMatches);
      for (let index = 0; index < count; index += 1) {
        const place = search.matchAt(index) + base;
        next = place - base + 1;
        while (block.end(at) <= place) at += 1;
        escapes[at] = Math.max(escapes[at] ?? 0, obscures(place));
      }
    }
  };
  recordEscapes(escapeOfAscii, (place) => {
    const high = bytes[place + 4] ?? 0;
    if (high >= 0x32 && high <= 0x37) return obscuresByEscape;
    const isEscape = high === 0x31 && ((bytes[place + 5] ?? 0) | 0x20) === 0x62;
    if (!isEscape) return obscuresNothing;
    return isColourCode(bytes, place + 6) ? obscuresByColours : obscuresByEscape;
  });
  recordEscapes(escapeOfSlash, () => obscuresByEscape);
  block.hasEscapes = true;
}

/** Returns whether `[`, parameters and `m` follow an escape; other silent codes are not bleached. */
function isColourCode(bytes: Uint8Array, from: number): boolean {
  if (bytes[from] !== 0x5b) return false;
  let at = from + 1;
  // Digits, `:` and `;` are consecutive in ASCII.
  while ((bytes[at] ?? 0) >= 0x30 && (bytes[at] ?? 0) <= 0x3b) at += 1;
  return bytes[at] === 0x6d;
}
