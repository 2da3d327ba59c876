import { bucketEdge, placeApart, placeBehind, placesBetween } from './instants.ts';

/**
 * Returns rising places for all entries, keeping those that have one; undefined without room.
 *
 * @param above the place of a line behind which others are missing.
 */
export function placesOf(
  entries: readonly { readonly place: number | undefined }[],
  start: number,
  end: number,
  above: number | undefined,
): readonly number[] | undefined {
  const places: number[] = [];
  let index = 0;
  while (index < entries.length) {
    const own = entries[index]?.place;
    if (own !== undefined) {
      places.push(own);
      index += 1;
      continue;
    }
    const next = entries.findIndex(({ place }, at) => at > index && place !== undefined);
    const count = (next < 0 ? entries.length : next) - index;
    const before = places.at(-1);
    const between =
      next < 0
        ? placesBehind(before, start, end, count, before === above)
        : placesBetween(before ?? start + bucketEdge.start, entries[next]?.place ?? end, count);
    if (between === undefined) return undefined;
    places.push(...between);
    index += count;
  }
  return places;
}

/** Returns rising places behind another one; undefined without room. */
export function placesBehind(
  before: number | undefined,
  start: number,
  end: number,
  count: number,
  isApart = false,
): readonly number[] | undefined {
  const places: number[] = [];
  let last = before;
  for (let left = count; left > 0; left -= 1) {
    const behind = isApart && left === count ? placeApart : placeBehind;
    last = behind(last, start, end - start);
    if (last === undefined) return undefined;
    places.push(last);
  }
  return places;
}
