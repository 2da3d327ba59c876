import { mapToRawText, silentCodes, stripSilentCodes } from '../silent-codes.ts';
import { type PatternTest, patternTerm, patternTest } from './pattern-term.ts';
import { type Criterion, type DeploymentNames, leadingTerm, readTerms } from './query-terms.ts';
import { expressionEscape, type Prefilter, createPrefilter } from './prefilter.ts';

/** The query of a filter or search as typed. */
export interface LineQuery {
  readonly text: string;
  readonly regex: boolean;
}

/** A range of a text; the end is exclusive. */
export type TextSpan = readonly [from: number, to: number];

/** A parsed query. It ignores silent codes: a word in two colours is one word. */
export interface LineMatcher {
  /** False for a query without criteria, such as an empty text: every line matches. */
  readonly hasCriteria: boolean;
  /** True when the time is at most linear in the length of a line; otherwise it has no bound. */
  readonly isCheap: boolean;
  matches(text: string, service: string | undefined, deployment?: DeploymentNames): boolean;
  /** True when `matches` needs the deployment of a line. */
  readonly readsDeployment?: boolean | undefined;
  /**
   * Returns false only for lines that do not match, and is cheap even when `matches` is not.
   * Undefined when no such test exists.
   */
  readonly mayMatch: ((text: string) => boolean) | undefined;
  /** The prefilter of a scan, which may skip lines that do not match. */
  readonly prefilter: Prefilter | undefined;
  /**
   * Returns the ranges of the matched text in whole characters, with silent codes included, and none
   * for an inverted text: a limited number of those that overlap a part of the text, by default its
   * first 8,192 characters. May take as long as `matches`.
   */
  spans(text: string, from?: number, to?: number): readonly TextSpan[];
}

/** The reason why a query is invalid, and the next step. */
export interface QueryProblem {
  readonly sentence: string;
  readonly next: string;
}

export type ParsedQuery =
  | { readonly ok: true; readonly value: LineMatcher }
  | { readonly ok: false; readonly error: QueryProblem };

/**
 * Parses a query. It starts with any number of terms: `level:warn` (warnings and worse) and other
 * levels, `service:api` and `deployment:shop` (a prefix, in any case), and comparisons of a field such as `status>=500`,
 * `user~ann` and `level=error`, each inverted by a leading `!`. The
 * rest, including spaces, is the text, inverted by a leading `!`; `\!` is a literal one. Case
 * matters when the text has an upper-case letter, in an expression outside of its escapes. An
 * incomplete term like `level:` or `!` is ignored. A text that starts with `pattern:` is a template:
 * `pattern:user <*> opened <#> files`.
 */
export function parseLineQuery({ text, regex }: LineQuery): ParsedQuery {
  const read = readTerms(text, regex);
  if (!read.ok) {
    const sentence = `Unknown level: ${read.unknownLevel}.`;
    const next = 'Use level:fatal, error, warn, info or debug.';
    return { ok: false, error: { sentence, next } };
  }
  const { terms, rest, prefilter, readsDeployment } = read;
  const isInverted = rest.startsWith('!');
  const queryText = isInverted ? rest.slice(1) : rest.replace(/^\\!/, '!');
  const pattern = regex ? undefined : patternTest(queryText);
  if (pattern !== undefined) {
    const matcher = createPatternMatcher(pattern, terms, isInverted);
    return { ok: true, value: { ...matcher, readsDeployment } };
  }
  const isIncomplete = !regex && queryText.trimEnd() === patternTerm('');
  const textQuery = { text: isIncomplete ? '' : queryText, regex };
  const parsed = parseText(textQuery, terms, isInverted, prefilter);
  return parsed.ok ? { ok: true, value: { ...parsed.value, readsDeployment } } : parsed;
}

function createPatternMatcher(
  { matches, prefilter }: PatternTest,
  terms: readonly Criterion[],
  isInverted: boolean,
): LineMatcher {
  return {
    hasCriteria: true,
    isCheap: true,
    matches: allOf([...terms, (text) => matches(text) !== isInverted]),
    mayMatch: undefined,
    prefilter: isInverted ? undefined : prefilter,
    spans: () => [],
  };
}

