import { setTimeout as sleep } from 'node:timers/promises';

/** In ms. */
interface Bounds {
  /** A failure limit, not a delay. */
  readonly within: number;
  /** From one look to the next. */
  readonly every: number;
}

/**
 * Looks again and again at what tells of no event, until nothing is wrong with it any more or the
 * time is over. For programs: tests have `waitFor`.
 * @returns What is wrong in the end.
 */
export async function wrongInTheEnd<Wrong>(
  look: () => Promise<Wrong | undefined> | Wrong | undefined,
  { within, every }: Bounds,
): Promise<Wrong | undefined> {
  const end = performance.now() + within;
  for (;;) {
    const wrong = await look();
    if (wrong === undefined || performance.now() > end) return wrong;
    await sleep(every);
  }
}

/** Looks again and again until it holds; fails when the time is over. */
export async function until(
  what: string,
  holds: () => Promise<boolean> | boolean,
  bounds: Bounds,
): Promise<void> {
  const look = async () => ((await holds()) ? undefined : tooLate(what, bounds.within));
  const late = await wrongInTheEnd(look, bounds);
  if (late !== undefined) throw late;
}

/** Waits for an event; fails when it has not come after so many ms. */
export async function inTime<T>(what: string, event: Promise<T>, within: number): Promise<T> {
  const late = Promise.withResolvers<never>();
  const limit = setTimeout(() => late.reject(tooLate(what, within)), within);
  try {
    return await Promise.race([event, late.promise]);
  } finally {
    clearTimeout(limit);
  }
}

function tooLate(what: string, within: number): Error {
  return new Error(`${what} did not come within ${within} ms`);
}
