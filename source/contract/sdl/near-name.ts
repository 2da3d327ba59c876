/** Names compared with one that is not known; more would only cost time. */
const mostCandidates = 100;

/** Longer names are not compared: nobody mistypes one. */
const longestName = 63;

/**
 * The candidate that a name was most likely meant to be: one edit away, or two where the name is
 * long enough to tell. A swap of two neighbours is one edit, capitals are
 * none. Undefined where none is that near.
 */
export function nearName(name: string, candidates: Iterable<string>): string | undefined {
  if (name.length < 3 || name.length > longestName) return undefined;
  let least = name.length < 5 ? 2 : 3;
  let nearest: string | undefined;
  let compared = 0;
  for (const candidate of candidates) {
    compared += 1;
    if (compared > mostCandidates) break;
    if (candidate === name || candidate.length > longestName) continue;
    if (Math.abs(candidate.length - name.length) >= least) continue;
    const distance = editDistance(name.toLowerCase(), candidate.toLowerCase(), least);
    if (distance < least) {
      least = distance;
      nearest = candidate;
    }
  }
  return nearest;
}

/** ` Did you mean web?`, or nothing: the end of a sentence about a name that is not known. */
export function didYouMean(name: string, candidates: Iterable<string>): string {
  const near = nearName(name, candidates);
  return near === undefined ? '' : ` Did you mean ${near}?`;
}

/**
 * Insertions, deletions, replacements and swaps of neighbours that make one name the other; `limit`
 * where that many are needed. Of the table only what can stay below it is looked at.
 */
function editDistance(from: string, to: string, limit: number): number {
  let before: readonly number[] = [];
  let above: readonly number[] = Array.from({ length: to.length + 1 }, (_, column) => column);
  let aboveLeast = 0;
  for (let row = 1; row <= from.length; row += 1) {
    const current = Array<number>(to.length + 1).fill(limit);
    current[0] = Math.min(row, limit);
    let rowLeast = current[0];
    const last = Math.min(to.length, row + limit - 1);
    for (let column = Math.max(1, row - limit + 1); column <= last; column += 1) {
      const same = from[row - 1] === to[column - 1];
      let least = Math.min(
        (above[column] ?? limit) + 1,
        (current[column - 1] ?? limit) + 1,
        (above[column - 1] ?? limit) + (same ? 0 : 1),
      );
      if (row > 1 && from[row - 2] === to[column - 1] && from[row - 1] === to[column - 2]) {
        least = Math.min(least, (before[column - 2] ?? limit) + 1);
      }
      current[column] = Math.min(least, limit);
      rowLeast = Math.min(rowLeast, least);
    }
    // A swap reaches over one row.
    if (rowLeast >= limit && aboveLeast + 1 >= limit) return limit;
    before = above;
    above = current;
    aboveLeast = rowLeast;
  }
  return Math.min(above[to.length] ?? limit, limit);
}
