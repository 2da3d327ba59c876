import type { Readable } from 'node:stream';
import type { EngineService, EngineTask, ServiceSpec } from '../engine/swarm-api.ts';
import type { Nodes } from './nodes.ts';

/** All that a cluster has of a host. */
export interface Snapshot {
  readonly services: readonly EngineService[];
  readonly tasks: readonly EngineTask[];
  readonly nodes: Nodes;
}

/**
 * The calls by which a host drives the engine of a cluster for its services. Services and tasks have the
 * form of Docker's, which another engine's driver translates; `docs/cluster.md` says into what.
 */
export interface Orchestrator {
  /** Marks all services as those of this host, after which no update of an earlier one is accepted. */
  takeOver(): Promise<void>;
  /** Resolves with what the cluster has now: with the same object as before when nothing has changed. */
  snapshot(): Promise<Snapshot>;
  readNodes(): Promise<Nodes>;
  /** Creates a network that the services of a deployment share, unless it exists. */
  ensureNetwork(name: string, deployment: string): Promise<void>;
  /** Removes a network; rejects while tasks use it. */
  removeNetwork(name: string): Promise<void>;
  /** Creates a service, or replaces an unequal one. Resolves with what was done. */
  apply(spec: ServiceSpec): Promise<'created' | 'updated' | 'unchanged'>;
  /** Ends the tasks of a service, whose output can then be read until it is removed. */
  park(service: Pick<EngineService, 'id'>): Promise<void>;
  remove(service: Pick<EngineService, 'id'>): Promise<void>;
  /**
   * Follows the output of a task until the signal is aborted.
   *
   * @param since seconds since the epoch with a fraction, inclusive; undefined for all of it.
   */
  follow(task: string, since: string | undefined, signal: AbortSignal): Promise<Readable>;
  /** Resolves with the output of a task that has ended: its body ends after the last line. */
  readRest(task: string, since: string | undefined, signal: AbortSignal): Promise<Readable>;
}
