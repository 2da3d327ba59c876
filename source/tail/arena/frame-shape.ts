import type { ServiceNames } from '../service-names.ts';

/**
 * What the messages of one stream have in common: the bytes before the id, and those from the id to
 * the name of the service. Writers put the fields in the same order each time, so that one message
 * tells where to look in the others, without reading them as JSON.
 */
export interface FrameShape {
  /** From the beginning to the id. */
  readonly head: Uint8Array;
  /** Bytes between the id and the service's name. */
  readonly middle: number;
  /** The last of them. */
  readonly key: Uint8Array;
}

const log = String.raw`"type": ?"log", ?`;
const pattern = new RegExp(
  String.raw`^(\{(${log})?"id": ?)\d{1,15}(, ?(?:${log})?(?:"deployment(?:Id|_id)": ?"[ -!#-[\]-~]*", ?)?"service(?:Name|_name)": ?")[ -!#-[\]-~]+"`,
);

/**
 * The shape of a message that is a log line; undefined when it has none of the usual ones. A stream
 * is one deployment's, so the type and the deployment need not be looked at again behind the id.
 */
export function shapeOf(text: string): FrameShape | undefined {
  const found = pattern.exec(text);
  const [, head, early, middle] = found ?? [];
  if (head === undefined || middle === undefined) return undefined;
  if (early === undefined && !middle.includes('"type"')) return undefined;
  // Where the type stands behind the id, the next message may be of another.
  const key = early === undefined ? middle : middle.slice(middle.lastIndexOf(','));
  return { head: ascii(head), middle: middle.length, key: ascii(key) };
}

function ascii(text: string): Uint8Array {
  return Uint8Array.from(text, (letter) => letter.codePointAt(0) ?? 0);
}

const quote = 0x22;
const backslash = 0x5c;
const zero = 0x30;
const brace = 0x7d;

/** So many digits are always exact. */
const mostDigits = 15;

const longestName = 64;

/** Reads the ids and the services of messages of one shape. */
export class FrameReader {
  readonly #shape: FrameShape;
  readonly #names: ServiceNames;
  readonly #known: { readonly bytes: Uint8Array; readonly code: number }[] = [];
  /** Of the message read last. */
  service = 0;

  constructor(shape: FrameShape, names: ServiceNames) {
    this.#shape = shape;
    this.#names = names;
  }

  /** The id of the message; -1 when it has another shape, so that it must be read as a whole. */
  read(bytes: Uint8Array, start: number, end: number): number {
    const { head, middle, key } = this.#shape;
    let at = start + head.length;
    if (at + middle + mostDigits > end || bytes[end - 1] !== brace) return -1;
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
    if (digits === 0 || digits > mostDigits || (digits > 1 && bytes[first] === zero)) return -1;
    const name = at + middle;
    if (bytes[at] !== 0x2c || name >= end) return -1;
    const keyAt = name - key.length;
    for (let index = 0; index < key.length; index += 1) {
      if (bytes[keyAt + index] !== key[index]) return -1;
    }
    this.service = this.#serviceAt(bytes, name, end);
    return this.service === 0 ? -1 : id;
  }

  #serviceAt(bytes: Uint8Array, at: number, end: number): number {
    for (const known of this.#known) {
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
    for (let index = at; index < Math.min(end, at + longestName); index += 1) {
      const byte = bytes[index] ?? 0;
      if (byte === quote) {
        const code = name === '' ? 0 : this.#names.code(name);
        if (code > 0) this.#known.push({ bytes: ascii(name), code });
        return code;
      }
      if (byte === backslash || byte < 0x20 || byte > 0x7e) return 0;
      name += String.fromCodePoint(byte);
    }
    return 0;
  }
}
