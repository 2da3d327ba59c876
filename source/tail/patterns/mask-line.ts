/** Replaces the parts of a line that differ from line to line: numbers, ids, addresses and times. */
import { stripSilentCodes } from '../silent-codes.ts';

/** Stands for a number, an id, an address or a time. */
export const mask = '<#>';

/** Stands for any token of a line, or after a key like `user=` for any rest of it. */
export const anything = '<*>';

/** Characters and tokens of a line that are read; the rest does not tell lines apart. */
const maxCharacters = 2048;
const maxTokens = 100;

/** Classes of ASCII characters; any other character is a letter. */
const space = 1;
const digit = 2;
const letter = 4;
const hexLetter = 8;
/** May stand between two numbers of one value: `10.0.0.1:80`, `2026-01-02`, `3,4`, `1/2`. */
const joiner = 16;

const classes = Uint8Array.from({ length: 128 }, (_, code) => {
  const character = String.fromCodePoint(code);
  if (code <= 0x20) return space;
  if (/\d/.test(character)) return digit;
  if (/[a-f]/i.test(character)) return letter | hexLetter;
  if (/[a-z]/i.test(character)) return letter;
  return /[.,:/+_-]/.test(character) ? joiner : 0;
});

const quote = 0x22;
const parenthesis = 0x28;
const plus = 0x2b;
const comma = 0x2c;
const minus = 0x2d;
const colon = 0x3a;
const bracket = 0x5b;
const brace = 0x7b;

/** An IPv6 or MAC address, or a time. */
const colonSeparated = /(?=[\da-f:]*\d)(?:[\da-f]{0,4}:){2,7}[\da-f]{0,4}(?![\w:])/iy;
/** Characters of the shortest word with digits that is taken for an id; `utf8` is a name. */
const shortestId = 6;
/** Letters of the words in the middle of a UUID. */
const uuidWord = 4;
const dayOrMonth =
  /^(?:Sun|Mon|Tue|Wed|Thu|Fri|Sat|Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)$/;
/** The key before a number that is the level of a JSON record. */
const levelKey = /"(?:level|severity|lvl)": ?$/;

/**
 * Returns the tokens of a line with one blank between them, and `<#>` for each number, id, address
 * or time. Numbers beside each other are one, so lists of any length are equal. The keys and values
 * of a JSON record are tokens. The time is linear in the length of the line, of which at most
 * 2,048 characters and 100 tokens are read.
 */
export function maskLine(line: string): string {
  const text = stripSilentCodes(line.length > maxCharacters ? line.slice(0, maxCharacters) : line);
  return new LineMasker(text).masked().replaceAll(anything, mask);
}

/** Reads one line from its start to its end. */
class LineMasker {
  readonly #text: string;
  readonly #isRecord: boolean;
  #masked = '';
  /** Offset of the first character that is not yet part of the result. */
  #kept = 0;
  #tokens = 1;
  /** Whether a blank precedes what comes next. */
  #hasBlank = false;
  /** Offset after the last mask. */
  #maskEnd = -1;
  /** Whether the last mask is all of its token, except for a bracket before it. */
  #isWhole = false;

  constructor(text: string) {
    this.#text = text;
    this.#isRecord = text.charCodeAt(0) === brace;
  }

