import type { LogFrames } from '../../contract/logs.ts';

const [openBracket, closeBracket, openBrace, closeBrace, comma, quote, backslash] =
  Buffer.from('[]{},"\\');

/** Returns whether a byte is whitespace in JSON. */
function isSpace(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}

/**
 * Returns the messages with each array among them as its items, in the same memory: some services
 * send several log messages in one frame. The frames themselves when there is none.
 */
export function splitArrays(frames: LogFrames): LogFrames {
  const { bytes, count, starts, ends } = frames;
  let ranges: number[] | undefined;
  for (let index = 0; index < count; index += 1) {
    const start = starts[index] ?? 0;
    const end = ends[index] ?? 0;
    const items = bytes[start] === openBracket ? itemsOf(bytes, start, end) : undefined;
    if (items !== undefined) ranges ??= rangesBefore(frames, index);
    if (ranges !== undefined) for (const range of items ?? [start, end]) ranges.push(range);
  }
  if (ranges === undefined) return frames;
  return {
    bytes,
    count: ranges.length / 2,
    starts: Uint32Array.from(ranges.filter((_, at) => at % 2 === 0)),
    ends: Uint32Array.from(ranges.filter((_, at) => at % 2 === 1)),
  };
}

function rangesBefore({ starts, ends }: LogFrames, count: number): number[] {
  return Array.from({ length: count * 2 }, (_, at) => (at % 2 === 0 ? starts : ends)[at >> 1] ?? 0);
}

/**
 * Returns the starts and ends of an array's items in turn; undefined when it is not one array. The
 * items are not checked: whoever decodes them does.
 */
function itemsOf(bytes: Uint8Array, start: number, end: number): readonly number[] | undefined {
  const items: number[] = [];
  let depth = 0;
  let isText = false;
  let from = start + 1;
  for (let at = start; at < end; at += 1) {
    const byte = bytes[at];
    if (isText) {
      if (byte === backslash) at += 1;
      else if (byte === quote) isText = false;
      continue;
    }
    if (byte === quote) isText = true;
    else if (byte === openBracket || byte === openBrace) depth += 1;
    else if (byte === closeBracket || byte === closeBrace) depth -= 1;
    const isLast = depth === 0;
    if (!isLast && !(depth === 1 && byte === comma)) continue;
    let to = at;
    while (from < to && isSpace(bytes[from])) from += 1;
    while (to > from && isSpace(bytes[to - 1])) to -= 1;
    if (to > from) items.push(from, to);
    else if (!isLast || items.length > 0) return undefined;
    if (isLast) return isBlank(bytes, at + 1, end) ? items : undefined;
    from = at + 1;
  }
  return undefined;
}

function isBlank(bytes: Uint8Array, start: number, end: number): boolean {
  return bytes.subarray(start, end).every(isSpace);
}
