/** A signal that there may be more to do, for one waiter at a time. */
export interface Bell {
  readonly ring: () => void;
  /** Resolves at the next ring, or at once when the bell has rung since the last call. */
  readonly rung: () => Promise<void>;
  readonly stop: () => void;
}

/** Returns a bell that also rings when `signal` is aborted. */
export function createBell(signal: AbortSignal): Bell {
  let isRung = false;
  let wake = (): void => {};
  const ring = (): void => {
    isRung = true;
    wake();
  };
  signal.addEventListener('abort', ring);
  return {
    ring,
    async rung() {
      if (!isRung) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
      isRung = false;
    },
    stop: () => signal.removeEventListener('abort', ring),
  };
}
