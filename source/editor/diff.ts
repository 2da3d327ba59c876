import { diff } from '@codemirror/merge';
import { splitLines } from './text-lines.ts';

/**
 * A range of lines that were replaced, removed or added. Lines count from 0 and `to` is exclusive.
 * At least one equal line lies between two hunks.
 */
export interface Hunk {
  readonly beforeFrom: number;
  readonly beforeTo: number;
  readonly afterFrom: number;
  readonly afterTo: number;
}

/** Added and removed lines, as in `+2 -1`. */
export interface LineCounts {
  readonly added: number;
  readonly removed: number;
}

/**
 * Compares two texts by lines; a line end is part of its line. Returns no hunks for equal texts.
 */
export function diffTexts(before: string, after: string): readonly Hunk[] {
  return before === after ? [] : diffLines(splitLines(before), splitLines(after));
}

/** Counts the added and removed lines of hunks. */
export function countChangedLines(hunks: readonly Hunk[]): LineCounts {
  let added = 0;
  let removed = 0;
  for (const { beforeFrom, beforeTo, afterFrom, afterTo } of hunks) {
    added += afterTo - afterFrom;
    removed += beforeTo - beforeFrom;
  }
  return { added, removed };
}

/** A changed line; `number` counts from 1, in the text after the change or before a removal. */
export interface ChangedLine {
  readonly number: number;
  readonly sign: '+' | '-';
  readonly text: string;
}

/** Returns the first `most` changed lines: the new ones, and those that were removed without any. */
export function changedLines(
  hunks: readonly Hunk[],
  before: readonly string[],
  after: readonly string[],
  most: number,
): readonly ChangedLine[] {
  const lines: ChangedLine[] = [];
  for (const { beforeFrom, beforeTo, afterFrom, afterTo } of hunks) {
    const isRemoval = afterFrom === afterTo;
    const [from, to] = isRemoval ? [beforeFrom, beforeTo] : [afterFrom, afterTo];
    const side = isRemoval ? before : after;
    for (let at = from; at < to; at += 1) {
      if (lines.length === most) return lines;
      lines.push({ number: at + 1, sign: isRemoval ? '-' : '+', text: side[at] ?? '' });
    }
  }
  return lines;
}

/** Step limit of the search for the shortest difference: deterministic, unlike a timeout. */
const scanLimit = 2_000;

/**
 * Ranges with more lines than this on both sides and no anchor to split them are replaced whole.
 */
const maxDirectLines = 20_000;

/**
 * Compares two lists of lines in bounded time. Lines that are unique on both sides are matched
 * first and split the rest: a search for the shortest difference alone may pair the wrong ones of
 * many equal lines.
 */
export function diffLines(before: readonly string[], after: readonly string[]): readonly Hunk[] {
  // Most texts differ in few places, so trim the equal lines at both ends before numbering the
  // rest.
  const whole = { beforeFrom: 0, beforeTo: before.length, afterFrom: 0, afterTo: after.length };
  const { beforeFrom, beforeTo, afterFrom, afterTo } = trimEqualEnds(before, after, whole);
  const ids = new Map<string, number>();
  const idOf = (line: string): number => {
    const id = ids.get(line) ?? ids.size;
    ids.set(line, id);
    return id;
  };
  const a = before.slice(beforeFrom, beforeTo).map(idOf);
  const b = after.slice(afterFrom, afterTo).map(idOf);
  const hunks: Hunk[] = [];
  const range = { beforeFrom: 0, beforeTo: a.length, afterFrom: 0, afterTo: b.length };
  diffRange(a, b, range, (hunk) => {
    hunks.push({
      beforeFrom: hunk.beforeFrom + beforeFrom,
      beforeTo: hunk.beforeTo + beforeFrom,
      afterFrom: hunk.afterFrom + afterFrom,
      afterTo: hunk.afterTo + afterFrom,
    });
  });
  return joinAdjacent(hunks);
}

type Ids = readonly number[];

function diffRange(a: Ids, b: Ids, whole: Hunk, add: (hunk: Hunk) => void): void {
  const range = trimEqualEnds(a, b, whole);
  const { beforeFrom, beforeTo, afterFrom, afterTo } = range;
  const shorter = Math.min(beforeTo - beforeFrom, afterTo - afterFrom);
  if (shorter === 0) {
    if (beforeTo > beforeFrom || afterTo > afterFrom) add(range);
    return;
  }
  const anchors = findAnchors(a, b, range);
  if (anchors.length === 0) {
    if (shorter <= maxDirectLines) diffDirectly(a, b, range, add);
    else add(range);
    return;
  }
  let [beforeNext, afterNext] = [beforeFrom, afterFrom];
  for (const [before, after] of [...anchors, [beforeTo, afterTo] as const]) {
    const gap = { beforeFrom: beforeNext, beforeTo: before, afterFrom: afterNext, afterTo: after };
    diffRange(a, b, gap, add);
    [beforeNext, afterNext] = [before + 1, after + 1];
  }
}

