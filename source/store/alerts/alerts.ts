/** Alerts about everything that needs attention, until somebody looks at it. */
import { createStore, type StoreApi } from 'zustand/vanilla';
import type { Deployment } from '../../contract/deployments.ts';
import type { LowDisk } from '../../contract/disk-header.ts';
import { createEndingSearch, type EndingSources } from '../grants/ending-search.ts';
import type { GrantEnd } from '../grants/runway.ts';
import type { Listing } from '../lists/listing.ts';
import type { AlertKind } from './alert-kinds.ts';
import type { Attention } from './attention.ts';
import { alertOf } from './condition.ts';

/** Something that needs attention: a failing deployment, an ending grant, a low disk, a rejected token. */
export type Alert =
  | { readonly about: 'deployment' | 'grant'; readonly id: string }
  | { readonly about: 'token' | 'disk' };

/** The parts of a service that may need attention. */
export interface AlertSources extends EndingSources {
  readonly grants: EndingSources['grants'] & Pick<StoreApi<unknown>, 'subscribe'>;
  readonly deployments: Pick<StoreApi<Listing<Deployment>>, 'getState' | 'subscribe'>;
  readonly attention: Pick<Attention, 'state'>;
  /** Returns the space of the service's disk while that is low. */
  readonly lowDisk: () => LowDisk | undefined;
}

/** A cause that begins opens an alert, and its end closes it. */
export class Alerts {
  /** Alerts that nobody has looked at since they began, newest first; each stays the same object. */
  readonly state = createStore<readonly Alert[]>(() => []);
  /** All alerts whose cause goes on, looked at or not, newest first. */
  readonly active = createStore<readonly Alert[]>(() => []);
  readonly #sources: AlertSources;
  readonly #endings: () => ReadonlyMap<string, GrantEnd>;
  readonly #subscriptions: readonly (() => void)[];
  #grantEndings: ReadonlyMap<string, GrantEnd> = new Map();
  #lastClosed: Alert | undefined;

  constructor(sources: AlertSources) {
    this.#sources = sources;
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

  /** Ends of the grants that stop paying within a day, by the id of the grant. */
  get grantEndings(): ReadonlyMap<string, GrantEnd> {
    return this.#grantEndings;
  }

  lowDisk(): LowDisk | undefined {
    return this.#sources.lowDisk();
  }

  /** Returns the kinds of all alerts whose cause goes on, newest first. */
  kinds(): readonly AlertKind[] {
    return this.active.getState().flatMap((alert) => this.#kindOf(alert) ?? []);
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
    const current = new Map(this.#causes().map((alert) => [keyOf(alert), alert]));
    const active = this.active.getState();
    const kept = active.filter((alert) => current.delete(keyOf(alert)));
    if (current.size === 0 && kept.length === active.length) return;
    const begun = [...current.values()];
    const open = new Set(this.state.getState());
    this.active.setState([...begun, ...kept], true);
    this.state.setState([...begun, ...kept.filter((alert) => open.has(alert))], true);
  }

  /** Returns all that needs attention, the most urgent first. */
  #causes(): readonly Alert[] {
    const { attention, deployments, lowDisk } = this.#sources;
    const isRejected = deployments.getState().error?.code === 'unauthorized';
    return [
      ...(isRejected ? [{ about: 'token' } as const] : []),
      ...(lowDisk() === undefined ? [] : [{ about: 'disk' } as const]),
      ...attention.state.getState().alerting.map((id) => ({ about: 'deployment', id }) as const),
      ...Array.from(this.#grantEndings.keys(), (id) => ({ about: 'grant', id }) as const),
    ];
  }

  #kindOf(alert: Alert): AlertKind | undefined {
    switch (alert.about) {
      case 'deployment': {
        const { conditions } = this.#sources.attention.state.getState();
        const condition = conditions.get(alert.id);
        return condition && alertOf(condition);
      }
      case 'grant':
        return 'grant ending';
      case 'token':
        return 'token rejected';
      case 'disk':
        return 'disk low';
    }
  }
}

function keyOf(alert: Alert): string {
  return 'id' in alert ? `${alert.about} ${alert.id}` : alert.about;
}
