import type { Block } from './block.ts';
import { learnedFrom, sieveBlock } from '../query/block-prefilter.ts';
import { textIn } from './frame-text.ts';
import { hasHidingEscape, type Sieve } from '../query/prefilter.ts';

const utf8 = new TextDecoder('utf-8', { ignoreBOM: true });

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
  const end = block.end(to - 1);
  const passed = sieve && sieveBlock(block, from, to, sieve);
  if (passed !== undefined) {
    for (let at = from; at < to; at += 1) if (passed[at - from] === 1) see(at, textOf(block, at));
    return end - begin;
  }
  if (block.writing === undefined && to - from >= block.count * learnedFrom) learn(block);
  const whole = bytewise(block, begin, end);
  const isAscii = block.writing?.isAscii === true;
  const textAt = (at: number): string | undefined => {
    if (!isAscii) return textOf(block, at);
    return textIn(whole.slice(block.start(at) - begin, block.end(at) - begin));
  };
  if (sieve === undefined) {
    for (let at = from; at < to; at += 1) see(at, textAt(at));
    return end - begin;
  }
  const look = block.writing?.isPlain === true ? sieve.message : sieve.escapes;
  look.lastIndex = 0;
  let at = from;
  for (let hit = look.exec(whole); hit !== null && at < to; hit = look.exec(whole)) {
    at = lineAt(block, at, to, begin + hit.index);
    see(at, textAt(at));
    look.lastIndex = block.end(at) - begin;
    at += 1;
  }
  return end - begin;
}

function textOf(block: Block, at: number): string | undefined {
  return textIn(utf8.decode(block.bytes.subarray(block.start(at), block.end(at))));
}

function learn(block: Block): void {
  const begin = block.start(0);
  const whole = bytewise(block, begin, block.end(block.count - 1));
  // Each character that is not ASCII takes two bytes. Between messages there may be any.
  let others = Buffer.byteLength(whole) - whole.length;
  for (let at = 1; at < block.count && others > 0; at += 1) {
    for (let index = block.end(at - 1); index < block.start(at); index += 1) {
      if ((block.bytes[index] ?? 0) > 0x7f) others -= 1;
    }
  }
  block.writing = { isAscii: others === 0, isPlain: !hasHidingEscape(whole) };
}

/** One character a byte: offsets are the same. */
function bytewise({ bytes }: Block, start: number, end: number): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start).toString('latin1');
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
