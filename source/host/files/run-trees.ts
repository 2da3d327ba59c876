import { lstatSync } from 'node:fs';
import { rename } from 'node:fs/promises';
import path from 'node:path';
import { conflict } from '../refusal.ts';
import { type byCopy, copyTree, createFolder, syncFolder } from './disk.ts';
import { Folder } from './folder.ts';
import { hasErrorCode } from './missing.ts';
import { removeDurably, removeTree } from './tree-removal.ts';
import { openFolderPath, FolderPath } from './way.ts';

const goneFolder = "The deployment's folder is no longer a folder.";

/** A folder of run trees outside of the data folder, accessible to the users of services. */
export interface ExternalRuns {
  readonly folder: string;
  /** False when only an earlier host with this data folder may have used it. */
  readonly isUsed: boolean;
}

/**
 * A folder that only the host can write to, and the segments from there to a deployment's trees.
 */
interface Location {
  readonly root: string;
  readonly segments: readonly string[];
}

/**
 * Manages the trees that processes run in: GENERATION/SERVICE for each deployment, in `runs` of its
 * folder. When services have their own users and no sandbox, the trees are outside of the data
 * folder: Node can't start a program in a folder whose parents its user can't access.
 */
export class RunTrees {
  readonly #root: string;
  readonly #outside: ExternalRuns | undefined;

  /** @param root folder of all deployments. */
  constructor(root: string, outside?: ExternalRuns) {
    this.#root = root;
    this.#outside = outside;
  }

  /** Returns the folder that processes of a service run in. */
  folder(deployment: string, service: string, generation: number): string {
    return path.join(locationPath(this.#used(deployment)), String(generation), service);
  }

  /** Returns the folder of an existing generation, also where only an earlier host put it. */
  existing(deployment: string, generation: number): string | undefined {
    const locations = [this.#used(deployment), this.#unused(deployment)];
    return locations
      .flatMap((location) => (location === undefined ? [] : [locationPath(location)]))
      .map((folder) => path.join(folder, String(generation)))
      .find((folder) => lstatSync(folder, { throwIfNoEntry: false })?.isDirectory() === true);
  }

  /**
   * Copies the staged trees of a deployment to a new generation.
   *
   * @param transferOf returns how a service gets its files.
   */
  async create(
    deployment: string,
    generation: number,
    transferOf: (service: string) => typeof byCopy,
  ): Promise<void> {
    const target = path.join(locationPath(this.#used(deployment)), String(generation));
    const copied = `${target}.new`;
    await using from = await Folder.open(path.join(this.#root, deployment, 'staged'));
    if (!(from instanceof Folder)) throw conflict(goneFolder);
    await this.removeGenerations(deployment, (name) => generationNumber(name) === generation);
    await createFolder(copied);
    await using to = await Folder.open(copied);
    if (!(to instanceof Folder)) throw conflict(goneFolder);
    for (const { name } of await from.names()) {
      await using service = await from.enter(name);
      await using tree = service instanceof Folder ? await to.create(name) : undefined;
      if (service instanceof Folder && tree instanceof Folder)
        await copyTree(service, tree, transferOf(name.toString()), 1);
    }
    await to.sync();
    // Renamed once it is complete: the name marks a complete generation after a kill.
    await rename(copied, target);
    await syncFolder(path.dirname(target));
  }

  /** Removes the generations, complete or not, for whose names `isOld` returns true. */
  async removeGenerations(deployment: string, isOld: (name: string) => boolean): Promise<void> {
    await removeGenerations(this.#used(deployment), isOld);
  }

  /** Removes the deployment's trees outside of the data folder. */
  async removeExternal(deployment: string): Promise<void> {
    if (this.#outside !== undefined) await removeDurably(this.#outside.folder, deployment);
  }

  /** Moves a generation from the location of an earlier host to this one, and empties the other. */
  async migrate(deployment: string, generation: number | undefined): Promise<void> {
    const other = this.#unused(deployment);
    if (other === undefined) return;
    const name = String(generation);
    const opened = await openFolderPath(other.root, other.segments);
    if (!(opened instanceof FolderPath)) return;
    await using source = opened;
    if (generation !== undefined) {
      const used = this.#used(deployment);
      await createFolder(locationPath(used));
      await using target = await openFolderPath(used.root, used.segments).then(assertFolderPath);
      const exists = (await target.end.stat(name)) !== undefined;
      if (!exists && (await source.end.stat(name)) !== undefined) {
        await move(name, source.end, target.end);
      }
    }
    await removeGenerations(other, () => true);
  }

  #used(deployment: string): Location {
    const { folder, isUsed = false } = this.#outside ?? {};
    return isUsed && folder !== undefined
      ? { root: folder, segments: [deployment] }
      : { root: this.#root, segments: [deployment, 'runs'] };
  }

  #unused(deployment: string): Location | undefined {
    if (this.#outside === undefined) return undefined;
    const { folder, isUsed } = this.#outside;
    return isUsed
      ? { root: this.#root, segments: [deployment, 'runs'] }
      : { root: folder, segments: [deployment] };
  }
}

/** Returns the number of a generation, complete or not, by the name of its folder. */
export function generationNumber(name: string): number {
  return Number.parseInt(name, 10);
}

function locationPath({ root, segments }: Location): string {
  return path.join(root, ...segments);
}

function assertFolderPath(opened: Awaited<ReturnType<typeof openFolderPath>>): FolderPath {
  if (opened instanceof FolderPath) return opened;
  throw conflict('The folder of the run trees is no longer a folder.');
}

async function move(name: string, from: Folder, to: Folder): Promise<void> {
  try {
    await from.moveTo(name, to, name);
  } catch (error) {
    if (!hasErrorCode(error, 'EXDEV')) throw error;
    // Renamed once the copy is complete: the name marks a complete generation after a kill.
    const copied = `${name}.moving`;
    await removeTree(to, copied);
    await using source = await from.enter(name);
    await using target = await to.create(copied);
    if (!(source instanceof Folder && target instanceof Folder)) return;
    await copyTree(source, target);
    await to.moveTo(copied, to, name);
  }
}

async function removeGenerations(
  { root, segments }: Location,
  isOld: (name: string) => boolean,
): Promise<void> {
  const opened = await openFolderPath(root, segments);
  if (!(opened instanceof FolderPath)) return;
  await using runs = opened;
  const names = (await runs.end.names()).map(({ name }) => name);
  const old = names.filter((name) => isOld(name.toString()));
  // One failure must not stop the others: a generation that is being copied to can't be removed.
  const results = await Promise.allSettled(old.map((name) => removeTree(runs.end, name)));
  const failed = results.find((result) => result.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
}
