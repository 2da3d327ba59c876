const firstMs = 1000;
const longestMs = 60_000;

/** A run of this length was a success: the next crash counts as the first. */
export const healthyMs = 60_000;

/** Crashes in a row after which a service counts as failed; it is tried again all the same. */
const hopeless = 3;

/** Crashes of an instance since it last ran well. */
export interface Crashes {
  readonly inARow: number;
}

export const noCrashes: Crashes = { inARow: 0 };

/** After a run of `ranMs` crashed. */
export function crashed(before: Crashes, ranMs: number): Crashes {
  return { inARow: ranMs >= healthyMs ? 1 : before.inARow + 1 };
}

/** Pause before the next try: 1, 2, 4 … 60 s. */
export function pauseMs({ inARow }: Crashes): number {
  return Math.min(longestMs, firstMs * 2 ** Math.max(0, inARow - 1));
}

export function isHopeless({ inARow }: Crashes): boolean {
  return inARow >= hopeless;
}