/** Returns the range without the equal lines at its start and end. */
function trimEqualEnds(a: readonly unknown[], b: readonly unknown[], range: Hunk): Hunk {
  let { beforeFrom, beforeTo, afterFrom, afterTo } = range;
  while (beforeFrom < beforeTo && afterFrom < afterTo && a[beforeFrom] === b[afterFrom]) {
    beforeFrom += 1;
    afterFrom += 1;
  }
  while (beforeFrom < beforeTo && afterFrom < afterTo && a[beforeTo - 1] === b[afterTo - 1]) {
    beforeTo -= 1;
    afterTo -= 1;
  }
  return { beforeFrom, beforeTo, afterFrom, afterTo };
}

/**
 * Encodes each line as a character, so that the difference of the characters is that of the lines.
 */
function diffDirectly(a: Ids, b: Ids, range: Hunk, add: (hunk: Hunk) => void): void {
  const { beforeFrom, afterFrom } = range;
  const left = a.slice(beforeFrom, range.beforeTo);
  const right = b.slice(afterFrom, range.afterTo);
  const [fewer, more] = left.length < right.length ? [left, right] : [right, left];
  const codes = new Map<number, string>();
  // 20,000 codes end below the surrogates, which the comparison would treat as halves of a
  // character.
  for (const id of fewer) if (!codes.has(id)) codes.set(id, String.fromCharCode(codes.size + 2));
  const other = String.fromCharCode(1);
  const encode = (ids: Ids): string => ids.map((id) => codes.get(id) ?? other).join('');
  const [encodedFewer, encodedMore] = [encode(fewer), encode(more)];
  const isSwapped = fewer === right;
  const changes = isSwapped
    ? diff(encodedMore, encodedFewer, { scanLimit })
    : diff(encodedFewer, encodedMore, { scanLimit });
  for (const { fromA, toA, fromB, toB } of changes) {
    add({
      beforeFrom: beforeFrom + fromA,
      beforeTo: beforeFrom + toA,
      afterFrom: afterFrom + fromB,
      afterTo: afterFrom + toB,
    });
  }
}

type Anchor = readonly [before: number, after: number];

/**
 * Returns the longest list of lines that are unique on both sides and in the same order on both.
 */
function findAnchors(a: Ids, b: Ids, range: Hunk): readonly Anchor[] {
  const { beforeFrom, beforeTo, afterFrom, afterTo } = range;
  const indexes = uniqueIndexes(b, afterFrom, afterTo);
  const pairs: Anchor[] = [];
  for (const [id, before] of uniqueIndexes(a, beforeFrom, beforeTo)) {
    const after = indexes.get(id);
    if (before !== undefined && after !== undefined) pairs.push([before, after]);
  }
  return longestIncreasing(pairs.sort(([left], [right]) => left - right));
}

/** Returns the index of each unique line, and undefined for each repeated one. */
function uniqueIndexes(
  ids: Ids,
  from: number,
  to: number,
): ReadonlyMap<number, number | undefined> {
  const indexes = new Map<number, number | undefined>();
  for (const [index, id] of ids.slice(from, to).entries()) {
    indexes.set(id, indexes.has(id) ? undefined : from + index);
  }
  return indexes;
}

/** Returns the longest subsequence in which the second numbers increase too. */
function longestIncreasing(pairs: readonly Anchor[]): readonly Anchor[] {
  interface Link {
    readonly pair: Anchor;
    readonly earlier: Link | undefined;
  }
  // For each length, the chain with the lowest end.
  const ends: Link[] = [];
  for (const pair of pairs) {
    let [low, high] = [0, ends.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((ends[middle]?.pair[1] ?? 0) < pair[1]) low = middle + 1;
      else high = middle;
    }
    ends[low] = { pair, earlier: ends[low - 1] };
  }
  const chain: Anchor[] = [];
  for (let link = ends.at(-1); link !== undefined; link = link.earlier) chain.push(link.pair);
  return chain.reverse();
}

/** Joins hunks that have no equal line between them. */
function joinAdjacent(hunks: readonly Hunk[]): readonly Hunk[] {
  const result: Hunk[] = [];
  for (const hunk of hunks) {
    const last = result.at(-1);
    if (last?.beforeTo === hunk.beforeFrom && last.afterTo === hunk.afterFrom) {
      const { beforeTo, afterTo } = hunk;
      result[result.length - 1] = { ...last, beforeTo, afterTo };
    } else {
      result.push(hunk);
    }
  }
  return result;
}
