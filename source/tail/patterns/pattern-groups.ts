/** Groups lines into patterns, after the idea of Drain (He et al., ICWS 2017). */
import { levelOf, type LogLevel } from '../level.ts';
import { anything, mask, maskLine } from './mask-line.ts';
import {
  isVariable,
  joinedToken,
  type LineTokens,
  matchesTokens,
  overlapTokens,
  tokensOf,
} from './template.ts';

/** A group of lines that differ in values only. */
export interface Pattern {
  /** Number of the pattern in its log. */
  readonly id: number;
  readonly level: LogLevel | undefined;
  /** Words, `<#>` for numbers and ids, and `<*>` for any token; it becomes more general. */
  readonly tokens: LineTokens;
  /** The pattern that has taken this one's lines over. */
  readonly into: Pattern | undefined;
  /** True once the pattern was given up for newer ones. */
  readonly isDropped: boolean;
}

interface MutablePattern extends Pattern {
  tokens: LineTokens;
  into: MutablePattern | undefined;
  isDropped: boolean;
  usedAt: number;
}

/** Patterns of a log at most. */
const maxPatterns = 1000;
/** Share of the tokens that two lines of a pattern have in common. */
const likeness = 0.7;
/** Weight of a token that stands for others, against a word. */
const variableWeight = 0.5;
/**
 * Lines that differ in one word are other patterns ("link up", "link down") until there are so many
 * words that it must be a name.
 */
const namesFrom = 5;

/** Values on which the level of a line depends, so that it can't be read once they are masked. */
const levelHiding = new RegExp(
  // A syslog priority, the status of a request, the code of an exit.
  '^<<#>>|"[A-Z]{3,7} |^[A-Z]{3,7} \\/|^(?:exited|killed) ' +
    // The letter or sign of a level, which a format tells by the time beside it (levels/level-marks.ts).
    '|^[FEWID]<#> |^<#> \\S+:<#>\\] |^\\[[CEWID] <#>|^<#> (?:\\S+ <#> )?[FEWIDVA][/ ]|^<#>:[MSCX] <#> [.*#-] ',
);

export interface GroupEvents {
  /** Tells that a pattern has taken over the lines of another. */
  readonly onJoined?: (from: Pattern, into: Pattern) => void;
  /** Tells that a pattern was given up: the one that has not matched for the longest time. */
  readonly onDropped?: (pattern: Pattern) => void;
}

/**
 * Patterns of the lines of a log. A line has the level and the number of tokens of its pattern, and
 * no other pattern matches it: the same line belongs to the same pattern until that one is dropped,
 * or to the one that it has become part of. Memory is bounded by 1,000 patterns of at most 100
 * tokens. Measured over loghub by `npm run patterns`; see docs/measurements.md.
 */
export class PatternGroups {
  readonly #events: GroupEvents;
  readonly #limit: number;
  /** Patterns by level and number of tokens. */
  readonly #buckets = new Map<string, MutablePattern[]>();
  readonly #known = new SignatureCache<MutablePattern>();
  #count = 0;
  #nextId = 1;
  #uses = 0;

  constructor(events: GroupEvents = {}, limit = maxPatterns) {
    this.#events = events;
    this.#limit = limit;
  }

  get size(): number {
    return this.#count;
  }

  patterns(): readonly Pattern[] {
    return [...this.#buckets.values()].flat();
  }

  /** Returns the pattern of a line. */
  add(line: string): Pattern {
    const masked = maskLine(line);
    const isHidden = hidesLevel(masked);
    const key = isHidden ? `${levelOf(line) ?? ''}\0${masked}` : masked;
    const known = this.#known.get(key);
    let pattern = known && current(known);
    if (pattern === undefined || pattern.isDropped) {
      // Equal lines must have one level, so it is read from what they have in common.
      const level = levelOf(isHidden ? line : masked.replaceAll(mask, '0'));
      pattern = this.#find(level, masked);
    }
    if (pattern !== known) this.#known.set(key, pattern);
    this.#uses += 1;
    pattern.usedAt = this.#uses;
    return pattern;
  }

  #find(level: LogLevel | undefined, masked: string): MutablePattern {
    const tokens = tokensOf(masked);
    const key = `${level ?? ''} ${tokens.length}`;
    let bucket = this.#buckets.get(key);
    if (bucket === undefined) this.#buckets.set(key, (bucket = []));
    const match = bucket.find((pattern) => matchesTokens(pattern.tokens, tokens));
    if (match !== undefined) return match;
    const alike = likePatterns(bucket, tokens);
    const added: MutablePattern = {
      id: this.#nextId,
      level,
      tokens,
      into: undefined,
      isDropped: false,
      usedAt: this.#uses,
    };
    const [first, ...others] = alike;
    if (first === undefined) {
      this.#nextId += 1;
      bucket.push(added);
      this.#count += 1;
      if (this.#count > this.#limit) this.#dropOldest();
      return added;
    }
    first.tokens = joinedTokens(first.tokens, tokens);
    for (const other of others) this.#join(bucket, other, first);
    this.#joinOverlapping(bucket, first);
    return first;
  }

  #join(bucket: MutablePattern[], from: MutablePattern, into: MutablePattern): void {
    into.tokens = joinedTokens(into.tokens, from.tokens);
    from.into = into;
    bucket.splice(bucket.indexOf(from), 1);
    this.#count -= 1;
    this.#events.onJoined?.(from, into);
  }

