import { inColours, withoutColours } from '../colour-codes.ts';
import { type Level, levelOf } from '../level.ts';
import { expressionEscape, type Sieve, sieveOf } from './prefilter.ts';

/** What lines are filtered by or searched for, as it was typed. */
export interface LineQuery {
  readonly text: string;
  readonly regex: boolean;
}

/** A part of a text, from an offset up to, not with, another. */
export type TextSpan = readonly [from: number, to: number];

/**
 * A query, ready to be asked about lines. It is asked about the text as it is shown: colour codes
 * are no part of it, a word in two colours is one word.
 */
export interface LineTest {
  /** False when it asks nothing, like an empty text: every line matches. */
  readonly asks: boolean;
  /** The time it takes rises with the length of a line at most; else it may take for ever. */
  readonly isCheap: boolean;
  matches(text: string, service: string | undefined): boolean;
  /**
   * False only for lines that do not match, and cheap even when `matches` is not. Undefined when
   * that cannot be told.
   */
  readonly mayMatch: ((text: string) => boolean) | undefined;
  /** For a scan, which may leave lines out that do not match. */
  readonly sieve: Sieve | undefined;
  /**
   * Where the text looked for stands, in whole characters and with the colour codes in it: so many
   * hits at most, near the beginning of the line. None of an inverted text. May take as long as
   * `matches`.
   */
  spans(text: string): readonly TextSpan[];
}

/** What a query cannot be asked for, and what helps. */
export interface QueryProblem {
  readonly sentence: string;
  readonly next: string;
}

export type ReadQuery =
  | { readonly ok: true; readonly value: LineTest }
  | { readonly ok: false; readonly error: QueryProblem };

type Holds = (text: string, service: string | undefined) => boolean;

/** A term before the text, with the blank behind it. */
const leadingTerm = /^(!?)(level|service):(\S*)(?:\s|$)/;

/**
 * Reads what was typed (screens, "Prompt"): first any number of `level:warn` (warnings and worse),
 * `level:error` and `service:api` (begins so, in any case), each inverted by a leading `!`; the
 * rest, blanks and all, is the text, inverted by a leading `!`; `\!` is a literal one. Case counts
 * when the text has an upper-case letter, in an expression one outside of its escapes. A term that
 * is not typed to its end, like `level:` or `!`, asks nothing.
 */
export function readLineQuery({ text, regex }: LineQuery): ReadQuery {
  const terms: Holds[] = [];
  let rest = text;
  for (let found = leadingTerm.exec(rest); found !== null; found = leadingTerm.exec(rest)) {
    const [whole, not, field, value = ''] = found;
    const term = field === 'level' ? levelTerm(value) : serviceTerm(value);
    if (term === undefined) {
      const sentence = `There is no level ${value}.`;
      return { ok: false, error: { sentence, next: 'level:warn and level:error are known.' } };
    }
    if (value !== '') terms.push(not === '' ? term : (...line) => !term(...line));
    rest = rest.slice(whole.length);
  }
  const inverted = rest.startsWith('!');
  const body = inverted ? rest.slice(1) : rest.replace(/^\\!/, '!');
  if (body === '') return { ok: true, value: lineTest({ terms, inverted, isCheap: true }) };
  try {
    const pattern = regex ? body : escaped(body);
    const expression = new RegExp(pattern, flagsOf(pattern));
    const isCheap = !regex || isPlain(pattern);
    return { ok: true, value: lineTest({ terms, expression, inverted, isCheap }) };
  } catch (error) {
    return { ok: false, error: { sentence: badExpression(error), next: 'Tab takes it as text.' } };
  }
}

