/**
 * A prefilter of a regular expression: cheap global expressions that find something in every
 * matching line. They take linear time, while the expression itself may be slow.
 */
export interface Prefilter {
  /** Finds something in the text of every matching line, without its silent codes. */
  readonly text: RegExp;
  /**
   * Finds something in the message (JSON) of every matching line, decoded as UTF-8 or byte by byte,
   * unless an escape obscures the match.
   */
  readonly message: RegExp;
  /** Like `message`, where escapes of colour codes may stand between all letters. */
  readonly coloured: RegExp;
  /**
   * One of these ASCII bytes is in the message of every matching line, unless an escape obscures it.
   * Undefined where the case of letters does not count, or where no letter is required. A search for
   * them needs a third of the time of `message`.
   */
  readonly literals: readonly Uint8Array[] | undefined;
  /** The number of required letters; rare ones count more. */
  readonly weight: number;
  /** True when `text` is equivalent to the whole expression. */
  readonly isComplete: boolean;
}

/** Escapes of colour codes. */
const colourCodes = String.raw`(?:\\u001[bB]\[[0-9:;]*m)*`;

/** A part of an expression that matches literal characters. */
interface Part {
  readonly text: string;
  readonly message: string;
  readonly coloured: string;
  /** The number of required letters; rare ones count more. */
  readonly weight: number;
  /** The letter, when the part matches only one. */
  readonly letter?: string | undefined;
  /** The alternatives of a group. */
  readonly choices?: readonly (readonly Part[])[];
}

/** Matches one complete escape of a regular expression. */
export const expressionEscape =
  /\\(?:\d+|x[\da-fA-F]{2}|u[\da-fA-F]{4}|[pPu]\{[^}]*\}|c[a-zA-Z]|k<[^>()[\]|]*>|.)/gsu;

/** Matches a character class, an escape, a quantifier, or one character. */
const token = new RegExp(
  String.raw`\[(?:\\.|[^\]\\])*\]|${expressionEscape.source}|\{\d*,?\d*\}|\(\?:|.`,
  expressionEscape.flags,
);

/** Matches classes of characters that JSON never escapes. */
const plainClass = /^(?:\[(?:\d-\d|[a-z]-[a-z]|[A-Z]-[A-Z]|[\w.:=,; ])+\]|\\[dw])$/;

/** Lighter texts are in too many lines to be useful. */
const minWeight = 2;

/**
 * Derives the prefilter of an expression from its heaviest sequence of ASCII letters, simple
 * classes and groups like `(WARN|ERROR)`. Returns undefined when no sequence is useful.
 */
export function createPrefilter(pattern: string, flags: string): Prefilter | undefined {
  // With the `u` flag, a non-ASCII character may match an ASCII letter in another case.
  if (flags.includes('u')) return undefined;
  const sequences = sequencesOf(pattern, flags);
  const best = sequences.reduce<readonly Part[]>(
    (heaviestParts, parts) => (weightOf(parts) > weightOf(heaviestParts) ? parts : heaviestParts),
    [],
  );
  if (weightOf(best) < minWeight) return undefined;
  // An optional backslash at the start is not needed.
  const message = best
    .map((part) => part.message)
    .join('')
    .replace(/^\\\\\?/, '');
  const coloured = best.map((part) => part.coloured).join('');
  return {
    text: new RegExp(best.map((part) => part.text).join(''), `g${flags}`),
    message: new RegExp(message, `g${flags}`),
    coloured: new RegExp(coloured, `g${flags}`),
    literals: flags.includes('i') ? undefined : literalsOf(best),
    weight: weightOf(best),
    isComplete: sequences.length === 1,
  };
}

/** Groups in one sequence: the paths through them multiply. */
const maxGroups = 3;

function sequencesOf(pattern: string, flags: string): readonly (readonly Part[])[] {
  const sequences: (readonly Part[])[] = [];
  let parts: Part[] = [];
  let hasRepetition = false;
  let depth = 0;
  /** The alternatives of the open group, as long as they are literal. */
  let choices: Part[][] | undefined;
  /** True after a part that a quantifier repeats as a whole. */
  let isRepeatable = false;
  const endSequence = (): void => {
    sequences.push(parts);
    parts = [];
    hasRepetition = false;
    isRepeatable = false;
  };
  for (const [piece] of pattern.matchAll(token)) {
    const letter = letterOf(piece);
    if (piece === '(' || piece === '(?:') {
      depth += 1;
      choices = depth === 1 ? [[]] : undefined;
    } else if (piece === ')') {
      depth -= 1;
      if (depth > 0) continue;
      const groupCount = parts.filter((part) => part.choices).length;
      if (choices === undefined || groupCount === maxGroups) endSequence();
      if (choices !== undefined) parts.push(alternation(choices));
      isRepeatable = choices !== undefined;
      choices = undefined;
    } else if (depth > 0) {
      if (piece === '|') choices?.push([]);
      else if (letter === undefined) choices = undefined;
      else choices?.at(-1)?.push(letter);
    } else if (piece === '|') return [];
    else if (/^[*+?]$|^\{\d*,?\d*\}$/.test(piece)) {
      if (!isRepeatable) {
        // A `?` after a quantifier only makes it lazy.
        if (piece !== '?') endSequence();
        continue;
      }
      isRepeatable = false;
      const part = parts.pop();
      if (part === undefined) continue;
      const isUnbounded = piece === '*' || piece === '+';
      if (isUnbounded && !hasRepetition && limitsRuns(part, parts, flags)) {
        const text = part.text + piece;
        const coloured = `(?:${part.coloured})${piece}`;
        parts.push({ text, message: text, coloured, weight: piece === '+' ? part.weight : 0 });
        hasRepetition = true;
        continue;
      }
      // With `*`, `?` or `{}`, the part may be absent.
      if (piece === '+') parts.push(part);
      endSequence();
    } else if (letter !== undefined) {
      parts.push(letter);
      isRepeatable = true;
    } else if (plainClass.test(piece)) {
      parts.push({ text: piece, message: piece, coloured: piece + colourCodes, weight: 0 });
      isRepeatable = true;
    } else endSequence();
  }
  endSequence();
  return sequences;
}

