import { isUtf8 } from 'node:buffer';

/**
 * Returns true for a message of the stream whose bytes equal the output of `formatJsonLine` for its line: the
 * contract's fields in the contract's order (part 2), perhaps an instance number, and no other
 * formatting. Such a message is copied to the output without being parsed.
 */
export function isContractMessage(bytes: Uint8Array, start: number, end: number): boolean {
  let at = skip(bytes, start, beforeId);
  if (at < 0) return false;
  const digits = at;
  while (isDigit(bytes[at])) at += 1;
  const isNumber = at > digits && at - digits <= mostDigits;
  if (!isNumber || (bytes[digits] === zero && at > digits + 1)) return false;
  let isAscii = true;
  for (const key of keys) {
    const text = skip(bytes, at, key);
    if (text < 0) return false;
    at = text;
    for (;;) {
      const byte = bytes[at] ?? 0;
      if (byte === quote || at >= end) break;
      if (byte < space) return false;
      if (byte === backslash) {
        if (escaped[bytes[at + 1] ?? 0] !== 1) return false;
        at += 1;
      } else if (byte > del) isAscii = false;
      at += 1;
    }
    // `formatJsonLine` leaves out empty fields, except for the text.
    if (at === text && key !== beforeText) return false;
  }
  if (bytes[at] !== quote || !isLast(bytes, at + 1, end)) return false;
  return isAscii || isUtf8(bytes.subarray(start, end));
}

/** Returns whether the message ends at `from`, or after an instance number. */
function isLast(bytes: Uint8Array, from: number, end: number): boolean {
  const digits = skip(bytes, from, beforeInstance);
  let at = Math.max(from, digits);
  if (digits > 0) {
    while (isDigit(bytes[at])) at += 1;
    const isNumber = at > digits && at - digits <= exactDigits && bytes[digits] !== zero;
    if (!isNumber) return false;
  }
  return at + 1 === end && bytes[at] === brace;
}

/** Returns the offset behind a literal; -1 where the bytes differ from it. */
function skip(bytes: Uint8Array, at: number, literal: Uint8Array): number {
  const { length } = literal;
  for (let index = 0; index < length; index += 1) {
    if (bytes[at + index] !== literal[index]) return -1;
  }
  return at + length;
}

function isDigit(byte = 0): boolean {
  return byte >= zero && byte <= zero + 9;
}

const beforeId = Buffer.from('{"type":"log","id":');
const beforeText = Buffer.from('","logLine":"');
const keys = [
  Buffer.from(',"deploymentId":"'),
  Buffer.from('","serviceName":"'),
  Buffer.from('","timestamp":"'),
  beforeText,
  Buffer.from('","stream":"'),
];

const beforeInstance = Buffer.from(',"instance":');

const mostDigits = 39;
/** Digits that a number always holds exactly. */
const exactDigits = 15;
const zero = 0x30;
const space = 0x20;
const quote = 0x22;
const backslash = 0x5c;
const brace = 0x7d;
const del = 0x7f;

/** Characters that JSON.stringify escapes with a backslash and one letter. */
const escaped = new Uint8Array(256);
for (const letter of Buffer.from(String.raw`"\bfnrt`)) escaped[letter] = 1;
