import { createStore, type StoreApi } from 'zustand/vanilla';
import type { Client } from '../../client/client.ts';
import type { LowDisk } from '../../contract/disk-header.ts';
import type { AlertKind } from '../attention/alert-kinds.ts';
import { type Alert, type Alerts, type AlertSource, createAlerts } from '../attention/alerts.ts';
import type { Attention } from '../attention/attention.ts';
import { alertOf } from '../attention/condition.ts';
import { createEndingSearch } from '../grants/ending-search.ts';
import type { GrantEnd } from '../grants/runway.ts';
import type { DeckClock, DeploymentsHandle, GrantsHandle } from './handles.ts';

/** The alerts of a service, and the grants that some of them are about. */
export interface DeckAlerts extends Alerts {
  /** Ends of the grants that stop paying within a day, by the id of the grant. */
  readonly grantEndings: Pick<StoreApi<ReadonlyMap<string, GrantEnd>>, 'getState' | 'subscribe'>;
  /** Returns the space of the service's disk while that is low. */
  lowDisk(): LowDisk | undefined;
  /** Returns the kinds of all alerts whose cause goes on, newest first. */
  kinds(): readonly AlertKind[];
}

/** Creates the alerts of failing deployments, of ending grants and of a token that is rejected. */
export function createDeckAlerts(options: {
  readonly attention: Pick<Attention, 'state'>;
  readonly deployments: Pick<DeploymentsHandle, 'list'>;
  readonly grants: Pick<GrantsHandle, 'list' | 'rates' | 'wallet'>;
  readonly clock: DeckClock;
  readonly client: Pick<Client, 'lowDisk'>;
}): DeckAlerts {
  const { attention, deployments, grants, clock, client } = options;
  const endings = createStore<ReadonlyMap<string, GrantEnd>>(() => new Map());
  const search = createEndingSearch({
    grants: grants.list.state,
    rateOf: (id) => grants.rates.rateOf(id),
    wallet: () => grants.wallet(),
    clock,
  });
  const endSearches = grants.list.state.subscribe(() => {
    const next = search();
    if (next.size > 0 || endings.getState().size > 0) endings.setState(next, true);
  });

  const failures: AlertSource = {
    active: () =>
      attention.state.getState().alerting.map((id) => ({ about: 'deployment', id }) as const),
    subscribe: (changed) =>
      attention.state.subscribe((now, before) => {
        if (now.alerting !== before.alerting) changed();
      }),
  };
  const grantAlerts: AlertSource = {
    active: () => [...endings.getState().keys()].map((id) => ({ about: 'grant', id }) as const),
    subscribe: (changed) => endings.subscribe(changed),
  };
  const { state: listing } = deployments.list;
  const token: AlertSource = {
    active: () => (listing.getState().error?.code === 'unauthorized' ? [{ about: 'token' }] : []),
    subscribe: (changed) =>
      listing.subscribe((now, before) => {
        if (now.error?.code !== before.error?.code) changed();
      }),
  };
  let isDiskLow = client.lowDisk() !== undefined;
  const disk: AlertSource = {
    active: () => (isDiskLow ? [{ about: 'disk' }] : []),
    subscribe: (changed) =>
      listing.subscribe(() => {
        const wasLow = isDiskLow;
        isDiskLow = client.lowDisk() !== undefined;
        if (isDiskLow !== wasLow) changed();
      }),
  };
  const alerts = createAlerts([token, disk, failures, grantAlerts]);

  function kindOf(alert: Alert): AlertKind | undefined {
    switch (alert.about) {
      case 'deployment': {
        const condition = attention.state.getState().conditions.get(alert.id);
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

  return {
    ...alerts,
    grantEndings: endings,
    lowDisk: () => client.lowDisk(),
    kinds: () => alerts.active.getState().flatMap((alert) => kindOf(alert) ?? []),
    stop() {
      endSearches();
      alerts.stop();
    },
  };
}
