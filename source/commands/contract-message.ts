import { isUtf8 } from 'node:buffer';

/**
 * True for a message of the stream that is, byte for byte, what `jsonLine` makes of the line it
 * carries: the contract's fields in its order (contract, part 2), perhaps the number of an instance,
 * and nothing written in a way of its own. Many others carry the same, but must be read and written anew.
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
    // What is empty is as good as not there, except for the text.
    if (at === text && key !== beforeText) return false;
  }
  if (bytes[at] !== quote || !isLast(bytes, at + 1, end)) return false;
  return isAscii || isUtf8(bytes.subarray(start, end));
}

/** Whether nothing follows but the end, or the number of an instance and then the end. */
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

/** Where it goes on behind a literal; -1 when that is not there. */
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
/** So many are always exact in a number. */
const exactDigits = 15;
const zero = 0x30;
const space = 0x20;
const quote = 0x22;
const backslash = 0x5c;
const brace = 0x7d;
const del = 0x7f;

/** What may stand behind a backslash: JSON.stringify escapes nothing else with one letter. */
const escaped = new Uint8Array(256);
for (const letter of Buffer.from(String.raw`"\bfnrt`)) escaped[letter] = 1;
