/** Bounds what one thing may take of a turn of the event loop. */
export interface TurnShare {
  /** True when this turn's share is used up; its time counts from the first question in it. */
  isUsed(): boolean;
}

/**
 * @param share milliseconds of a turn.
 * @param next called in the next turn after one whose share was used up.
 */
export function createTurnShare(share: number, next: () => void): TurnShare {
  let since: number | undefined;
  let used = false;

  function turned(): void {
    since = undefined;
    if (!used) return;
    used = false;
    next();
  }

  return {
    isUsed() {
      const now = performance.now();
      if (since === undefined) {
        since = now;
        setImmediate(turned);
      }
      used ||= now - since >= share;
      return used;
    },
  };
}
