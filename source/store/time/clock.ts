/** Time as the stores see it, handed in so that tests own it. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Runs `action` after `milliseconds`; the returned function cancels it. */
  after(milliseconds: number, action: () => void): () => void;
  /** Bounds work that may never end; without it, it is not bounded. */
  readonly guard?: Guard;
}

/** Runs `work` for so many milliseconds at most; not ok when it was ended. */
export type Guard = <T>(
  work: () => T,
  milliseconds: number,
) => { readonly ok: true; readonly value: T } | { readonly ok: false };

/** Runs `action` in a later turn, after keys; the returned function cancels it. */
export type Slices = (action: () => void) => () => void;

export function slicesOf(clock: Clock): Slices {
  return (action) => clock.after(0, action);
}

/** Lets keys, and what came meanwhile, have their turn. */
export function turnOf(clock: Clock): Promise<void> {
  return new Promise((resolve) => {
    clock.after(0, resolve);
  });
}

export const unbounded: Guard = (work) => ({ ok: true, value: work() });
