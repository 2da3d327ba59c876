import { execFile } from 'node:child_process';
import { lstatSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import type { VolumeDefinition } from '../../contract/sdl/definition.ts';
import type { Folder } from '../files/folder.ts';
import { hasErrorCode } from '../files/missing.ts';
import { removeDurably, removeTree } from '../files/tree-removal.ts';
import { FolderPath, openFolderPath } from '../files/way.ts';
import type { VolumePlace } from './volume-place.ts';

/** An instance of a service, which has its own volumes. */
export interface VolumeOwner {
  /** Id of the deployment. */
  readonly deployment: string;
  readonly service: string;
  /** Number of the instance within its service, from 1. */
  readonly instance: number;
}

/** A folder of volumes outside of the data folder, accessible to the users of services. */
export interface ExternalVolumes {
  readonly folder: string;
  /** False when only an earlier host with this data folder may have used it. */
  readonly isUsed: boolean;
}

/** Folder of the temporary volumes of a generation; no service name begins with a dot. */
export const temporaryFolder = '.volumes';

/**
 * Decides where the volumes of processes are:
 *
 *     deployments/ID/volumes/SERVICE/INSTANCE/NAME                       persistent
 *     deployments/ID/runs/GENERATION/.volumes/SERVICE/INSTANCE/NAME      all others
 *
 * When services have their own users and no sandbox, both are outside of the data folder, like the
 * run trees: ID/SERVICE/INSTANCE/NAME in a folder of their own.
 */
export class VolumeFolders {
  readonly #root: string;
  readonly #outside: ExternalVolumes | undefined;

  constructor(dataDir: string, outside?: ExternalVolumes) {
    this.#root = path.join(realpathSync(dataDir), 'deployments');
    this.#outside = outside;
  }

  /**
   * Returns the place of a volume.
   *
   * @param tree folder of the service in the generation that the instance runs in.
   */
  place(
    { deployment, service, instance }: VolumeOwner,
    { name, kind }: VolumeDefinition,
    tree: string,
  ): VolumePlace {
    const segments = [service, String(instance), name];
    if (kind !== 'persistent') {
      return { root: path.dirname(tree), segments: [temporaryFolder, ...segments] };
    }
    return this.#outside?.isUsed === true
      ? { root: this.#outside.folder, segments: [deployment, ...segments] }
      : { root: this.#root, segments: [deployment, 'volumes', ...segments] };
  }

  /** Returns the folder of a deployment's persistent volumes, also where only an earlier host had it. */
  existing(deployment: string): string | undefined {
    const inside = path.join(this.#root, deployment, 'volumes');
    const outside =
      this.#outside === undefined ? [] : [path.join(this.#outside.folder, deployment)];
    const folders = this.#outside?.isUsed === true ? [...outside, inside] : [inside, ...outside];
    return folders.find(
      (folder) => lstatSync(folder, { throwIfNoEntry: false })?.isDirectory() === true,
    );
  }

  /** Removes the volumes of a deployment outside of the data folder; the others are its files. */
  async removeExternal(deployment: string): Promise<void> {
    if (this.#outside !== undefined) await removeDurably(this.#outside.folder, deployment);
  }

  /**
   * Moves the volumes of a deployment from the location of an earlier host to this one. No service of
   * the deployment may run.
   */
  async migrate(deployment: string): Promise<void> {
    if (this.#outside === undefined) return;
    const { folder, isUsed } = this.#outside;
    const inside = { root: this.#root, parents: [deployment], name: 'volumes' };
    const external = { root: folder, parents: [], name: deployment };
    await (isUsed ? move(inside, external) : move(external, inside));
  }
}

/** The folder of all volumes of a deployment. */
interface Location {
  readonly root: string;
  readonly parents: readonly string[];
  readonly name: string;
}

async function move(from: Location, to: Location): Promise<void> {
  const opened = await openFolderPath(from.root, from.parents);
  if (!(opened instanceof FolderPath)) return;
  await using source = opened;
  if ((await source.end.stat(from.name)) === undefined) return;
  const target = await openFolderPath(to.root, to.parents, { make: true });
  if (!(target instanceof FolderPath)) throw new Error('The folder of the volumes is a file.');
  await using parents = target;
  // A complete copy exists when an earlier host was killed before it removed the source.
  if ((await parents.end.stat(to.name)) === undefined) {
    try {
      await source.end.moveTo(from.name, parents.end, to.name);
    } catch (error) {
      if (!hasErrorCode(error, 'EXDEV')) throw error;
      await copy(from, to, parents.end);
    }
    await parents.end.sync();
  }
  await removeTree(source.end, from.name);
}

/** Copies volumes to another file system with the owners, links and modes of all entries. */
async function copy(from: Location, to: Location, parent: Folder): Promise<void> {
  const run = promisify(execFile);
  // Renamed once the copy is complete: the name marks that after a kill.
  const copied = `${to.name}.moving`;
  await removeTree(parent, copied);
  const source = path.join(from.root, ...from.parents, from.name);
  const target = path.join(to.root, ...to.parents, copied);
  const env = { PATH: '/usr/bin:/bin' };
  await run('cp', ['-a', '--', source, target], { env });
  await run('sync', ['-f', '--', target], { env });
  await parent.moveTo(copied, parent, to.name);
}
