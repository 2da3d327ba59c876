import { diff } from '@codemirror/merge';
import { linesOf } from './text-lines.ts';

/**
 * Lines that were replaced, removed or added. Lines count from 0, `to` is behind the last one.
 * Between two hunks stands at least one line that both texts have.
 */
export interface Hunk {
  readonly beforeFrom: number;
  readonly beforeTo: number;
  readonly afterFrom: number;
  readonly afterTo: number;
}

/** Lines: `+2 -1`. */
export interface LineCounts {
  readonly added: number;
  readonly removed: number;
}

/** Where two texts differ, by lines; a line end belongs to its line. Empty when they are equal. */
export function diffTexts(before: string, after: string): readonly Hunk[] {
  return before === after ? [] : diffLines(linesOf(before), linesOf(after));
}

export function countsOf(hunks: readonly Hunk[]): LineCounts {
  let added = 0;
  let removed = 0;
  for (const { beforeFrom, beforeTo, afterFrom, afterTo } of hunks) {
    added += afterTo - afterFrom;
    removed += beforeTo - beforeFrom;
  }
  return { added, removed };
}

/** Bounds the search for the shortest difference; counted in steps, so that it is the same each time. */
const scanLimit = 2_000;

/** Ranges with more lines than this on both sides, none of which can split them, are replaced whole. */
const directlyAtMost = 20_000;

/**
 * As {@link diffTexts}, for lines. What occurs once on each side is compared first and splits the
 * rest: a search for the shortest difference alone may pair the wrong ones of many like lines. The
 * time is bounded, whatever the texts.
 */
export function diffLines(before: readonly string[], after: readonly string[]): readonly Hunk[] {
  // Most texts differ in few places: what they begin and end with alike is not even numbered.
  const whole = { beforeFrom: 0, beforeTo: before.length, afterFrom: 0, afterTo: after.length };
  const { beforeFrom, beforeTo, afterFrom, afterTo } = trimmed(before, after, whole);
  const ids = new Map<string, number>();
  const idOf = (line: string): number => {
    const id = ids.get(line) ?? ids.size;
    ids.set(line, id);
    return id;
  };
  const a = before.slice(beforeFrom, beforeTo).map(idOf);
  const b = after.slice(afterFrom, afterTo).map(idOf);
  const found: Hunk[] = [];
  const range = { beforeFrom: 0, beforeTo: a.length, afterFrom: 0, afterTo: b.length };
  compare(a, b, range, (hunk) => {
    found.push({
      beforeFrom: hunk.beforeFrom + beforeFrom,
      beforeTo: hunk.beforeTo + beforeFrom,
      afterFrom: hunk.afterFrom + afterFrom,
      afterTo: hunk.afterTo + afterFrom,
    });
  });
  return joined(found);
}

type Ids = readonly number[];

function compare(a: Ids, b: Ids, whole: Hunk, add: (hunk: Hunk) => void): void {
  const range = trimmed(a, b, whole);
  const { beforeFrom, beforeTo, afterFrom, afterTo } = range;
  const shorter = Math.min(beforeTo - beforeFrom, afterTo - afterFrom);
  if (shorter === 0) {
    if (beforeTo > beforeFrom || afterTo > afterFrom) add(range);
    return;
  }
  const anchors = anchorsIn(a, b, range);
  if (anchors.length === 0) {
    if (shorter <= directlyAtMost) compareDirectly(a, b, range, add);
    else add(range);
    return;
  }
  let [beforeNext, afterNext] = [beforeFrom, afterFrom];
  for (const [before, after] of [...anchors, [beforeTo, afterTo] as const]) {
    const gap = { beforeFrom: beforeNext, beforeTo: before, afterFrom: afterNext, afterTo: after };
    compare(a, b, gap, add);
    [beforeNext, afterNext] = [before + 1, after + 1];
  }
}

/** Without the equal lines it begins and ends with. */
function trimmed(a: readonly unknown[], b: readonly unknown[], range: Hunk): Hunk {
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

/** Each line becomes a character, so that the difference of the characters is that of the lines. */
function compareDirectly(a: Ids, b: Ids, range: Hunk, add: (hunk: Hunk) => void): void {
  const { beforeFrom, afterFrom } = range;
  const left = a.slice(beforeFrom, range.beforeTo);
  const right = b.slice(afterFrom, range.afterTo);
  const [fewer, more] = left.length < right.length ? [left, right] : [right, left];
  const codes = new Map<number, string>();
  // Beside 20,000 of them there is room below the surrogates, whose halves a diff never separates.
  for (const id of fewer) if (!codes.has(id)) codes.set(id, String.fromCharCode(codes.size + 2));
  const other = String.fromCharCode(1);
  const coded = (ids: Ids): string => ids.map((id) => codes.get(id) ?? other).join('');
  const [codedFewer, codedMore] = [coded(fewer), coded(more)];
  const swapped = fewer === right;
  const changes = swapped
    ? diff(codedMore, codedFewer, { scanLimit })
    : diff(codedFewer, codedMore, { scanLimit });
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

/** Lines that occur once on each side, as many as there are in the same order on both. */
function anchorsIn(a: Ids, b: Ids, range: Hunk): readonly Anchor[] {
  const { beforeFrom, beforeTo, afterFrom, afterTo } = range;
  const places = oncePlaces(b, afterFrom, afterTo);
  const pairs: Anchor[] = [];
  for (const [id, before] of oncePlaces(a, beforeFrom, beforeTo)) {
    const after = places.get(id);
    if (before !== undefined && after !== undefined) pairs.push([before, after]);
  }
  return longestRising(pairs.sort(([left], [right]) => left - right));
}

/** Where each line stands that occurs once; undefined for one that occurs more often. */
function oncePlaces(ids: Ids, from: number, to: number): ReadonlyMap<number, number | undefined> {
  const places = new Map<number, number | undefined>();
  for (const [index, id] of ids.slice(from, to).entries()) {
    places.set(id, places.has(id) ? undefined : from + index);
  }
  return places;
}

/** The longest part of the pairs in which the second numbers rise too. */
function longestRising(pairs: readonly Anchor[]): readonly Anchor[] {
  interface Link {
    readonly pair: Anchor;
    readonly earlier: Link | undefined;
  }
  // The chain of each length whose end is lowest.
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

/** Hunks without an equal line between them become one. */
function joined(hunks: readonly Hunk[]): readonly Hunk[] {
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