function escaped(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`);
}

function lineTest({
  terms,
  expression,
  inverted,
  isCheap: isPlainOrText,
}: {
  readonly terms: readonly Holds[];
  readonly expression?: RegExp;
  readonly inverted: boolean;
  readonly isCheap: boolean;
}): LineTest {
  const wanted = !inverted;
  const holds: Holds =
    expression === undefined
      ? () => true
      : (text) => expression.test(withoutColours(text)) === wanted;
  const shown = expression === undefined || inverted ? undefined : expression;
  const everywhere = shown && new RegExp(shown.source, `g${shown.flags}`);
  const sieve = shown && sieveOf(shown.source, shown.flags);
  const isCheap = isPlainOrText || sieve?.isComplete === true;
  return {
    asks: terms.length > 0 || expression !== undefined,
    isCheap,
    matches: terms.length === 0 ? holds : all([...terms, holds]),
    mayMatch: isCheap ? undefined : sieve && untilUseless(sieve.text),
    sieve,
    spans: (text) => (everywhere === undefined ? [] : spansOf(everywhere, text)),
  };
}

/** Lines after which a text that most of them have is not looked for any more. */
const tried = 1024;

function untilUseless(required: RegExp): (text: string) => boolean {
  let lines = 0;
  let passed = 0;
  return (line) => {
    if (lines < tried) lines += 1;
    else if (passed > tried / 2) return true;
    required.lastIndex = 0;
    const passes = required.test(withoutColours(line));
    if (passes && lines < tried) passed += 1;
    return passes;
  };
}

function all(tests: readonly Holds[]): Holds {
  return (text, service) => {
    for (const holds of tests) if (!holds(text, service)) return false;
    return true;
  };
}

const levels: readonly (readonly [
  word: string,
  isAtLeast: (level: Level | undefined) => boolean,
])[] = [
  ['error', (level) => level === 'error'],
  ['warning', (level) => level !== undefined],
];

function levelTerm(value: string): Holds | undefined {
  const typed = value.toLowerCase();
  const isAtLeast = levels.find(([word]) => word.startsWith(typed))?.[1];
  return isAtLeast && ((text) => isAtLeast(levelOf(text)));
}

function serviceTerm(value: string): Holds {
  const start = value.toLowerCase();
  return (_, service) => service?.toLowerCase().startsWith(start) === true;
}

function flagsOf(pattern: string): string {
  const ignoreCase = /\p{Lu}/u.test(pattern.replaceAll(expressionEscape, '')) ? '' : 'i';
  // Whole characters beyond the first 65,536 need it; it makes some expressions many times slower.
  const unicode = /[\u{10000}-\u{10FFFF}]|\\[pP]\{|\\u\{/u.test(pattern) ? 'u' : '';
  return ignoreCase + unicode;
}

/** Parts of a plain expression that may be there or not, or may be different ones. */
const mostForks = 6;

/**
 * No part of it is repeated without bounds, no repetition holds another, and there are few ways to
 * go through a line.
 */
function isPlain(pattern: string): boolean {
  const bare = pattern.replaceAll(expressionEscape, 'x').replaceAll(/\[[^\]]*\]/g, 'x');
  if (/[*+]|\{\d+(?:,\d*)?\}|\)\?/.test(bare) || /\\[1-9k]/.test(pattern)) return false;
  return (bare.match(/\((?:\?[:=!<])?|\?/g) ?? []).length <= mostForks;
}

function badExpression(error: unknown): string {
  const reason = error instanceof Error ? error.message.replace(/^.*\/[a-z]*: /s, '') : '';
  return `This is no regular expression: ${reason || 'it cannot be read'}.`;
}

/** What can come into sight of a line, and as many hits as are worth showing. */
const lookedAt = 8192;
const mostSpans = 200;

function spansOf(expression: RegExp, text: string): readonly TextSpan[] {
  const head = withoutColours(text.length > lookedAt ? text.slice(0, lookedAt) : text);
  const spans: TextSpan[] = [];
  expression.lastIndex = 0;
  for (let tries = 0; tries < mostSpans; tries += 1) {
    const found = expression.exec(head);
    if (found === null) break;
    const from = isLowHalf(head, found.index) ? found.index - 1 : found.index;
    const end = found.index + found[0].length;
    const to = isLowHalf(head, end) ? end + 1 : end;
    if (found[0] === '') expression.lastIndex = end + 1;
    else spans.push([Math.max(from, spans.at(-1)?.[1] ?? 0), to]);
  }
  return inColours(
    text,
    spans.filter(([from, to]) => from < to),
  );
}

/** Whether an offset is in the middle of a character. */
function isLowHalf(text: string, offset: number): boolean {
  return /^[\uD800-\uDBFF][\uDC00-\uDFFF]$/.test(text.slice(Math.max(0, offset - 1), offset + 1));
}
