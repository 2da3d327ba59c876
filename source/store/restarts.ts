import { createStore, type StoreApi } from 'zustand/vanilla';
import type { DeploymentsClient } from '../client/client.ts';
import type { Result, ServiceError } from '../client/errors.ts';
import type { Clock } from './clock.ts';

/** What a deployment's restart is at. A deployment that is not listed is idle. */
export type Restart =
  | { readonly kind: 'restarting'; readonly since: number }
  /** Refused, or never arrived: the service runs as it did. */
  | { readonly kind: 'failed'; readonly at: number; readonly error: ServiceError }
  /** Sent, but no answer came: it may have happened. */
  | { readonly kind: 'unknown'; readonly at: number; readonly error: ServiceError };

export type Restarts = ReadonlyMap<string, Restart>;

export type RestartEvent =
  | { readonly kind: 'asked'; readonly deployment: string; readonly at: number }
  | {
      readonly kind: 'answered';
      readonly deployment: string;
      readonly at: number;
      readonly result: Result<void>;
    }
  /** Closed or no longer listed: nothing is left to restart. */
  | { readonly kind: 'gone'; readonly deployment: string };

/**
 * One restart at a time per deployment: asking while one is under way changes nothing, and an
 * answer that nobody waits for is dropped.
 */
export function reduceRestarts(restarts: Restarts, event: RestartEvent): Restarts {
  const current = restarts.get(event.deployment);
  const next = new Map(restarts);
  switch (event.kind) {
    case 'asked':
      if (current?.kind === 'restarting') return restarts;
      return next.set(event.deployment, { kind: 'restarting', since: event.at });
    case 'answered': {
      if (current?.kind !== 'restarting') return restarts;
      if (event.result.ok) {
        next.delete(event.deployment);
        return next;
      }
      const { error } = event.result;
      const kind = error.unknownOutcome ? 'unknown' : 'failed';
      return next.set(event.deployment, { kind, at: event.at, error });
    }
    case 'gone':
      return next.delete(event.deployment) ? next : restarts;
    default:
      return event satisfies never;
  }
}

export interface RestartsStore {
  readonly state: StoreApi<Restarts>;
  /** Sends one restart, unless one is under way; resolves with its outcome, or undefined then. */
  restart(deployment: string): Promise<Result<void> | undefined>;
  forget(deployment: string): void;
}

export function createRestarts(options: {
  readonly client: DeploymentsClient;
  readonly clock: Clock;
}): RestartsStore {
  const { client, clock } = options;
  const state = createStore<Restarts>(() => new Map());
  const apply = (event: RestartEvent) => {
    const before = state.getState();
    const after = reduceRestarts(before, event);
    if (after !== before) state.setState(after, true);
    return after !== before;
  };
  return {
    state,
    async restart(deployment) {
      if (!apply({ kind: 'asked', deployment, at: clock.now() })) return undefined;
      const asked = state.getState().get(deployment);
      const result = await client.restart(deployment);
      // Forgotten and asked for anew meanwhile: this answers a restart that nobody waits for.
      if (state.getState().get(deployment) === asked) {
        apply({ kind: 'answered', deployment, at: clock.now(), result });
      }
      return result;
    },
    forget(deployment) {
      apply({ kind: 'gone', deployment });
    },
  };
}
