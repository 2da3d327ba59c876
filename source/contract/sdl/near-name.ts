/** Suggests known names for mistyped ones. */

/** Largest number of candidates that are compared, to bound the time. */
const maxCandidates = 100;

/** Length of the longest name that is compared. */
const maxLength = 63;

/**
 * Returns the candidate nearest to a mistyped name: at most one edit away, or two for names of five or
 * more characters. A swap of two neighbours is one edit, case is ignored. Returns undefined if no
 * candidate is that near.
 */
export function findNearName(name: string, candidates: Iterable<string>): string | undefined {
  if (name.length < 3 || name.length > maxLength) return undefined;
  let least = name.length < 5 ? 2 : 3;
  let nearest: string | undefined;
  let compared = 0;
  for (const candidate of candidates) {
    compared += 1;
    if (compared > maxCandidates) break;
    if (candidate === name || candidate.length > maxLength) continue;
    if (Math.abs(candidate.length - name.length) >= least) continue;
    const distance = editDistance(name.toLowerCase(), candidate.toLowerCase(), least);
    if (distance < least) {
      least = distance;
      nearest = candidate;
    }
  }
  return nearest;
}

/** Returns ` Did you mean web?` to follow a message about an unknown name, or an empty string. */
export function formatSuggestion(name: string, candidates: Iterable<string>): string {
  const near = findNearName(name, candidates);
  return near === undefined ? '' : ` Did you mean ${near}?`;
}

/**
 * Returns the edit distance of two names, counting insertions, deletions, replacements and swaps of
 * neighbours, or `limit` if it is larger. Computes only the cells that can stay below `limit`.
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
    // A swap reads the row before the last, so both rows must have reached the limit.
    if (rowLeast >= limit && aboveLeast + 1 >= limit) return limit;
    before = above;
    above = current;
    aboveLeast = rowLeast;
  }
  return Math.min(above[to.length] ?? limit, limit);
}
