import { isDeepStrictEqual } from 'node:util';
import { createStore, type StoreApi } from 'zustand/vanilla';
import type { DeploymentsClient, DecodedRecord } from '../../client/client.ts';
import type { Result } from '../../client/http/errors.ts';
import type { Deployment } from '../../contract/deployments.ts';
import type { Clock } from '../time/clock.ts';
import { createListing, type ListingStore } from '../lists/listing.ts';

export type { Deployment } from '../../contract/deployments.ts';

export interface DeploymentsStore {
  readonly list: ListingStore<Deployment>;
  /** Single deployments as "get deployment" answered, by id: more fields than some lists give. */
  readonly details: StoreApi<ReadonlyMap<string, DecodedRecord<Deployment>>>;
  /** Fetches one deployment alone; of several answers only that of the last request counts. */
  fetch(id: string): Promise<Result<void>>;
}

export function createDeployments(options: {
  readonly client: DeploymentsClient;
  readonly clock: Clock;
}): DeploymentsStore {
  const { client, clock } = options;
  const details = createStore<ReadonlyMap<string, DecodedRecord<Deployment>>>(() => new Map());
  const requested = new Map<string, symbol>();

  function keep(id: string, result: Result<DecodedRecord<Deployment>>): void {
    const known = new Map(details.getState());
    if (result.ok) {
      if (isDeepStrictEqual(known.get(id), result.value)) return;
      known.set(id, result.value);
    } else if (result.error.code !== 'not-found' || !known.delete(id)) return;
    details.setState(known, true);
  }

  return {
    list: createListing<Deployment>({
      clock,
      key: (deployment) => deployment.id,
      fetchRows: (signal) => client.list(signal),
    }),
    details,
    async fetch(id) {
      const request = Symbol(id);
      requested.set(id, request);
      const result = await client.get(id);
      if (requested.get(id) === request) keep(id, result);
      return result.ok ? { ok: true, value: undefined } : result;
    },
  };
}

/** The name people use for a deployment, or its shortened id when it has none. */
export function deploymentLabel(deployment: Deployment): string {
  const { name = '' } = deployment;
  return name.trim() === '' ? shortId(deployment.id) : name;
}

/** Nothing runs in it any more, and nothing will. */
export function isClosed(deployment: Deployment): boolean {
  return deployment.state?.toLowerCase() === 'closed';
}

/** Both ends of an id: enough to tell two apart in a column. */
export function shortId(id: string): string {
  return id.length <= 16 ? id : `${id.slice(0, 6)}..${id.slice(-7)}`;
}

/**
 * The deployment to open at the start: the one opened last when it still runs or is at least
 * listed, else the first active one, else the first (screens, rule 13).
 */
export function deploymentToOpen(
  rows: readonly DecodedRecord<Deployment>[],
  last: string | undefined,
): string | undefined {
  const ids = rows.map((row) => row.value.id);
  if (last !== undefined && ids.includes(last)) return last;
  const active = rows.find((row) => row.value.state?.toLowerCase() === 'active');
  return active?.value.id ?? ids[0];
}
