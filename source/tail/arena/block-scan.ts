import type { Block } from './block.ts';
import { extractText } from './frame-text.ts';
import { hasObscuringEscape, type Prefilter } from '../query/prefilter.ts';

/** The smallest part of a block, as a fraction, whose scan pays for inspecting the whole block. */
const inspectionThreshold = 1 / 32;

const utf8 = new TextDecoder('utf-8', { ignoreBOM: true });

/**
 * Passes the texts of a block's lines between `from` and `to` to `visit`; undefined for a line that
 * must be decoded as a whole. All texts are decoded at once, so each may keep the others alive.
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
  if (block.encoding === undefined && to - from >= block.count * inspectionThreshold)
    detectEncoding(block);
  const messages = latin1(block, firstByte, end);
  const isAscii = block.encoding?.isAscii === true;
  const textAt = (at: number): string | undefined => {
    if (!isAscii) return textOf(block, at);
    return extractText(messages.slice(block.start(at) - firstByte, block.end(at) - firstByte));
  };
  if (prefilter === undefined) {
    for (let at = from; at < to; at += 1) visit(at, textAt(at));
    return end - firstByte;
  }
  const isPlain = block.encoding?.isPlain === true;
  const expression = isPlain ? prefilter.message : prefilter.escapes;
  expression.lastIndex = 0;
  let at = from;
  for (
    let hit = expression.exec(messages);
    hit !== null && at < to;
    hit = expression.exec(messages)
  ) {
    at = lineIndexAt(block, at, to, firstByte + hit.index);
    const end = block.end(at) - firstByte;
    const start = block.start(at) - firstByte;
    if (isPlain || mayMatch(prefilter, messages.slice(start, end))) visit(at, textAt(at));
    expression.lastIndex = end;
    at += 1;
  }
  return end - firstByte;
}

const colourCode = /\\u001[bB]\[[0-9:;]*m/g;

/**
 * Returns false where only colour codes obscure a message and nothing is found without them, so that
 * the line need not be decoded: a scan of coloured lines takes 0.45 of the time.
 */
function mayMatch({ message, escapes }: Prefilter, written: string): boolean {
  message.lastIndex = 0;
  escapes.lastIndex = 0;
  // Text that is no JSON is shown with its codes.
  return message.test(written) || escapes.test(written.replaceAll(colourCode, ''));
}

function textOf(block: Block, at: number): string | undefined {
  return extractText(utf8.decode(block.bytes.subarray(block.start(at), block.end(at))));
}

function detectEncoding(block: Block): void {
  const firstByte = block.start(0);
  const messages = latin1(block, firstByte, block.end(block.count - 1));
  // Each non-ASCII byte takes two bytes in UTF-8. Bytes between messages do not count.
  let nonAsciiBytes = Buffer.byteLength(messages) - messages.length;
  for (let at = 1; at < block.count && nonAsciiBytes > 0; at += 1) {
    for (let index = block.end(at - 1); index < block.start(at); index += 1) {
      if ((block.bytes[index] ?? 0) > 0x7f) nonAsciiBytes -= 1;
    }
  }
  block.encoding = { isAscii: nonAsciiBytes === 0, isPlain: !hasObscuringEscape(messages) };
}

/** Decodes one character per byte, which preserves offsets. */
function latin1({ bytes }: Block, start: number, end: number): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start).toString('latin1');
}

/** Returns the index of the line that contains an offset. */
function lineIndexAt(block: Block, from: number, to: number, offset: number): number {
  let low = from;
  let high = to - 1;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (block.end(middle) <= offset) low = middle + 1;
    else high = middle;
  }
  return low;
}
