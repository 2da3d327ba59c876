/** Alerts about everything that needs attention, until somebody looks at it. */
import { createStore } from 'zustand/vanilla';
import { createEndingSearch } from '../grants/ending-search.ts';
import {
  type Alert,
  alertKind,
  type AlertSources,
  type AlertText,
  describeAlert,
  findAlerts,
  type GrantEndings,
} from './alert.ts';
import type { AlertKind } from './alert-kinds.ts';

/** A cause that begins opens an alert, and its end closes it. */
export class Alerts {
  /** Alerts that nobody has looked at since they began, newest first; each stays the same object. */
  readonly state = createStore<readonly Alert[]>(() => []);
  /** All alerts whose cause goes on, looked at or not, newest first. */
  readonly active = createStore<readonly Alert[]>(() => []);
  readonly sources: AlertSources;
  readonly #endings: () => GrantEndings;
  readonly #subscriptions: readonly (() => void)[];
  #grantEndings: GrantEndings = new Map();
  #lastClosed: Alert | undefined;

  constructor(sources: AlertSources) {
    this.sources = sources;
    this.#endings = createEndingSearch(sources);
    const update = (): void => this.#update();
    this.#subscriptions = [
      sources.attention.state.subscribe((now, before) => {
        if (now.alerting !== before.alerting) update();
      }),
      sources.deployments.subscribe(update),
      sources.grants.subscribe(() => {
        this.#grantEndings = this.#endings();
        update();
      }),
    ];
    update();
  }

  /** Returns the kinds of all alerts whose cause goes on, newest first. */
  kinds(): readonly AlertKind[] {
    return this.active.getState().flatMap((alert) => alertKind(this.sources, alert) ?? []);
  }

  /** Words an alert; undefined where its cause has ended. */
  describe(alert: Alert): AlertText | undefined {
    return describeAlert(this.sources, this.#grantEndings, alert);
  }

  /**
   * Returns the next alert: the newest open one, else the one after the last that was closed, or
   * after the deployment `opened`, in the order in which they began. Undefined without any.
   */
  next(opened: string | undefined): Alert | undefined {
    const [open] = this.state.getState();
    if (open !== undefined) return open;
    const active = this.active.getState();
    const last = this.#lastClosed?.about === 'deployment' ? undefined : this.#lastClosed;
    const at = active.findIndex((alert) =>
      last === undefined ? alert.about === 'deployment' && alert.id === opened : alert === last,
    );
    return active[(at + 1) % active.length];
  }

  /** Closes an alert, because somebody looks at what it is about. */
  close(alert: Alert): void {
    this.#lastClosed = alert;
    const open = this.state.getState();
    if (!open.includes(alert)) return;
    this.state.setState(
      open.filter((one) => one !== alert),
      true,
    );
  }

  stop(): void {
    for (const end of this.#subscriptions) end();
  }

  #update(): void {
    const found = findAlerts(this.sources, this.#grantEndings);
    const current = new Map(found.map((alert) => [keyOf(alert), alert]));
    const active = this.active.getState();
    const kept = active.filter((alert) => current.delete(keyOf(alert)));
    if (current.size === 0 && kept.length === active.length) return;
    const begun = [...current.values()];
    const open = new Set(this.state.getState());
    this.active.setState([...begun, ...kept], true);
    this.state.setState([...begun, ...kept.filter((alert) => open.has(alert))], true);
  }
}

function keyOf(alert: Alert): string {
  return 'id' in alert ? `${alert.about} ${alert.id}` : alert.about;
}
