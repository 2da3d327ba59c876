import { createStore, type StoreApi } from 'zustand/vanilla';
import type { DeploymentsClient, Read } from '../client/client.ts';
import type { Result } from '../client/errors.ts';
import type { Deployment } from '../contract/deployments.ts';
import type { Clock } from './clock.ts';
import { createListing, type ListingStore } from './listing.ts';

export interface DeploymentsStore {
  readonly list: ListingStore<Deployment>;
  /** Single deployments as "get deployment" answered, by id: more fields than some lists give. */
  readonly details: StoreApi<ReadonlyMap<string, Read<Deployment>>>;
  /** Fetches one deployment alone. */
  fetch(id: string): Promise<Result<void>>;
}

export function createDeployments(options: {
  readonly client: DeploymentsClient;
  readonly clock: Clock;
}): DeploymentsStore {
  const { client, clock } = options;
  const details = createStore<ReadonlyMap<string, Read<Deployment>>>(() => new Map());
  return {
    list: createListing<Deployment>({
      clock,
      key: (deployment) => deployment.id,
      fetchRows: (signal) => client.list(signal),
    }),
    details,
    async fetch(id) {
      const result = await client.get(id);
      if (!result.ok) return result;
      details.setState(new Map(details.getState()).set(id, result.value), true);
      return { ok: true, value: undefined };
    },
  };
}

/** The name people use for a deployment, or its shortened id when it has none. */
export function deploymentLabel(deployment: Deployment): string {
  if (deployment.name !== undefined && deployment.name !== '') return deployment.name;
  return shortId(deployment.id);
}

/** Both ends of an id: enough to tell two apart in a column. */
export function shortId(id: string): string {
  return id.length <= 16 ? id : `${id.slice(0, 7)}..${id.slice(-6)}`;
}

/**
 * The deployment to open at the start: the one opened last when it still runs or is at least
 * listed, else the first active one, else the first (screens, rule 13).
 */
export function deploymentToOpen(
  rows: readonly Read<Deployment>[],
  last: string | undefined,
): string | undefined {
  const ids = rows.map((row) => row.value.id);
  if (last !== undefined && ids.includes(last)) return last;
  const active = rows.find((row) => row.value.state?.toLowerCase() === 'active');
  return active?.value.id ?? ids[0];
}
