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
 * @param mayMove false when known lines have to stay where they are.
 */
export function orderBucket(
  known: readonly string[],
  page: readonly string[],
  side: BucketSide,
  mayMove: boolean,
): BucketOrder {
  const partners = pairCopies(known, page, side);
  const seen = new Set(partners);
  const unseen = known.flatMap((_, index) => (seen.has(index) ? [] : [index]));
  const paired = partners.filter((partner) => partner !== undefined);
  const isSameOrder = paired.every((index, at) => at === 0 || index > (paired[at - 1] ?? index));
  const isMoved = mayMove && side !== 'before' && !isSameOrder;
  const lines = isMoved
    ? inPageOrder(partners, unseen)
    : inKnownOrder(known.length, partners, side);
  return { lines, unseen, isMoved };
}

/** Returns the known line that each row of a page is. */
function pairCopies(
  known: readonly string[],
  page: readonly string[],
  side: BucketSide,
): readonly (number | undefined)[] {
  const copies = new Map<string, number[]>();
  for (const [index, key] of known.entries()) {
    const same = copies.get(key);
    if (same === undefined) copies.set(key, [index]);
    else same.push(index);
  }
  if (side === 'end')
    return page
      .toReversed()
      .map((key) => copies.get(key)?.pop())
      .toReversed();
  for (const same of copies.values()) same.reverse();
  return page.map((key) => copies.get(key)?.pop());
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
