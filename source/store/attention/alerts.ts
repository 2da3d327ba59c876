/** The failures that nobody has looked at yet. */
import { createStore, type StoreApi } from 'zustand/vanilla';

/** Ids of the failing deployments, those that failed last first. */
interface Failures {
  readonly failing: readonly string[];
}

/** Ids of failing deployments that were not opened since they failed, newest first. */
export type OpenAlerts = readonly string[];

export interface Alerts {
  readonly state: Pick<StoreApi<OpenAlerts>, 'getState' | 'getInitialState' | 'subscribe'>;
  /**
   * Returns the next failing deployment: the newest open alert, else the failing one after `id` in
   * the order of the failures. Undefined when nothing fails.
   */
  next(id: string | undefined): string | undefined;
  /** Closes the alert of a deployment, because somebody looks at it. */
  close(id: string): void;
  stop(): void;
}

/** Creates the alerts; each failure opens one, and a recovery closes it. */
export function createAlerts(
  attention: Pick<StoreApi<Failures>, 'getState' | 'subscribe'>,
): Alerts {
  const state = createStore<OpenAlerts>(() => attention.getState().failing);
  const stop = attention.subscribe(({ failing }, before) => {
    if (failing === before.failing) return;
    const known = new Set(before.failing);
    const open = new Set(state.getState());
    state.setState(
      failing.filter((id) => open.has(id) || !known.has(id)),
      true,
    );
  });
  return {
    state,
    next(id) {
      const [alert] = state.getState();
      if (alert !== undefined) return alert;
      const { failing } = attention.getState();
      return failing[(id === undefined ? 0 : failing.indexOf(id) + 1) % failing.length];
    },
    close(id) {
      const open = state.getState();
      if (open.includes(id))
        state.setState(
          open.filter((one) => one !== id),
          true,
        );
    },
    stop,
  };
}
