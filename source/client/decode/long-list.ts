/** Milliseconds of one turn of the event loop that a long list may use, so that keys wait no longer. */
const turnBudget = 4;

/** Items between two checks of the clock. */
const stride = 32;

/** Number of items from which a list is long. */
const longLength = 500;

/**
 * Calls `take` with each item of a list until it returns false. A long list starts in a new turn of
 * the event loop and is spread over several turns, so that it does not block keys.
 */
export async function forEachYielding<T>(
  items: readonly T[],
  take: (item: T, index: number) => boolean,
): Promise<void> {
  const isLong = items.length >= longLength;
  if (isLong) await new Promise(setImmediate);
  let turnStart = performance.now();
  for (const [index, item] of items.entries()) {
    if (isLong && index % stride === stride - 1 && performance.now() - turnStart >= turnBudget) {
      await new Promise(setImmediate);
      turnStart = performance.now();
    }
    if (!take(item, index)) return;
  }
}
