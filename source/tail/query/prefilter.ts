import { type Literal, mostLetters } from './byte-search.ts';

/**
 * Finds what stands in every line that a regular expression matches, in no time where the whole
 * expression may take long: never more than a few looks at each character. Both are global.
 */
export interface Sieve {
  /** Finds something in the text of every such line, without its colour codes. */
  readonly text: RegExp;
  /**
   * Finds something in the message (JSON) of every such line, read as UTF-8 or byte by byte, as long
   * as nothing is escaped there that may hide it.
   */
  readonly message: RegExp;
  /** The same, and every escape that may hide a match. */
  readonly escapes: RegExp;
  /**
   * One of these stands in the message wherever `message` finds something, and is easier to look
   * for; none where none can be told.
   */
  readonly literals: readonly Literal[];
  /** Whether `text` is the whole expression. */
  readonly isComplete: boolean;
}

/** Escapes of what JSON takes as it is, as which a letter may hide, and those colour codes begin with. */
const hidingEscape = String.raw`\\(?:u00[2-7]|u001[bB]|\/)`;

/** A part of an expression: each of its letters is one in the text. */
interface Part {
  readonly text: string;
  readonly message: string;
  /** Letters that must be there, by how seldom they are. */
  readonly weight: number;
  /** One letter, when it is always the same. */
  readonly letter?: string | undefined;
  /** Of texts to choose from, what stands in the message for each. */
  readonly choices?: readonly string[] | undefined;
}

/** An escape of an expression, with all that belongs to it and nothing that does not. */
export const expressionEscape =
  /\\(?:\d+|x[\da-fA-F]{2}|u[\da-fA-F]{4}|[pPu]\{[^}]*\}|c[a-zA-Z]|k<[^>()[\]|]*>|.)/gsu;

/** A character class, an escape, a number of repetitions, or one character. */
const token = new RegExp(
  String.raw`\[(?:\\.|[^\]\\])*\]|${expressionEscape.source}|\{\d*,?\d*\}|\(\?:|.`,
  expressionEscape.flags,
);

/** Classes of letters that stand in a message as they are. */
const plainClass = /^(?:\[(?:\d-\d|[a-z]-[a-z]|[A-Z]-[A-Z]|[\w.:=,; ])+\]|\\[dw])$/;

/** Shorter texts stand in too many lines. */
const leastWeight = 2;

/**
 * The sieve for an expression, as far as one is easily told: of the stretches of ASCII letters,
 * simple classes and groups like `(WARN|ERROR)` the one with most letters that are always there. Undefined when there is
 * none worth it.
 */
export function sieveOf(pattern: string, flags: string): Sieve | undefined {
  // Where whole characters are meant, an ASCII letter may be another one in another case.
  if (flags.includes('u')) return undefined;
  const stretches = stretchesOf(pattern, flags);
  const best = stretches.reduce<readonly Part[]>(
    (most, parts) => (weightOf(parts) > weightOf(most) ? parts : most),
    [],
  );
  if (weightOf(best) < leastWeight) return undefined;
  // A match may as well begin behind what need not be there.
  const message = best
    .map((part) => part.message)
    .join('')
    .replace(/^\\\\\?/, '');
  return {
    text: new RegExp(best.map((part) => part.text).join(''), `g${flags}`),
    message: new RegExp(message, `g${flags}`),
    escapes: new RegExp(`${message}|${hidingEscape}`, `g${flags}`),
    literals: literalsOf(best, flags.includes('i')),
    isComplete: stretches.length === 1,
  };
}

/** Choices in a stretch: the ways through all of them are their product. */
const mostChosen = 3;

function stretchesOf(pattern: string, flags: string): readonly (readonly Part[])[] {
  const found: (readonly Part[])[] = [];
  let parts: Part[] = [];
  let repeats = false;
  let depth = 0;
  /** The choices of the group that is open, as long as they are plain texts. */
  let choices: Part[][] | undefined;
  /** True behind what may be repeated as a whole. */
  let isWhole = false;
  const end = (): void => {
    found.push(parts);
    parts = [];
    repeats = false;
    isWhole = false;
  };
  for (const [piece] of pattern.matchAll(token)) {
    const letter = letterOf(piece);
    if (piece === '(' || piece === '(?:') {
      depth += 1;
      choices = depth === 1 ? [[]] : undefined;
    } else if (piece === ')') {
      depth -= 1;
      if (depth > 0) continue;
      const chosen = parts.filter((part) => part.choices !== undefined).length;
      if (choices === undefined || chosen === mostChosen) end();
      if (choices !== undefined) parts.push(choiceOf(choices));
      isWhole = choices !== undefined;
      choices = undefined;
    } else if (depth > 0) {
      if (piece === '|') choices?.push([]);
      else if (letter === undefined) choices = undefined;
      else choices?.at(-1)?.push(letter);
    } else if (piece === '|') return [];
    else if (/^[*+?]$|^\{\d*,?\d*\}$/.test(piece)) {
      if (!isWhole) {
        // It says how the repetition before it is to be tried.
        if (piece !== '?') end();
        continue;
      }
      isWhole = false;
      const part = parts.pop();
      if (part === undefined) continue;
      const endless = piece === '*' || piece === '+';
      if (endless && !repeats && endsRuns(part, parts, flags)) {
        const text = part.text + piece;
        parts.push({ text, message: text, weight: piece === '+' ? part.weight : 0 });
        repeats = true;
        continue;
      }
      // It may not be there at all.
      if (piece === '+') parts.push(part);
      end();
    } else if (letter !== undefined) {
      parts.push(letter);
      isWhole = true;
    } else if (plainClass.test(piece)) {
      parts.push({ text: piece, message: piece, weight: 0 });
      isWhole = true;
    } else end();
  }
  end();
  return found;
}

