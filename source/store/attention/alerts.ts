/** Alerts about everything that needs attention, until somebody looks at it. */
import { createStore, type StoreApi } from 'zustand/vanilla';

/** Something that needs attention: a failing deployment, an ending grant, a low disk, a rejected token. */
export type Alert =
  | { readonly about: 'deployment' | 'grant'; readonly id: string }
  | { readonly about: 'token' | 'disk' };

/** A part of the service that may need attention. */
export interface AlertSource {
  /** Returns all that needs attention, the most urgent first. */
  active(): readonly Alert[];
  subscribe(changed: () => void): () => void;
}

/** Alerts that nobody has looked at since they began, newest first. */
export type OpenAlerts = readonly Alert[];

export interface Alerts {
  /** An alert stays the same object while it is open. */
  readonly state: Pick<StoreApi<OpenAlerts>, 'getState' | 'getInitialState' | 'subscribe'>;
  /** All alerts whose cause goes on, looked at or not, newest first. */
  readonly active: Pick<StoreApi<OpenAlerts>, 'getState' | 'getInitialState' | 'subscribe'>;
  /**
   * Returns the next alert: the newest open one, else the one after the last that was closed, or
   * after the deployment `opened`, in the order in which they began. Undefined without any.
   */
  next(opened: string | undefined): Alert | undefined;
  /** Closes an alert, because somebody looks at what it is about. */
  close(alert: Alert): void;
  stop(): void;
}

/** Creates the alerts; a cause that begins opens one, and its end closes it. */
export function createAlerts(sources: readonly AlertSource[]): Alerts {
  const state = createStore<OpenAlerts>(() => []);
  const all = createStore<OpenAlerts>(() => []);
  let lastClosed: Alert | undefined;

  function update(): void {
    const current = new Map(
      sources.flatMap((source) => source.active()).map((alert) => [keyOf(alert), alert]),
    );
    const active = all.getState();
    const kept = active.filter((alert) => current.delete(keyOf(alert)));
    if (current.size === 0 && kept.length === active.length) return;
    const begun = [...current.values()];
    const open = new Set(state.getState());
    all.setState([...begun, ...kept], true);
    state.setState([...begun, ...kept.filter((alert) => open.has(alert))], true);
  }

  const ends = sources.map((source) => source.subscribe(update));
  update();
  return {
    state,
    active: all,
    next(opened) {
      const [open] = state.getState();
      if (open !== undefined) return open;
      const active = all.getState();
      const last = lastClosed?.about === 'deployment' ? undefined : lastClosed;
      const at = active.findIndex((alert) =>
        last === undefined ? alert.about === 'deployment' && alert.id === opened : alert === last,
      );
      return active[(at + 1) % active.length];
    },
    close(alert) {
      lastClosed = alert;
      const open = state.getState();
      if (!open.includes(alert)) return;
      state.setState(
        open.filter((one) => one !== alert),
        true,
      );
    },
    stop() {
      for (const end of ends) end();
    },
  };
}

function keyOf(alert: Alert): string {
  return 'id' in alert ? `${alert.about} ${alert.id}` : alert.about;
}
