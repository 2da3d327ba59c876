import type { Block } from './block.ts';
import { textIn } from './frame-text.ts';
import { hasNeedlessEscape, type Sieve } from './sieve.ts';

const utf8 = new TextDecoder('utf-8', { ignoreBOM: true });
/** One character a byte, and ASCII as it is. */
const bytewise = new TextDecoder('latin1');

/** What is learned of a block from so large a part of it is worth it. */
const learnedFrom = 1 / 32;

/**
 * Shows the texts of the lines of a block from index `from` up to `to`, undefined for those that must
 * be read as a whole. All are decoded at once: a text may keep them all alive.
 *
 * @param sieve lines in whose text it finds nothing may be left out.
 * @returns bytes that were gone through.
 */
export function scanBlock(
  block: Block,
  from: number,
  to: number,
  see: (at: number, text: string | undefined) => void,
  sieve: Sieve | undefined,
): number {
  const begin = block.start(from);
  const bytes = block.bytes.subarray(begin, block.end(to - 1));
  if (block.writing === undefined && to - from >= block.count * learnedFrom) learn(block);
  const text = block.writing?.isAscii === false ? undefined : asciiOf(bytes);
  const textAt = (at: number): string | undefined => {
    const start = block.start(at) - begin;
    const end = block.end(at) - begin;
    return textIn(text?.slice(start, end) ?? utf8.decode(bytes.subarray(start, end)));
  };
  if (sieve === undefined) {
    for (let at = from; at < to; at += 1) see(at, textAt(at));
    return bytes.length;
  }
  const whole = text ?? bytewise.decode(bytes);
  const look = block.writing?.isPlain === true ? sieve.message : sieve.escapes;
  look.lastIndex = 0;
  let at = from;
  for (let hit = look.exec(whole); hit !== null && at < to; hit = look.exec(whole)) {
    at = lineAt(block, at, to, begin + hit.index);
    see(at, textAt(at));
    look.lastIndex = block.end(at) - begin;
    at += 1;
  }
  return bytes.length;
}

function learn(block: Block): void {
  const bytes = block.bytes.subarray(block.start(0), block.end(block.count - 1));
  const ascii = asciiOf(bytes);
  const isPlain = !hasNeedlessEscape(ascii ?? bytewise.decode(bytes));
  block.writing = { isAscii: ascii !== undefined, isPlain };
}

/** The text of bytes that are ASCII: offsets are the same in both. */
function asciiOf(bytes: Uint8Array): string | undefined {
  const text = utf8.decode(bytes);
  return text.length === bytes.length ? text : undefined;
}

/** The line in which an offset is. */
function lineAt(block: Block, from: number, to: number, offset: number): number {
  let low = from;
  let high = to - 1;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (block.end(middle) <= offset) low = middle + 1;
    else high = middle;
  }
  return low;
}