/**
 * Whether a repeated part may follow others: one of them stands in none of its repetitions, so that
 * no run of those is gone through again from each letter of it.
 */
function endsRuns(repeated: Part, before: readonly Part[], flags: string): boolean {
  if (repeated.text.startsWith('(') || repeated.message !== repeated.text) return false;
  const one = new RegExp(`^${repeated.text}$`, flags);
  return before.some(({ letter }) => letter !== undefined && !one.test(letter));
}

function choiceOf(choices: readonly (readonly Part[])[]): Part {
  const one = (of: (part: Part) => string): string =>
    `(?:${choices.map((parts) => parts.map(of).join('')).join('|')})`;
  return {
    text: one(({ text }) => text),
    message: one(({ message }) => message),
    weight: Math.min(...choices.map(weightOf)),
    choices: choices.map((parts) => heaviest(runsOf(parts))),
  };
}

/** The expression is faster than looking for more of them one by one. */
const mostLiterals = 6;

/** The text, or the texts to choose from, with most letters. */
function literalsOf(parts: readonly Part[], ignoresCase: boolean): readonly Literal[] {
  let best = [heaviest(runsOf(parts))];
  const least = (texts: readonly string[]): number => Math.min(...texts.map(weightOfText));
  for (const { choices } of parts) {
    if (choices === undefined || choices.length > mostLiterals) continue;
    if (least(choices) > least(best)) best = [...choices];
  }
  if (least(best) === 0) return [];
  return best.map((text) => {
    const letters = text.slice(0, mostLetters);
    return { letters: ignoresCase ? letters.toLowerCase() : letters, ignoresCase };
  });
}

/** Letters that follow each other in the message too: those that are escaped there may not. */
function runsOf(parts: readonly Part[]): readonly string[] {
  const runs: string[] = [''];
  for (const { letter = '' } of parts) {
    if (letter === '' || /["\\]/.test(letter)) runs.push(letter);
    else runs.push((runs.pop() ?? '') + letter);
  }
  return runs;
}

function heaviest(texts: readonly string[]): string {
  return texts.reduce((best, text) => (weightOfText(text) > weightOfText(best) ? text : best), '');
}

function weightOfText(text: string): number {
  return Array.from(text).reduce((sum, letter) => sum + weightOfLetter(letter), 0);
}

/** Lines have few capitals. */
function weightOfLetter(letter: string): number {
  return /[A-Z]/.test(letter) ? 2 : 1;
}

function weightOf(parts: readonly Part[]): number {
  return parts.reduce((sum, { weight }) => sum + weight, 0);
}

/** A letter that JSON takes, and what stands for it there: what is no JSON is shown as it is. */
function letterOf(piece: string): Part | undefined {
  const isEscape = /^\\[^a-zA-Z0-9]$/.test(piece);
  const letter = isEscape ? piece.slice(1) : piece;
  if (!/^[ -~]$/.test(letter) || (!isEscape && /^[.^$+*?|()[\\]$/.test(piece))) return undefined;
  const text = letter.replace(/[\\^$.*+?()[\]{}|/]/, String.raw`\$&`);
  const message = /["\\]/.test(letter) ? String.raw`\\?` + text : text;
  return { text, message, weight: weightOfLetter(letter), letter };
}

/** Whether something is escaped that may hide a match. */
export function hasHidingEscape(messages: string): boolean {
  // Many times faster than the expression.
  let at = messages.indexOf('\\');
  while (at >= 0) {
    const escape = messages[at + 1];
    if (escape === '/') return true;
    if (escape === 'u' && /^00(?:[2-7]|1[bB])/.test(messages.slice(at + 2, at + 6))) return true;
    at = messages.indexOf('\\', at + 2);
  }
  return false;
}
