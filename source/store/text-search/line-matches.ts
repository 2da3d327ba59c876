/** Decisions of the search in a text, on the sorted indices of the lines that match. */

/** Characters of a slice of the scan: a few milliseconds. */
const sliceLength = 256 * 1024;

/** Returns the end of the slice of lines from `start`, at least one line. */
export function sliceEnd(lines: readonly string[], start: number): number {
  let room = sliceLength;
  let end = start;
  while (end < lines.length && room > 0) {
    // A line costs more than its characters.
    room -= (lines[end]?.length ?? 0) + 16;
    end += 1;
  }
  return end;
}

/**
 * Returns the first match from a line on; in a text that is scanned to its end, the first of all
 * when there is none behind the line.
 */
export function nearestMatch(
  matches: readonly number[],
  from: number,
  isDone: boolean,
): number | undefined {
  return matches.find((index) => index >= from) ?? (isDone ? matches[0] : undefined);
}

/** Returns the match after or before a line, from the last one to the first and back. */
export function stepMatch(
  matches: readonly number[],
  at: number,
  direction: 'next' | 'previous',
): number | undefined {
  return direction === 'next'
    ? (matches.find((index) => index > at) ?? matches[0])
    : (matches.findLast((index) => index < at) ?? matches.at(-1));
}

/** Returns the count for the strip and the prompt: `1 of 2`, with `+` while the scan runs. */
export function matchPosition(
  matches: readonly number[],
  at: number | undefined,
  isDone: boolean,
): string {
  if (matches.length === 0) return isDone ? 'no match' : 'searching...';
  const count = `${matches.length.toLocaleString('en-US')}${isDone ? '' : '+'}`;
  const number = at === undefined ? -1 : matches.indexOf(at);
  if (number === -1) return `${count} ${matches.length === 1 ? 'match' : 'matches'}`;
  return `${(number + 1).toLocaleString('en-US')} of ${count}`;
}
