/** Milliseconds of a turn that a long list may take: keys wait for no more than that. */
const share = 4;

/** Items between two looks at the clock. */
const stride = 32;

/** Shorter lists are no work that anything would have to wait for. */
const long = 500;

/**
 * Hands the items of a list over one by one, until `take` gives false. A long list begins in a turn
 * of the event loop of its own and leaves the rest of each to others: 50,000 would hold up keys.
 */
export async function eachInTurns<T>(
  items: readonly T[],
  take: (item: T, index: number) => boolean,
): Promise<void> {
  const isLong = items.length >= long;
  if (isLong) await new Promise(setImmediate);
  let begun = performance.now();
  for (const [index, item] of items.entries()) {
    if (isLong && index % stride === stride - 1 && performance.now() - begun >= share) {
      await new Promise(setImmediate);
      begun = performance.now();
    }
    if (!take(item, index)) return;
  }
}
