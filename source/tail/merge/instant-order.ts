/** A line of an instant after a page was laid over it. */
export interface LaidLine {
  /** Index of the known line that it is; undefined for one that the page brings. */
  readonly known: number | undefined;
  /** Index of the page's row that it is; undefined for a known line that the page does not show. */
  readonly row: number | undefined;
}

/**
 * Lays the rows of a page over the known lines of the same instant. Equal keys are copies of one
 * line and interchangeable: as many as both have are the same lines, and only a page that has more
 * brings new ones. The order is that of the page; a line that it does not show stands before the
 * known one that it stood before: most such lines are newer than the page. Those before the first
 * known line of a page that lacks the first ones are older than it.
 *
 * @param known the keys of the known lines, in order.
 * @param page the keys of the page's rows, oldest first.
 * @param isCut true when the page lacks the first lines of the instant: its copies are the last ones.
 */
export function layOver(
  known: readonly string[],
  page: readonly string[],
  isCut: boolean,
): readonly LaidLine[] {
  const partners = pairCopies(known, page, isCut);
  const firstShared = partners.findIndex((partner) => partner !== undefined);
  const beforePage = isCut ? (firstShared < 0 ? known.length : firstShared) : 0;
  const unseenBefore: LaidLine[][] = Array.from({ length: page.length + 1 }, () => []);
  let next = page.length;
  for (const [index, partner] of [...partners.entries()].toReversed()) {
    if (partner !== undefined) next = partner;
    else unseenBefore[index < beforePage ? 0 : next]?.push({ known: index, row: undefined });
  }
  const knownOf = new Map(partners.map((partner, index) => [partner, index]));
  const lines: LaidLine[] = [];
  for (const [row, unseen] of unseenBefore.entries()) {
    lines.push(...unseen.toReversed());
    if (row < page.length) lines.push({ known: knownOf.get(row), row });
  }
  return lines;
}

/** Returns the row of the page that each known line is, copy by copy. */
function pairCopies(
  known: readonly string[],
  page: readonly string[],
  fromEnd: boolean,
): readonly (number | undefined)[] {
  const rows = placesByKey(page);
  if (!fromEnd) return known.map((key) => rows.get(key)?.shift());
  return known
    .toReversed()
    .map((key) => rows.get(key)?.pop())
    .toReversed();
}

/** Returns the indexes at which each key occurs. */
function placesByKey(keys: readonly string[]): ReadonlyMap<string, number[]> {
  const places = new Map<string, number[]>();
  for (const [index, key] of keys.entries()) {
    const same = places.get(key);
    if (same === undefined) places.set(key, [index]);
    else same.push(index);
  }
  return places;
}

/**
 * Returns for each of the keys the index of the known line that may stand there, so that all known
 * lines stay in their order; undefined when some have to move. Of two ways, the one that adds lines
 * between fewer of them holds.
 */
export function keepOrder(
  known: readonly string[],
  keys: readonly string[],
): readonly (number | undefined)[] | undefined {
  const fromStart = matchInOrder(known, keys);
  const fromEnd = matchInOrder(known.toReversed(), keys.toReversed())
    ?.toReversed()
    .map((index) => (index === undefined ? undefined : known.length - 1 - index));
  if (fromStart === undefined || fromEnd === undefined) return undefined;
  return additionsIn(fromEnd) < additionsIn(fromStart) ? fromEnd : fromStart;
}

function matchInOrder(known: readonly string[], keys: readonly string[]) {
  let next = 0;
  const kept = keys.map((key) => {
    if (known[next] !== key) return undefined;
    next += 1;
    return next - 1;
  });
  return next === known.length ? kept : undefined;
}

/** Returns the number of known lines that others are added right before, behind another known one. */
function additionsIn(kept: readonly (number | undefined)[]): number {
  const places = kept.flatMap((index, at) => (index === undefined ? [] : at));
  return places.filter((place, at) => at > 0 && place > (places[at - 1] ?? place) + 1).length;
}