/**
 * Returns the text that a leading `!` inverts as a whole; undefined when the text has no such `!`,
 * or when the rest means something else on its own.
 */
export function invertedPart(text: string): string | undefined {
  if (!text.startsWith('!')) return undefined;
  const rest = text.slice(1);
  const term = leadingTerm(text);
  // A term inverts itself alone, so it must be the only one.
  if (term !== undefined) return term === text ? rest : undefined;
  return /^\\?!/.test(rest) ? undefined : rest;
}

/** Parses a search of a text other than a log: without terms, and `!` is a character. */
export function parseTextQuery(query: LineQuery): ParsedQuery {
  return parseText(query, [], false);
}

function parseText(
  { text, regex }: LineQuery,
  terms: readonly Criterion[],
  isInverted: boolean,
  prefilter?: Prefilter,
): ParsedQuery {
  if (text === '') {
    return { ok: true, value: createLineTest({ terms, isInverted, isCheap: true, prefilter }) };
  }
  try {
    const pattern = regex ? text : escapeExpression(text);
    const expression = new RegExp(withForms(pattern), flagsOf(pattern));
    const isCheap = !regex || isPlain(pattern);
    return {
      ok: true,
      value: createLineTest({ terms, expression, isInverted, isCheap, prefilter }),
    };
  } catch (error) {
    return {
      ok: false,
      error: { sentence: expressionProblem(error), next: 'Tab switches to plain text.' },
    };
  }
}

