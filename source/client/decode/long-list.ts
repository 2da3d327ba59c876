/**
 * Milliseconds of one turn of the event loop that a long list may use. A key takes three turns from
 * its bytes to the screen, and each may wait that long.
 */
const turnBudget = 2;

/** Parts of the work between two checks of the clock. */
const stride = 32;

/** Number of items from which a list is long. */
export const longLength = 500;

/** Resolves in a turn of the event loop in which long work may go on. */
export type WorkTurn = () => Promise<void>;

/** Resolves in the next turn of the event loop, so that keys are handled before more work. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** Time that long work may use in one turn of the event loop; read it after each part of the work. */
export interface TurnBudget {
  isSpent(): boolean;
  /** Waits for a turn in which the work may go on. */
  renew(): Promise<void>;
}

export function createTurnBudget(turn: WorkTurn): TurnBudget {
  let parts = 0;
  let turnStart = performance.now();
  return {
    isSpent() {
      parts += 1;
      return parts % stride === 0 && performance.now() - turnStart >= turnBudget;
    },
    async renew() {
      await turn();
      turnStart = performance.now();
    },
  };
}

/**
 * Calls `take` with each item of a list until it returns false. A long list starts in a new turn of
 * the event loop and is spread over several turns, so that it does not block keys.
 */
export async function forEachYielding<T>(
  items: readonly T[],
  take: (item: T, index: number) => boolean,
  turn: WorkTurn = nextTurn,
): Promise<void> {
  const isLong = items.length >= longLength;
  if (isLong) await turn();
  const budget = createTurnBudget(turn);
  for (const [index, item] of items.entries()) {
    if (!take(item, index)) return;
    if (isLong && budget.isSpent()) await budget.renew();
  }
}
