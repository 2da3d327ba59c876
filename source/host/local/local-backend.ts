import type { DeploymentRecord } from '../deployment-record.ts';
import type { Deployments } from '../deployments.ts';
import type { Metering } from '../money/metering.ts';
import type { Runtime } from '../runtime/runtime.ts';
import type { Backend, Keeper } from '../supervisor/backend.ts';
import type { VolumeFolders } from '../volumes/volume-folders.ts';
import { LocalKeeper, type LocalKeeperOptions } from './local-keeper.ts';
import { StorageMeter } from './storage-meter.ts';

export interface LocalBackendParts
  extends Omit<LocalKeeperOptions, 'record' | 'readSdl' | 'meter' | 'onChange' | 'onRun'> {
  readonly deployments: Pick<Deployments, 'changes' | 'listOpen' | 'readSdl' | 'setApplied'>;
  readonly metering: Pick<Metering, 'begin' | 'end' | 'moment' | 'recover'>;
  readonly runtime: Runtime & { removeVolumes(deployment: string): Promise<void> };
  readonly volumes: Pick<VolumeFolders, 'place' | 'migrate'>;
}

/** Runs deployments on this machine. Their instances end with the host. */
export class LocalBackend implements Backend {
  readonly #parts: LocalBackendParts;
  readonly #meter: StorageMeter;

  constructor(parts: LocalBackendParts) {
    this.#parts = parts;
    this.#meter = new StorageMeter(parts.clock);
  }

  keep(record: DeploymentRecord): Keeper {
    const { deployments, metering } = this.#parts;
    return new LocalKeeper({
      ...this.#parts,
      meter: this.#meter,
      record,
      readSdl: () => deployments.readSdl(record),
      onChange: () => {
        deployments.changes.add(record);
      },
      onRun: (run) => metering.begin(run),
    });
  }

  /** Images are pulled when they start, and one that is here already needs no registry. */
  async findObstacle(): Promise<undefined> {
    return undefined;
  }

  /** Ends the runs of a killed host and their charges, and moves volumes to where this host has them. */
  async recover(): Promise<void> {
    const { deployments, metering, runtime, volumes, graceMs } = this.#parts;
    const found = metering.moment();
    metering.recover(await runtime.endOrphans(graceMs), found);
    for (const { id, appliedGeneration } of deployments.listOpen()) {
      await volumes.migrate(id);
      // A restart on one machine ends the version before, so there is none to go back to.
      if (appliedGeneration !== undefined) deployments.setApplied(id, undefined);
    }
  }

  async removeVolumes(deployment: string): Promise<void> {
    await this.#parts.runtime.removeVolumes(deployment);
  }

  async shutDown(keepers: Iterable<Keeper>): Promise<void> {
    await Promise.all(Array.from(keepers, (keeper) => keeper.stop()));
    this.#parts.metering.end();
  }
}
