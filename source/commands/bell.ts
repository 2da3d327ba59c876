/** Something to wait for: that there may be more to do. One at a time may wait. */
export interface Bell {
  readonly ring: () => void;
  /** Resolves when it rings, or at once when it has rung since the last time. */
  readonly rung: () => Promise<void>;
  readonly stop: () => void;
}

/** Rings also when `signal` is aborted. */
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
