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
  /** Like `message`, and also finds every escape that may obscure a match. */
  readonly escapes: RegExp;
  /** The number of required letters; rare ones count more. */
  readonly weight: number;
  /** True when `text` is equivalent to the whole expression. */
  readonly isComplete: boolean;
}

/** Escapes of characters that need none in JSON, and the one that starts a colour code. */
const obscuringEscape = String.raw`\\(?:u00[2-7]|u001[bB]|\/)`;

/** A part of an expression that matches literal characters. */
interface Part {
  readonly text: string;
  readonly message: string;
  /** The number of required letters; rare ones count more. */
  readonly weight: number;
  /** The letter, when the part matches only one. */
  readonly letter?: string | undefined;
  /** True for a group of alternatives. */
  readonly isGroup?: boolean;
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
  return {
    text: new RegExp(best.map((part) => part.text).join(''), `g${flags}`),
    message: new RegExp(message, `g${flags}`),
    escapes: new RegExp(`${message}|${obscuringEscape}`, `g${flags}`),
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
      const groupCount = parts.filter((part) => part.isGroup).length;
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
        parts.push({ text, message: text, weight: piece === '+' ? part.weight : 0 });
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
      parts.push({ text: piece, message: piece, weight: 0 });
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
    weight: Math.min(...choices.map(weightOf)),
    isGroup: true,
  };
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
  return { text, message, weight: weightOfLetter(letter), letter };
}

/** Returns true when an escape may obscure a match. */
export function hasObscuringEscape(messages: string): boolean {
  // This loop is many times faster than a regular expression.
  let at = messages.indexOf('\\');
  while (at >= 0) {
    const escape = messages[at + 1];
    if (escape === '/') return true;
    if (escape === 'u' && /^00(?:[2-7]|1[bB])/.test(messages.slice(at + 2, at + 6))) return true;
    at = messages.indexOf('\\', at + 2);
  }
  return false;
}
