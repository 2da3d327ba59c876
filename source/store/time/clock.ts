/** The clock of the stores, injected so that tests control time. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Runs `action` after `milliseconds`; the returned function cancels it. */
  after(milliseconds: number, action: () => void): () => void;
  /** Time limit for work that may never end; no limit when undefined. */
  readonly guard?: Guard;
}

/** Runs `work` for at most `milliseconds`; not ok when the limit stopped it. */
export type Guard = <T>(
  work: () => T,
  milliseconds: number,
) => { readonly ok: true; readonly value: T } | { readonly ok: false };

/** Returns the time limit of a clock. */
export function guardOf({ guard }: Pick<Clock, 'guard'>): Guard {
  return guard ?? ((work) => ({ ok: true, value: work() }));
}

/** Resolves in a later turn of the event loop, after pending keys and data. */
export function turnOf(clock: Clock): Promise<void> {
  return new Promise((resolve) => {
    clock.after(0, resolve);
  });
}

/** Resolves after `milliseconds`, or as soon as `signal` is aborted. */
export function pause(clock: Clock, milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const finish = (): void => {
      cancel();
      signal.removeEventListener('abort', finish);
      resolve();
    };
    const cancel = clock.after(milliseconds, finish);
    signal.addEventListener('abort', finish);
    if (signal.aborted) finish();
  });
}
