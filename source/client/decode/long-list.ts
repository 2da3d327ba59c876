/**
 * Milliseconds of one turn of the event loop that a long list may use. A key takes three turns from
 * its bytes to the screen, and each may wait that long.
 */
const turnBudget = 2;

/** Items between two checks of the clock. */
const stride = 32;

/** Number of items from which a list is long. */
const longLength = 500;

/** Resolves in the next turn of the event loop, so that keys are handled before more work. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/**
 * Calls `take` with each item of a list until it returns false. A long list starts in a new turn of
 * the event loop and is spread over several turns, so that it does not block keys.
 */
export async function forEachYielding<T>(
  items: readonly T[],
  take: (item: T, index: number) => boolean,
): Promise<void> {
  const isLong = items.length >= longLength;
  if (isLong) await nextTurn();
  let turnStart = performance.now();
  for (const [index, item] of items.entries()) {
    if (isLong && index % stride === stride - 1 && performance.now() - turnStart >= turnBudget) {
      await nextTurn();
      turnStart = performance.now();
    }
    if (!take(item, index)) return;
  }
}
