import type { ServiceNames } from '../service-names.ts';

/**
 * The common shape of one stream's messages: the bytes before the id, and those between the id and
 * the service's name. Writers use a fixed field order, so one message tells where to look in the
 * others without parsing their JSON.
 */
export interface FrameShape {
  /** The bytes from the start to the id. */
  readonly head: Uint8Array;
  /** The length of the bytes between the id and the service's name. */
  readonly serviceOffset: number;
  /** The last bytes before the service's name. */
  readonly key: Uint8Array;
}

const log = String.raw`"type": ?"log", ?`;
const pattern = new RegExp(
  String.raw`^(\{(${log})?"id": ?)\d{1,15}(, ?(?:${log})?(?:"deployment(?:Id|_id)": ?"[ -!#-[\]-~]*", ?)?"service(?:Name|_name)": ?")[ -!#-[\]-~]+"`,
);

/**
 * Returns the shape of a log line's message; undefined for an unusual one. A stream belongs to one
 * deployment, so the type and deployment after the id need no further check.
 */
export function detectShape(text: string): FrameShape | undefined {
  const match = pattern.exec(text);
  const [, head, early, middle] = match ?? [];
  if (head === undefined || middle === undefined) return undefined;
  if (early === undefined && !middle.includes('"type"')) return undefined;
  // When the type follows the id, the next message may have another type.
  const key = early === undefined ? middle : middle.slice(middle.lastIndexOf(','));
  return { head: ascii(head), serviceOffset: middle.length, key: ascii(key) };
}

function ascii(text: string): Uint8Array {
  return Uint8Array.from(text, (letter) => letter.codePointAt(0) ?? 0);
}

const quote = 0x22;
const backslash = 0x5c;
const zero = 0x30;
const brace = 0x7d;

/** The longest id whose digits are always exact. */
const maxDigits = 15;

const maxNameLength = 64;

/** Reads the ids and services of messages of one shape. */
export class FrameReader {
  readonly #shape: FrameShape;
  readonly #names: ServiceNames;
  readonly #knownNames: { readonly bytes: Uint8Array; readonly code: number }[] = [];
  /** The service number of the last message. */
  service = 0;

  constructor(shape: FrameShape, names: ServiceNames) {
    this.#shape = shape;
    this.#names = names;
  }

  /** Returns the id of a message; -1 when it has another shape and must be decoded as a whole. */
  read(bytes: Uint8Array, start: number, end: number): number {
    const { head, serviceOffset, key } = this.#shape;
    let at = start + head.length;
    if (at + serviceOffset + maxDigits > end || bytes[end - 1] !== brace) return -1;
    for (let index = head.length - 1; index >= 0; index -= 1) {
      if (bytes[start + index] !== head[index]) return -1;
    }
    const first = at;
    let id = 0;
    let digit = (bytes[at] ?? 0) - zero;
    while (digit >= 0 && digit <= 9) {
      id = id * 10 + digit;
      at += 1;
      digit = (bytes[at] ?? 0) - zero;
    }
    const digits = at - first;
    if (digits === 0 || digits > maxDigits || (digits > 1 && bytes[first] === zero)) return -1;
    const nameStart = at + serviceOffset;
    if (bytes[at] !== 0x2c || nameStart >= end) return -1;
    const keyStart = nameStart - key.length;
    for (let index = 0; index < key.length; index += 1) {
      if (bytes[keyStart + index] !== key[index]) return -1;
    }
    this.service = this.#serviceAt(bytes, nameStart, end);
    return this.service === 0 ? -1 : id;
  }

  #serviceAt(bytes: Uint8Array, at: number, end: number): number {
    for (const known of this.#knownNames) {
      const { length } = known.bytes;
      if (bytes[at + length] !== quote || bytes[at] !== known.bytes[0]) continue;
      let index = 1;
      while (index < length && bytes[at + index] === known.bytes[index]) index += 1;
      if (index === length) return known.code;
    }
    return this.#learn(bytes, at, end);
  }

  #learn(bytes: Uint8Array, at: number, end: number): number {
    let name = '';
    for (let index = at; index < Math.min(end, at + maxNameLength); index += 1) {
      const byte = bytes[index] ?? 0;
      if (byte === quote) {
        const code = name === '' ? 0 : this.#names.code(name);
        if (code > 0) this.#knownNames.push({ bytes: ascii(name), code });
        return code;
      }
      if (byte === backslash || byte < 0x20 || byte > 0x7e) return 0;
      name += String.fromCodePoint(byte);
    }
    return 0;
  }
}
