import type { DeploymentState } from '../../contract/deployments.ts';
import type { DeploymentRecord } from '../deployment-record.ts';
import type { ServiceStatus } from './service-status.ts';

/** Keeps one deployment as it is wanted: its services on one generation of the files, or stopped. */
export interface Keeper {
  /**
   * Runs a generation of the files in place of the one that runs. Resolves when nothing needs the files
   * of the one before any more: its start began, or its rollout has ended, also by being undone.
   */
  run(generation: number): Promise<void>;
  /** Stops all instances. Resolves when all of them have ended. */
  stop(): Promise<void>;
  /**
   * Stops all instances until a restart runs the next generation. Missing where that one has to run before
   * the instances of the one before end.
   */
  pause?(): Promise<void>;
  state(): DeploymentState;
  /** Returns the status of all services, in the order of the definition. */
  services(): readonly ServiceStatus[];
}

/** Runs the deployments of a host: on this machine, or on others through their engine. */
export interface Backend {
  /** Returns the keeper of a deployment, which runs nothing until it is told to. */
  keep(record: DeploymentRecord): Keeper;
  /**
   * Resolves with a sentence when a restart on a generation of the files can't succeed now, so that
   * nothing is to be stopped for it; with undefined when it may.
   */
  findObstacle(record: DeploymentRecord, generation: number): Promise<string | undefined>;
  /** Takes over from an earlier host, and settles the charges of what it has left. */
  recover(): Promise<void>;
  /**
   * Removes the volumes that it has elsewhere of a deployment whose data is not kept any more; those
   * that can't be removed now are removed later. Never rejects.
   */
  removeVolumes(deployment: string): Promise<void>;
  /** Lets go of the deployments at the end of the host; the next one runs them again. */
  shutDown(keepers: Iterable<Keeper>): Promise<void>;
}
