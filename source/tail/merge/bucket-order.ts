/** A line of a bucket after a page was laid over it: one that was known, or a row of the page. */
export type BucketLine =
  | { readonly kind: 'known'; readonly index: number }
  | { readonly kind: 'row'; readonly index: number };

export type BucketSide = 'start' | 'end' | 'before';

export interface BucketOrder {
  /** The lines in their new order: all known ones, and the rows of the page that were not known. */
  readonly lines: readonly BucketLine[];
  /** The known lines that the page does not show, by index. */
  readonly unseen: readonly number[];
  /** True when known lines change their order. */
  readonly isMoved: boolean;
}

/**
 * Lays the rows of a page over the known lines of the same instant. Equal keys are copies of one
 * line and are counted: as many as both have are the same lines, and only a page that has more
 * brings new ones. The page is right about the order.
 *
 * @param known the keys of the known lines, in order.
 * @param page the keys of the page's rows, oldest first; an unbroken part of the instant.
 * @param side the end of the instant that the page shows; `before`: a part of an instant larger than
 * a page, directly before the known lines, the first of which it may repeat.
 * @param isCut true when the page lacks the first lines of the instant.
 * @param mayMove false when known lines have to stay where they are.
 */
export function orderBucket(
  known: readonly string[],
  page: readonly string[],
  side: BucketSide,
  mayMove: boolean,
  isCut: boolean,
): BucketOrder {
  const partners = pairCopies(known, page, isCut);
  const seen = new Set(partners);
  const unseen = known.flatMap((_, index) => (seen.has(index) ? [] : [index]));
  const isMoved = mayMove && side !== 'before' && !isRising(partners);
  const lines = isMoved
    ? inPageOrder(partners, unseen)
    : inKnownOrder(known.length, partners, side);
  return { lines, unseen, isMoved };
}

/** Returns whether the known lines among the rows of a page have the same order there. */
function isRising(partners: readonly (number | undefined)[]): boolean {
  const paired = partners.filter((partner) => partner !== undefined);
  return paired.every((index, at) => at === 0 || index > (paired[at - 1] ?? index));
}

/**
 * Returns the known line that each row of a page is: by the keys that occur once, then next to those,
 * then between them, and at last in any order.
 *
 * @param fromEnd true to pair the last copies first.
 */
function pairCopies(
  known: readonly string[],
  page: readonly string[],
  fromEnd: boolean,
): readonly (number | undefined)[] {
  const copies = placesByKey(known);
  const rows = placesByKey(page);
  const partners = page.map((key) => {
    const same = copies.get(key);
    return same?.length === 1 && rows.get(key)?.length === 1 ? same[0] : undefined;
  });
  const taken = new Set(partners);
  const take = (row: number, low: number, high: number): void => {
    if (partners[row] !== undefined) return;
    const isFree = (index: number): boolean => index > low && index < high && !taken.has(index);
    const same = copies.get(page[row] ?? '');
    partners[row] = fromEnd ? same?.findLast(isFree) : same?.find(isFree);
    taken.add(partners[row]);
  };
  const rising = [...page.keys()];
  const falling = rising.toReversed();
  const nextTo = (row: number, step: number): void => {
    const place = partners[row - step];
    if (place !== undefined) take(row, place + step - 1, place + step + 1);
  };
  for (const row of rising) nextTo(row, 1);
  for (const row of falling) nextTo(row, -1);
  const lows = boundsOf(partners);
  const highs = boundsOf(partners.toReversed(), true).toReversed();
  for (const row of fromEnd ? falling : rising) {
    take(row, lows[row] ?? -1, highs[row] ?? known.length);
  }
  for (const row of fromEnd ? falling : rising) take(row, -1, known.length);
  return partners;
}

/** Returns the indexes at which each key occurs. */
export function placesByKey(keys: readonly string[]): ReadonlyMap<string, readonly number[]> {
  const places = new Map<string, number[]>();
  for (const [index, key] of keys.entries()) {
    const same = places.get(key);
    if (same === undefined) places.set(key, [index]);
    else same.push(index);
  }
  return places;
}

/** Returns the last known line before each row; the first one behind it in a reversed list. */
function boundsOf(
  partners: readonly (number | undefined)[],
  isReversed = false,
): readonly (number | undefined)[] {
  let bound: number | undefined;
  return partners.map((partner) => {
    const before = bound;
    if (partner !== undefined) {
      const best = isReversed ? Math.min : Math.max;
      bound = bound === undefined ? partner : best(bound, partner);
    }
    return before;
  });
}

/** The order of the page; a line that it does not show stays behind the one it stood behind. */
function inPageOrder(
  partners: readonly (number | undefined)[],
  unseen: readonly number[],
): readonly BucketLine[] {
  const lines = partners.map((partner, row) => lineOf(partner, row));
  for (const index of unseen) {
    const before = lines.findLastIndex((line) => line.kind === 'known' && line.index === index - 1);
    lines.splice(before + 1, 0, { kind: 'known', index });
  }
  return lines;
}

/** The order that was known; a new row stands behind the row before it. */
function inKnownOrder(
  known: number,
  partners: readonly (number | undefined)[],
  side: BucketSide,
): readonly BucketLine[] {
  const paired = partners.filter((partner) => partner !== undefined);
  let behind = paired.length > 0 ? Math.min(...paired) - 1 : known - 1;
  if (side === 'before' || (side === 'start' && paired.length === 0)) behind = -1;
  const rowsBehind = new Map<number, BucketLine[]>();
  for (const [row, partner] of partners.entries()) {
    if (partner !== undefined) behind = side === 'before' ? -1 : Math.max(behind, partner);
    else rowsBehind.set(behind, [...(rowsBehind.get(behind) ?? []), { kind: 'row', index: row }]);
  }
  const lines: BucketLine[] = [...(rowsBehind.get(-1) ?? [])];
  for (let index = 0; index < known; index += 1) {
    lines.push({ kind: 'known', index }, ...(rowsBehind.get(index) ?? []));
  }
  return lines;
}

function lineOf(partner: number | undefined, row: number): BucketLine {
  return partner === undefined ? { kind: 'row', index: row } : { kind: 'known', index: partner };
}