  /** Keeps each line in one pattern only. */
  #joinOverlapping(bucket: MutablePattern[], pattern: MutablePattern): void {
    const overlaps = (other: MutablePattern): boolean =>
      other !== pattern &&
      other.tokens.every((token, index) => overlapTokens(token, pattern.tokens[index] ?? ''));
    for (let other = bucket.find(overlaps); other !== undefined; other = bucket.find(overlaps)) {
      this.#join(bucket, other, pattern);
    }
  }

  /** Drops the sixteenth of the patterns that has not matched for the longest time. */
  #dropOldest(): void {
    const all = [...this.#buckets.values()].flat().toSorted((a, b) => a.usedAt - b.usedAt);
    for (const pattern of all.slice(0, Math.ceil(this.#limit / 16))) {
      const bucket = this.#buckets.get(`${pattern.level ?? ''} ${pattern.tokens.length}`);
      bucket?.splice(bucket.indexOf(pattern), 1);
      pattern.isDropped = true;
      this.#count -= 1;
      this.#events.onDropped?.(pattern);
    }
  }
}

/** Returns whether lines of one masked text may differ in their levels. */
export function hidesLevel(masked: string): boolean {
  return levelHiding.test(masked);
}

/** Returns the pattern that a pattern has become part of: itself, until it has. */
export function joinedPattern(pattern: Pattern): Pattern {
  return pattern.into === undefined ? pattern : joinedPattern(pattern.into);
}

function current(pattern: MutablePattern): MutablePattern {
  let found = pattern;
  while (found.into !== undefined) found = found.into;
  return found;
}

function joinedTokens(one: LineTokens, other: LineTokens): LineTokens {
  return one.map((token, index) => joinedToken(token, other[index] ?? ''));
}

/**
 * Returns the patterns that a line belongs to, and by which they become one: the most similar
 * one that differs in values, or those that differ in one same word, when there are enough.
 */
function likePatterns(
  bucket: readonly MutablePattern[],
  tokens: LineTokens,
): readonly MutablePattern[] {
  let best: MutablePattern | undefined;
  let highest = likeness;
  const byWords = new Map<string, MutablePattern[]>();
  for (const pattern of bucket) {
    const { score, words } = compareTokens(pattern.tokens, tokens);
    if (score < likeness) continue;
    if (words === '') {
      if (best === undefined || score > highest) [best, highest] = [pattern, score];
      continue;
    }
    const others = byWords.get(words);
    if (others === undefined) byWords.set(words, [pattern]);
    else others.push(pattern);
  }
  if (best !== undefined) return [best];
  return [...byWords.values()].find((some) => some.length >= namesFrom - 1) ?? [];
}

/** Compares a line with a template: how alike they are, and the places where other words are. */
function compareTokens(
  template: LineTokens,
  tokens: LineTokens,
): { readonly score: number; readonly words: string } {
  const lowest = likeness * 0.5 * template.length;
  let same = 0;
  let weight = 0;
  let words = '';
  let different = 0;
  for (let index = 0; index < template.length; index += 1) {
    const one = template[index] ?? '';
    const other = tokens[index] ?? '';
    const isSame = one === other;
    const stands = one === anything || one === mask || other === mask;
    weight += stands ? variableWeight : 1;
    if (isSame || stands) same += stands ? variableWeight : 1;
    else {
      different += 1;
      if (different > template.length - lowest) return { score: 0, words };
      if (!isVariable(one) && !isVariable(other)) words += `${index} `;
    }
  }
  return { score: same / weight, words };
}

/** Masked lines of one generation at most, and their characters. */
const maxEntries = 2048;
const maxCharacters = 500_000;

/** Remembers values by text, those used last; at most 4,096 texts with 1 M characters. */
class SignatureCache<Value> {
  #recent = new Map<string, Value>();
  #older = new Map<string, Value>();
  #characters = 0;

  get(text: string): Value | undefined {
    const found = this.#recent.get(text);
    if (found !== undefined) return found;
    const older = this.#older.get(text);
    if (older !== undefined) this.set(text, older);
    return older;
  }

  set(text: string, value: Value): void {
    this.#recent.set(text, value);
    this.#characters += text.length;
    if (this.#recent.size < maxEntries && this.#characters < maxCharacters) return;
    this.#older = this.#recent;
    this.#recent = new Map();
    this.#characters = 0;
  }
}
