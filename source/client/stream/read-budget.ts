/** Limits the time that reading may use in one turn of the event loop. */
export interface TurnShare {
  /** Returns true when this turn's budget is used up; it starts with the first call in a turn. */
  isUsed(): boolean;
}

/**
 * Creates a budget.
 * @param share milliseconds of one turn.
 * @param next called in the turn after one that used up its budget.
 */
export function createTurnShare(share: number, next: () => void): TurnShare {
  let turnStart: number | undefined;
  let isUsedUp = false;

  function startTurn(): void {
    turnStart = undefined;
    if (!isUsedUp) return;
    isUsedUp = false;
    next();
  }

  return {
    isUsed() {
      const now = performance.now();
      if (turnStart === undefined) {
        turnStart = now;
        setImmediate(startTurn);
      }
      isUsedUp ||= now - turnStart >= share;
      return isUsedUp;
    },
  };
}
