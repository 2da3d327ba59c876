/**
 * Returns how many of some nearly sorted times lie before a time: the split with the fewest times on
 * the wrong side, the first of these.
 */
export function timeSplit(times: readonly number[], time: number): number {
  let misplaced = times.filter((each) => each < time).length;
  let fewest = misplaced;
  let split = 0;
  for (const [index, each] of times.entries()) {
    misplaced += each < time ? -1 : 1;
    if (misplaced < fewest) {
      fewest = misplaced;
      split = index + 1;
    }
  }
  return split;
}
