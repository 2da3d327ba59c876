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
    const distance = editDistance(name.toLowerCase(), candidate.toLowerCase());
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

/** Insertions, deletions, replacements and swaps of neighbours that make one name the other. */
function editDistance(from: string, to: string): number {
  let before: readonly number[] = [];
  let above: readonly number[] = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (let row = 1; row <= from.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= to.length; column += 1) {
      const same = from[row - 1] === to[column - 1];
      let least = Math.min(
        (above[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (above[column - 1] ?? 0) + (same ? 0 : 1),
      );
      if (row > 1 && from[row - 2] === to[column - 1] && from[row - 1] === to[column - 2]) {
        least = Math.min(least, (before[column - 2] ?? 0) + 1);
      }
      current.push(least);
    }
    before = above;
    above = current;
  }
  return above[to.length] ?? 0;
}
