import { lstatSync, realpathSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { syncFolder } from '../files/disk.ts';
import type { VolumeOwner } from './volume-folders.ts';

/** Folder of a deployment with what a backup has of its volumes on the container engine. */
export const engineVolumesFolder = 'engine-volumes';

/** Returns the path below the folder of a deployment at which a volume's content is, as a tar archive. */
export function engineVolumePath({ service, instance }: VolumeOwner, name: string): string {
  return [engineVolumesFolder, service, String(instance), `${name}.tar`].join('/');
}

/**
 * The contents of volumes that a restored backup brought to a data folder. Each stays until it is in
 * a volume of the engine, which is created before the first start of its instance.
 */
export class RestoredVolumes {
  readonly #root: string;

  constructor(dataDir: string) {
    this.#root = path.join(realpathSync(dataDir), 'deployments');
  }

  /** Returns the path of a volume's content; undefined without one. */
  find(owner: VolumeOwner, name: string): string | undefined {
    const file = path.join(this.#root, owner.deployment, engineVolumePath(owner, name));
    return lstatSync(file, { throwIfNoEntry: false })?.isFile() === true ? file : undefined;
  }

  /** Returns the folder of all contents that a deployment has; undefined without one. */
  folder(deployment: string): string | undefined {
    const folder = path.join(this.#root, deployment, engineVolumesFolder);
    const isThere = lstatSync(folder, { throwIfNoEntry: false })?.isDirectory() === true;
    return isThere ? folder : undefined;
  }

  /** Removes a content that is in its volume, in a way that survives a power failure. */
  async remove(file: string): Promise<void> {
    await rm(file, { force: true });
    await syncFolder(path.dirname(file));
  }
}
