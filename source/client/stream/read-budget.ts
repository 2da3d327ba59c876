/** Limits the time that reading may use in one turn of the event loop. */
export interface ReadBudget {
  /** Returns true when this turn's budget is used up; it starts with the first call in a turn. */
  isUsedUp(): boolean;
}

/**
 * Creates a budget.
 * @param share milliseconds of one turn.
 * @param next called in the turn after one that used up its budget.
 */
export function createReadBudget(share: number, next: () => void): ReadBudget {
  let turnStart: number | undefined;
  let isUsedUp = false;

  function startTurn(): void {
    turnStart = undefined;
    if (!isUsedUp) return;
    isUsedUp = false;
    next();
  }

  return {
    isUsedUp() {
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