  masked(): string {
    const text = this.#text;
    let at = skipSpace(text, 0);
    this.#kept = at;
    while (at < text.length && this.#tokens <= maxTokens) {
      const kind = classAt(text, at);
      if (kind === space) at = this.#separate(at);
      else if ((kind & (digit | letter)) !== 0) at = this.#word(at);
      else at = this.#isRecord ? this.#sign(at) : at + 1;
    }
    if (this.#tokens <= maxTokens) this.#flush(at);
    return this.#masked;
  }

  /** Adds what was passed up to an offset. */
  #flush(end: number): void {
    if (end === this.#kept) return;
    if (this.#hasBlank) this.#masked += ' ';
    this.#hasBlank = false;
    this.#masked += this.#text.slice(this.#kept, end);
    this.#kept = end;
  }

  /** Ends a token. Returns the offset of the next one. */
  #separate(at: number): number {
    this.#flush(at);
    const next = skipSpace(this.#text, at);
    this.#kept = next;
    if (!this.#hasBlank) this.#tokens += 1;
    this.#hasBlank = true;
    // A token that is a mask takes the masks up that follow it.
    if (this.#isWhole && this.#maskEnd === at) this.#maskEnd = next;
    return next;
  }

  /** Passes a character of a JSON record; its keys and values are tokens. */
  #sign(at: number): number {
    const text = this.#text;
    const code = text.charCodeAt(at);
    const isAfterKey = code === colon && text.charCodeAt(at - 1) === quote;
    const isBeforeKey = code === comma && text.charCodeAt(at + 1) === quote;
    return isAfterKey || isBeforeKey ? this.#separate(at + 1) : at + 1;
  }

  /** Passes a run of letters and digits. */
  #word(start: number): number {
    const text = this.#text;
    let end = start;
    let kinds = 0;
    let every = hexLetter | digit;
    for (; end < text.length; end += 1) {
      const kind = classAt(text, end);
      if ((kind & (digit | letter)) === 0) break;
      kinds |= kind;
      every &= kind === digit ? every : kind;
    }
    const isHex = every !== 0;
    if (isHex && end - start <= 4 && text.charCodeAt(end) === colon) {
      colonSeparated.lastIndex = start;
      const address = colonSeparated.exec(text);
      if (address !== null) return this.#mask(start, start + address[0].length);
    }
    if ((kinds & digit) === 0) {
      const isPart =
        this.#isPartOfId(start, end, isHex) ||
        (end - start === 3 && isDatePart(text, start, this.#maskEnd));
      return isPart ? this.#mask(start, end) : end;
    }
    if (classAt(text, start) === digit) {
      return this.#isLevel(start) ? end : this.#mask(start, end);
    }
    return isId(text, start, end, isHex) ? this.#mask(start, end) : this.#maskDigits(start, end);
  }

  /** Returns whether a word of letters belongs to a UUID that is masked up to it. */
  #isPartOfId(start: number, end: number, isHex: boolean): boolean {
    if (!isHex || end - start !== uuidWord || this.#maskEnd !== start - 1) return false;
    return this.#text.charCodeAt(start - 1) === minus && this.#text.charCodeAt(end) === minus;
  }

  #isLevel(start: number): boolean {
    return this.#isRecord && levelKey.test(this.#text.slice(Math.max(0, start - 13), start));
  }

  #maskDigits(start: number, end: number): number {
    for (let at = start; at < end; at += 1) {
      if (classAt(this.#text, at) !== digit) continue;
      let last = at + 1;
      while (last < end && classAt(this.#text, last) === digit) last += 1;
      this.#mask(at, last);
      at = last;
    }
    return end;
  }

  /** Masks the characters between two offsets, with a sign before them. Returns the end. */
  #mask(start: number, end: number): number {
    const from = isSigned(this.#text, start, this.#kept) ? start - 1 : start;
    if (this.#maskEnd < 0 || !joins(this.#text, this.#maskEnd, from)) {
      this.#flush(from);
      this.#isWhole = from === 0 || isStart(this.#text, from - 1);
      if (this.#hasBlank) this.#masked += ' ';
      this.#masked += mask;
    } else if (this.#hasBlank) this.#tokens -= 1;
    this.#hasBlank = false;
    this.#kept = end;
    this.#maskEnd = end;
    return end;
  }
}

/** Returns whether a word that starts with a letter and has digits is an id rather than a name. */
function isId(text: string, start: number, end: number, isHex: boolean): boolean {
  if (isHex && end - start > 3 && classAt(text, end - 1) !== digit) return true;
  if (end - start < shortestId) return false;
  return isHex || /\d[a-z]+\d/i.test(text.slice(start, end));
}

function classAt(text: string, at: number): number {
  const code = text.charCodeAt(at);
  return code < 128 ? (classes[code] ?? 0) : letter;
}

/** Returns whether a character is before the text of a token. */
function isStart(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code === bracket || code === parenthesis || classAt(text, at) === space;
}

function skipSpace(text: string, from: number): number {
  let at = from;
  while (at < text.length && classAt(text, at) === space) at += 1;
  return at;
}

/** Returns whether at most three characters, all joiners, are between two offsets. */
function joins(text: string, from: number, to: number): boolean {
  if (to - from > 3) return false;
  for (let at = from; at < to; at += 1) if (classAt(text, at) !== joiner) return false;
  return true;
}

/** Returns whether a sign is before a number that is not part of a name. */
function isSigned(text: string, start: number, from: number): boolean {
  const sign = text.charCodeAt(start - 1);
  if ((sign !== minus && sign !== plus) || start - 1 < from) return false;
  return start === 1 || (classAt(text, start - 2) & (digit | letter)) === 0;
}

/** Returns whether a word of three letters is the name of a day or month in a date. */
function isDatePart(text: string, start: number, maskEnd: number): boolean {
  const end = start + 3;
  if (!dayOrMonth.test(text.slice(start, end))) return false;
  if (maskEnd >= 0 && maskEnd < start && joins(text, maskEnd, start)) return true;
  const next = skipSpace(text, text.charCodeAt(end) === comma ? end + 1 : end);
  return next > end && (classAt(text, next) === digit || isDatePart(text, next, -1));
}
