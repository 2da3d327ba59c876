import type { Block, Encoding } from './block.ts';
import { extractText } from './frame-text.ts';
import { obscuringEscapeFrom, type Prefilter } from '../query/prefilter.ts';

/** The smallest part of a block, as a fraction, whose scan pays for inspecting the whole block. */
const inspectionThreshold = 1 / 32;

const utf8 = new TextDecoder('utf-8', { ignoreBOM: true });

/**
 * Passes the texts of a block's lines between `from` and `to` to `visit`; undefined for a line that
 * must be decoded as a whole. Texts may be decoded at once, so each may keep the others alive.
 *
 * @param prefilter lines in whose text it finds nothing may be skipped.
 *
 * @returns the bytes that were scanned.
 */
export function scanBlock(
  block: Block,
  from: number,
  to: number,
  visit: (at: number, text: string | undefined) => void,
  prefilter: Prefilter | undefined,
): number {
  const firstByte = block.start(from);
  const end = block.end(to - 1);
  if (to - from >= block.count * inspectionThreshold)
    block.encoding ??= inspect(block, 0, block.count);
  if (prefilter !== undefined) visitCandidates(block, from, to, visit, prefilter);
  else {
    const messages = latin1(block, firstByte, end);
    for (let at = from; at < to; at += 1) {
      const message = messages.slice(block.start(at) - firstByte, block.end(at) - firstByte);
      visit(at, textOf(block, at, message));
    }
  }
  return end - firstByte;
}

/** Visits the lines that may match: where the prefilter finds something, or an escape obscures it. */
function visitCandidates(
  block: Block,
  from: number,
  to: number,
  visit: (at: number, text: string | undefined) => void,
  prefilter: Prefilter,
): void {
  const { escaped, obscured } = block.encoding ?? inspect(block, from, to);
  const search = new BlockSearch(block, from, to, prefilter);
  let escapes = 0;
  for (let at = from; at < to; at += 1) {
    while ((escaped[escapes] ?? to) < at) escapes += 1;
    const nextEscaped = escaped[escapes] ?? to;
    at = Math.min(nextEscaped, search.lineFrom(at));
    if (at >= to) return;
    const message = search.message(at);
    const isCandidate =
      at === nextEscaped
        ? obscured.has(at) || hasMatch(prefilter.coloured, message)
        : hasMatch(prefilter.message, message);
    if (isCandidate) visit(at, textOf(block, at, message));
  }
}

/** Lines that are searched for literals and decoded one by one; above that, all at once costs less. */
const fewLines = 64;

/**
 * Searches lines of a block for a prefilter: for its literals in the bytes, or for its expression in the
 * text. Where few lines have a literal, a scan takes 0.4 to 0.6 of the time of the expression alone.
 */
class BlockSearch {
  readonly #block: Block;
  readonly #start: number;
  readonly #to: number;
  readonly #expression: RegExp;
  readonly #bytes: Buffer;
  #literals: Prefilter['literals'];
  /** The next line with each literal, or with a match of the expression. */
  #hits: number[];
  #hitCount = 0;
  #decodedCount = 0;
  #text: string | undefined;

  constructor(block: Block, from: number, to: number, { literals, message }: Prefilter) {
    this.#block = block;
    this.#start = block.start(from);
    this.#to = to;
    this.#expression = message;
    this.#bytes = bytesOf(block, block.end(to - 1));
    this.#literals = literals;
    this.#hits = literals?.map(() => -1) ?? [-1];
  }

  /** Returns the first line from `at` on in which something is found; the end without one. */
  lineFrom(at: number): number {
    if (this.#literals !== undefined && this.#hitCount > fewLines) {
      this.#literals = undefined;
      this.#hits = [-1];
    }
    let next = this.#to;
    for (let index = 0; index < this.#hits.length; index += 1) {
      let hit = this.#hits[index] ?? next;
      if (hit < at) hit = this.#hits[index] = this.#find(at, this.#literals?.[index]);
      if (hit < next) next = hit;
    }
    return next;
  }

  /** Returns the bytes of a line, one character each. */
  message(at: number): string {
    const [start, end] = [this.#block.start(at), this.#block.end(at)];
    this.#decodedCount += 1;
    return this.#text === undefined && this.#decodedCount <= fewLines
      ? this.#bytes.toString('latin1', start, end)
      : this.#allText().slice(start - this.#start, end - this.#start);
  }

  #find(at: number, literal: Uint8Array | undefined): number {
    const start = this.#block.start(at);
    let hit = -1;
    if (literal === undefined) {
      this.#expression.lastIndex = start - this.#start;
      const match = this.#expression.exec(this.#allText());
      if (match !== null) hit = this.#start + match.index;
    } else {
      hit = this.#bytes.indexOf(literal, start);
      this.#hitCount += 1;
    }
    return hit < 0 ? this.#to : lineIndexAt(this.#block, at, this.#to, hit);
  }

  #allText(): string {
    this.#text ??= this.#bytes.toString('latin1', this.#start);
    return this.#text;
  }
}

function hasMatch(expression: RegExp, message: string): boolean {
  expression.lastIndex = 0;
  return expression.test(message);
}

/** @param message the bytes of the line, one character each. */
function textOf(block: Block, at: number, message: string): string | undefined {
  if (block.encoding?.isAscii === true) return extractText(message);
  return extractText(utf8.decode(block.bytes.subarray(block.start(at), block.end(at))));
}

function inspect(block: Block, from: number, to: number): Encoding {
  const firstByte = block.start(from);
  const messages = latin1(block, firstByte, block.end(to - 1));
  // Each non-ASCII byte takes two bytes in UTF-8. Bytes between messages do not count.
  let nonAsciiBytes = Buffer.byteLength(messages) - messages.length;
  for (let at = from + 1; at < to && nonAsciiBytes > 0; at += 1) {
    for (let index = block.end(at - 1); index < block.start(at); index += 1) {
      if ((block.bytes[index] ?? 0) > 0x7f) nonAsciiBytes -= 1;
    }
  }
  const escaped: number[] = [];
  const obscured = new Set<number>();
  let at = from;
  for (
    let escape = obscuringEscapeFrom(messages, 0);
    escape !== undefined && at < to;
    escape = obscuringEscapeFrom(messages, escape.offset + 1)
  ) {
    at = lineIndexAt(block, at, to, firstByte + escape.offset);
    if (escaped.at(-1) !== at) escaped.push(at);
    if (!escape.isColourCode) obscured.add(at);
  }
  return { isAscii: nonAsciiBytes === 0, escaped: Uint16Array.from(escaped), obscured };
}

function bytesOf({ bytes }: Block, end: number): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, end);
}

/** Decodes one character per byte, which preserves offsets. */
function latin1(block: Block, start: number, end: number): string {
  return bytesOf(block, end).toString('latin1', start);
}

/** Returns the index of the line that contains an offset. */
function lineIndexAt(block: Block, from: number, to: number, offset: number): number {
  let low = from;
  let high = offset < block.end(from) ? from : to - 1;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (block.end(middle) <= offset) low = middle + 1;
    else high = middle;
  }
  return low;
}