/**
 * Returns true when a repeated part may follow others: one of them matches none of its repetitions,
 * so that no run of repetitions is scanned again from each of its letters.
 */
function limitsRuns(repeated: Part, before: readonly Part[], flags: string): boolean {
  if (repeated.text.startsWith('(') || repeated.message !== repeated.text) return false;
  const repetition = new RegExp(`^${repeated.text}$`, flags);
  return before.some(({ letter }) => letter !== undefined && !repetition.test(letter));
}

function alternation(choices: readonly (readonly Part[])[]): Part {
  const alternatives = (formOf: (part: Part) => string): string =>
    `(?:${choices.map((parts) => parts.map(formOf).join('')).join('|')})`;
  return {
    text: alternatives(({ text }) => text),
    message: alternatives(({ message }) => message),
    coloured: alternatives(({ coloured }) => coloured),
    weight: Math.min(...choices.map(weightOf)),
    choices,
  };
}

/**
 * Characters of log lines, the commonest first; others are rarer. The search for a literal stops at
 * each first letter of it.
 */
const commonCharacters = '0e1"2t-35,4o:687a9nsrild.mp cgu/h_fv=bwyTZx';

/** Longer literals are searched in another way, which takes several times as long. */
const maxLiteralLength = 6;
const minLiteralLength = 3;

/** A literal, and how rare it is likely to be. */
interface Literal {
  readonly text: string;
  readonly rarity: number;
}

/** Returns the rarest literal of a sequence, or the literals of the alternatives of a group. */
function literalsOf(parts: readonly Part[]): readonly Uint8Array[] | undefined {
  const choices = parts.flatMap((part): (readonly Literal[])[] => {
    const literals = part.choices?.map(rarestLiteral);
    return literals?.every((literal) => literal !== undefined) === true ? [literals] : [];
  });
  const own = rarestLiteral(parts);
  if (own !== undefined) choices.push([own]);
  const rarity = (literals: readonly Literal[]): number =>
    Math.min(...literals.map((literal) => literal.rarity)) / literals.length;
  const [rarest] = choices.toSorted((left, right) => rarity(right) - rarity(left));
  return rarest?.map(({ text }) => Buffer.from(text, 'latin1'));
}

/** Returns the rarest literal of the characters that JSON writes as they are. */
function rarestLiteral(parts: readonly Part[]): Literal | undefined {
  const written = parts.map(({ letter }) =>
    letter === undefined || /["\\]/.test(letter) ? '\n' : letter,
  );
  let rarest: Literal | undefined;
  for (const run of written.join('').split('\n')) {
    for (let start = 0; start < run.length; start += 1) {
      const text = run.slice(start, start + maxLiteralLength);
      const common = commonCharacters.indexOf(text.charAt(0));
      const rank = common < 0 ? commonCharacters.length : common;
      const rarity = (rank + 1) * Math.min(text.length, minLiteralLength);
      if (rarity > (rarest?.rarity ?? 0)) rarest = { text, rarity };
    }
  }
  return rarest;
}

/** Capitals are rare in lines, so they weigh more. */
function weightOfLetter(letter: string): number {
  return /[A-Z]/.test(letter) ? 2 : 1;
}

function weightOf(parts: readonly Part[]): number {
  return parts.reduce((sum, { weight }) => sum + weight, 0);
}

/**
 * Returns the part for one literal character and its form in JSON. A message that is not JSON is
 * shown as it is, so the backslash is optional.
 */
function letterOf(piece: string): Part | undefined {
  const isEscape = /^\\[^a-zA-Z0-9]$/.test(piece);
  const letter = isEscape ? piece.slice(1) : piece;
  if (!/^[ -~]$/.test(letter) || (!isEscape && /^[.^$+*?|()[\\]$/.test(piece))) return undefined;
  const text = letter.replace(/[\\^$.*+?()[\]{}|/]/, String.raw`\$&`);
  const message = /["\\]/.test(letter) ? String.raw`\\?` + text : text;
  const coloured = message + colourCodes;
  return { text, message, coloured, weight: weightOfLetter(letter), letter };
}

/** Escapes of characters that need none in JSON, and the one that starts a colour code. */
const obscuringEscape = /^\\(?:u00[2-7]|u001[bB]|\/)/;
const colourCode = /^\\u001[bB]\[[0-9:;]*m/;
/** Characters of an escape of a colour code that are looked at. */
const codeLength = 32;

/** An escape in messages that may obscure a match. */
export interface ObscuringEscape {
  readonly offset: number;
  readonly isColourCode: boolean;
}

/** Returns the first escape at or after an offset that may obscure a match. */
export function obscuringEscapeFrom(messages: string, from: number): ObscuringEscape | undefined {
  // This loop is many times faster than a regular expression.
  for (let at = messages.indexOf('\\', from); at >= 0; at = messages.indexOf('\\', at + 2)) {
    const escape = messages[at + 1];
    if (escape !== 'u' && escape !== '/') continue;
    const written = messages.slice(at, at + codeLength);
    if (obscuringEscape.test(written))
      return { offset: at, isColourCode: colourCode.test(written) };
  }
  return undefined;
}