function escapeExpression(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`);
}

/** A character beyond ASCII with its marks, or its jamo; or what stands for itself: an escape, a class. */
const characterForm = new RegExp(
  String.raw`\[(?:\\.|[^\]\\])*\]|${expressionEscape.source}|[^\x00-\x7f][\p{M}\u1160-\u11ff]*|[A-Za-z]\p{M}+`,
  expressionEscape.flags,
);

/**
 * Returns a pattern that finds a character however it is composed, as `é` in one code point or as `e`
 * and an accent: programs and file systems write both (UAX #15). A class stays as it is.
 */
function withForms(pattern: string): string {
  return pattern.replaceAll(characterForm, (character) => {
    if (/^[\\[]/.test(character)) return character;
    const points = Array.from(character.normalize('NFD'));
    const forms = new Set([character]);
    for (let at = 1; at <= points.length; at += 1)
      forms.add(points.slice(0, at).join('').normalize('NFC') + points.slice(at).join(''));
    return forms.size === 1 ? character : `(?:${[...forms].join('|')})`;
  });
}

function createLineTest({
  terms,
  expression,
  isInverted,
  isCheap: isCheapExpression,
  prefilter,
}: {
  readonly terms: readonly Criterion[];
  readonly expression?: RegExp;
  readonly isInverted: boolean;
  readonly isCheap: boolean;
  /** A prefilter of the terms. */
  readonly prefilter: Prefilter | undefined;
}): LineMatcher {
  const expected = !isInverted;
  const textCriterion: Criterion =
    expression === undefined
      ? () => true
      : (text) => expression.test(stripSilentCodes(text)) === expected;
  const positiveExpression = expression === undefined || isInverted ? undefined : expression;
  const globalExpression =
    positiveExpression && new RegExp(positiveExpression.source, `g${positiveExpression.flags}`);
  const sieve =
    positiveExpression && createPrefilter(positiveExpression.source, positiveExpression.flags);
  const isCheap = isCheapExpression || sieve?.isComplete === true;
  return {
    hasCriteria: terms.length > 0 || expression !== undefined,
    isCheap,
    matches: terms.length === 0 ? textCriterion : allOf([...terms, textCriterion]),
    mayMatch: isCheap ? undefined : sieve && adaptiveTest(sieve.text),
    prefilter: sieve ?? prefilter,
    spans: (text, from = 0, to = from + partLength) =>
      globalExpression === undefined ? [] : spansOf(globalExpression, text, [from, to]),
  };
}

/** Lines after which a text that most of them contain is no longer tested. */
const sampleSize = 1024;

function adaptiveTest(required: RegExp): (text: string) => boolean {
  let lines = 0;
  let passedLines = 0;
  return (line) => {
    if (lines < sampleSize) lines += 1;
    else if (passedLines > sampleSize / 2) return true;
    required.lastIndex = 0;
    const isPassed = required.test(stripSilentCodes(line));
    if (isPassed && lines < sampleSize) passedLines += 1;
    return isPassed;
  };
}

function allOf(criteria: readonly Criterion[]): Criterion {
  return (text, service, deployment) => {
    for (const holds of criteria) if (!holds(text, service, deployment)) return false;
    return true;
  };
}

function flagsOf(pattern: string): string {
  const ignoreCase = /\p{Lu}/u.test(pattern.replaceAll(expressionEscape, '')) ? '' : 'i';
  // Characters beyond U+FFFF need the flag, which makes some expressions many times slower.
  const unicode = /[\u{10000}-\u{10FFFF}]|\\[pP]\{|\\u\{/u.test(pattern) ? 'u' : '';
  return ignoreCase + unicode;
}

/** The limit of optional parts and groups in a plain expression. */
const maxForks = 6;

/**
 * Returns true when no part is repeated without bounds, no repetition is nested, and only a few
 * paths lead through a line.
 */
function isPlain(pattern: string): boolean {
  const stripped = pattern.replaceAll(expressionEscape, 'x').replaceAll(/\[[^\]]*\]/g, 'x');
  if (/[*+]|\{\d+(?:,\d*)?\}|\)\?/.test(stripped) || /\\[1-9k]/.test(pattern)) return false;
  return (stripped.match(/\((?:\?[:=!<])?|\?/g) ?? []).length <= maxForks;
}

function expressionProblem(error: unknown): string {
  const reason = error instanceof Error ? error.message.replace(/^.*\/[a-z]*: /s, '') : '';
  return `Invalid regular expression: ${reason || 'syntax error'}.`;
}

/** Characters that are searched for highlighted matches, and the limit of these. */
const partLength = 8192;
const mostSpans = 200;
/** Characters around a part in which its matches may begin and end. */
const partMargin = 1024;

function spansOf(expression: RegExp, text: string, [from, to]: TextSpan): readonly TextSpan[] {
  const searched = to < text.length ? text.slice(0, to + partMargin) : text;
  const plain = stripSilentCodes(searched);
  const spans: TextSpan[] = [];
  expression.lastIndex = plainOffset(searched, Math.max(0, from - partMargin));
  const [first, end] = [plainOffset(searched, from), plainOffset(searched, to)];
  while (spans.length < mostSpans) {
    const match = expression.exec(plain);
    if (match === null || match.index >= end) break;
    const { index } = match;
    const behind = index + match[0].length;
    if (match[0] === '') expression.lastIndex = behind + 1;
    else if (behind > first) {
      const start = isLowHalf(plain, index) ? index - 1 : index;
      spans.push([
        Math.max(start, spans.at(-1)?.[1] ?? 0),
        isLowHalf(plain, behind) ? behind + 1 : behind,
      ]);
    }
  }
  return mapToRawText(
    searched,
    spans.filter(([start, stop]) => start < stop),
  );
}

/** Returns the offset without the silent codes before it. */
function plainOffset(text: string, offset: number): number {
  let codes = 0;
  for (const [start, end] of silentCodes(text)) {
    if (start >= offset) break;
    codes += Math.min(end, offset) - start;
  }
  return offset - codes;
}

/** Returns true when an offset is inside a surrogate pair. */
function isLowHalf(text: string, offset: number): boolean {
  return /^[\uD800-\uDBFF][\uDC00-\uDFFF]$/.test(text.slice(Math.max(0, offset - 1), offset + 1));
}
