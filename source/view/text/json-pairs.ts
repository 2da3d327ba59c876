/** A part of a text: what stands between two offsets, for a string without its quotes. */
export interface JsonToken {
  readonly text: string;
  readonly from: number;
  readonly to: number;
  readonly isString: boolean;
}

export interface JsonPair {
  readonly key: JsonToken;
  /** The value as it stands in the text; a list or an object is one token. */
  readonly value: JsonToken;
}

/** Characters of a text that is read; a longer one stays as it is. */
const maxLength = 8192;

const space = /[ \t\r\n]*/y;
const string = /"[^"\\]*(?:\\.[^"\\]*)*"/y;
const literal = /[^\s,}[\]{":]+/y;

/**
 * Splits a JSON object into its pairs, in their order and with repeated keys. Nothing is parsed: deep
 * values are skipped, so the time is linear in the length.
 * @returns undefined when the text is no object or longer than 8,192 characters.
 */
export function jsonPairs(text: string): readonly JsonPair[] | undefined {
  if (text.length > maxLength || text.charCodeAt(0) !== 0x7b) return undefined;
  const pairs: JsonPair[] = [];
  let at = skip(text, 1);
  while (at < text.length) {
    const key = stringAt(text, at);
    if (key === undefined) return undefined;
    at = skip(text, key.to + 1);
    if (text[at] !== ':') return undefined;
    const value = valueAt(text, skip(text, at + 1));
    if (value === undefined) return undefined;
    pairs.push({ key, value });
    at = skip(text, value.isString ? value.to + 1 : value.to);
    if (text[at] === '}') return skip(text, at + 1) === text.length ? pairs : undefined;
    if (text[at] !== ',') return undefined;
    at = skip(text, at + 1);
  }
  return undefined;
}

/** Returns the end of a match at an offset; -1 without one. */
function endOf(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : -1;
}

const skip = (text: string, at: number): number => endOf(space, text, at);

function stringAt(text: string, at: number): JsonToken | undefined {
  const end = endOf(string, text, at);
  return end < 0 ? undefined : token(text, at + 1, end - 1, true);
}

function valueAt(text: string, at: number): JsonToken | undefined {
  const first = text[at];
  if (first === '"') return stringAt(text, at);
  const isNested = first === '{' || first === '[';
  const end = isNested ? nestedEnd(text, at) : endOf(literal, text, at);
  return end < 0 ? undefined : token(text, at, end, false);
}

/** Returns the end of a list or an object; -1 when it is not closed. */
function nestedEnd(text: string, from: number): number {
  let depth = 0;
  for (let at = from; at < text.length; at += 1) {
    const character = text[at];
    if (character === '"') {
      const end = endOf(string, text, at);
      if (end < 0) return -1;
      at = end - 1;
    } else if (character === '{' || character === '[') depth += 1;
    else if (character === '}' || character === ']') depth -= 1;
    if (depth === 0) return at + 1;
  }
  return -1;
}

function token(text: string, from: number, to: number, isString: boolean): JsonToken {
  return { text: text.slice(from, to), from, to, isString };
}
