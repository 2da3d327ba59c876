import { isDeepStrictEqual } from 'node:util';
import { createStore, type StoreApi } from 'zustand/vanilla';
import type { DeploymentsClient } from '../../client/deployments.ts';
import type { DecodedRecord } from '../../client/decode/fields.ts';
import type { Result } from '../../client/http/errors.ts';
import { type Deployment, isClosedState } from '../../contract/deployments.ts';
import type { Clock } from '../time/clock.ts';
import type { KeyPause } from '../time/key-pause.ts';
import { createListing, type ListingStore } from '../lists/listing.ts';

export interface DeploymentsStore {
  readonly list: ListingStore<Deployment>;
  /** Answers to "get deployment" by id; some services list fewer fields. */
  readonly details: StoreApi<ReadonlyMap<string, DecodedRecord<Deployment>>>;
  /** Fetches the details of one deployment; ignores the answers to older requests. */
  fetch(id: string): Promise<Result<void>>;
}

/** Most details that are kept; each has a definition. The ones that changed last are kept. */
const maxDetails = 64;

/** Creates the store of deployments. */
export function createDeployments(options: {
  readonly client: DeploymentsClient;
  readonly clock: Clock;
  readonly keyPause?: Pick<KeyPause, 'workTurn'>;
}): DeploymentsStore {
  const { client, clock } = options;
  const details = createStore<ReadonlyMap<string, DecodedRecord<Deployment>>>(() => new Map());
  const latestRequests = new Map<string, symbol>();

  function setDetails(id: string, result: Result<DecodedRecord<Deployment>>): void {
    const next = new Map(details.getState());
    if (result.ok) {
      if (isDeepStrictEqual(next.get(id), result.value)) return;
      next.delete(id);
      next.set(id, result.value);
      for (const oldest of next.keys()) {
        if (next.size <= maxDetails) break;
        next.delete(oldest);
        latestRequests.delete(oldest);
      }
    } else if (result.error.code !== 'not-found' || !next.delete(id)) return;
    details.setState(next, true);
  }

  return {
    list: createListing<Deployment>({
      clock,
      key: (deployment) => deployment.id,
      fetchRows: (signal) => client.list(signal),
      keyPause: options.keyPause,
    }),
    details,
    async fetch(id) {
      const request = Symbol(id);
      latestRequests.set(id, request);
      const result = await client.get(id);
      if (latestRequests.get(id) === request) setDetails(id, result);
      return result.ok ? { ok: true, value: undefined } : result;
    },
  };
}

/** Returns the name of a deployment, or its short id without a name. */
export function deploymentLabel(deployment: Deployment): string {
  const { name = '' } = deployment;
  return name.trim() === '' ? shortId(deployment.id) : name;
}

/** Tells whether a deployment is closed, which is final. */
export function isClosed(deployment: Deployment): boolean {
  return isClosedState(deployment.state);
}

/** Returns the restarts of all services; undefined when none is counted. */
export function restartCount(services: Deployment['services']): number | undefined {
  let sum: number | undefined;
  for (const { restarts } of services) if (restarts !== undefined) sum = (sum ?? 0) + restarts;
  return sum;
}

/** Shortens an id to both ends, to fit a column. */
export function shortId(id: string): string {
  return id.length <= 16 ? id : `${id.slice(0, 6)}..${id.slice(-7)}`;
}

/**
 * Returns the deployment to open at the start: the one opened last if it is listed, else the first
 * active one, else the first.
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
