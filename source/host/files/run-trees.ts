import path from 'node:path';
import { conflict } from '../refusal.ts';
import { copyTree, makeFolder, syncFolder } from './disk.ts';
import { Folder } from './folder.ts';
import { hasCode } from './missing.ts';
import { removeTree } from './tree-removal.ts';
import { goDown, FolderPath } from './way.ts';

/** A folder of run trees outside of the data folder, which services of other users may pass. */
export interface OutsideRuns {
  readonly folder: string;
  /** False where an earlier host on the data folder may have used it, and this one doesn't. */
  readonly isUsed: boolean;
}

/** A folder that the host alone can write to, and the way from there to a deployment's run trees. */
interface Place {
  readonly root: string;
  readonly segments: readonly string[];
}

/**
 * The trees that processes run in: GENERATION/SERVICE for each deployment, in `runs` of its own
 * folder. Where services have users of their own and no sandbox, they lie outside of the data
 * folder: Node starts no program in a folder whose parents its user may not pass.
 */
export class RunTrees {
  readonly #root: string;
  readonly #outside: OutsideRuns | undefined;

  /** @param root folder of all deployments. */
  constructor(root: string, outside?: OutsideRuns) {
    this.#root = root;
    this.#outside = outside;
  }

  /** Returns the folder that processes of a service run in. */
  folder(deployment: string, service: string, generation: number): string {
    return path.join(folderOf(this.#used(deployment)), String(generation), service);
  }

  /** Copies the staged trees of a deployment to a new generation. */
  async make(deployment: string, generation: number): Promise<void> {
    const target = path.join(folderOf(this.#used(deployment)), String(generation));
    await this.forget(deployment, (name) => name === String(generation));
    await makeFolder(target);
    await using from = await Folder.open(path.join(this.#root, deployment, 'staged'));
    await using to = await Folder.open(target);
    if (!(from instanceof Folder && to instanceof Folder)) {
      throw conflict('The folder of the deployment is none any more.');
    }
    await copyTree(from, to);
    await syncFolder(path.dirname(target));
  }

  /** Removes the generations that `isOld` names. */
  async forget(deployment: string, isOld: (name: string) => boolean): Promise<void> {
    await forgetIn(this.#used(deployment), isOld);
  }

  /** Removes all that lies outside of the deployment's folder. */
  async removeOutside(deployment: string): Promise<void> {
    if (this.#outside === undefined) return;
    await using root = await Folder.open(this.#outside.folder);
    if (root instanceof Folder) await removeTree(root, deployment);
  }

  /** Moves a generation here that an earlier host had in the other place, and empties that place. */
  async bring(deployment: string, generation: number | undefined): Promise<void> {
    const other = this.#unused(deployment);
    if (other === undefined) return;
    const name = String(generation);
    const from = await goDown(other.root, other.segments);
    if (!(from instanceof FolderPath)) return;
    await using source = from;
    if (generation !== undefined) {
      const used = this.#used(deployment);
      await makeFolder(folderOf(used));
      await using target = await goDown(used.root, used.segments).then(asWay);
      const isThere = (await target.end.look(name)) !== undefined;
      if (!isThere && (await source.end.look(name)) !== undefined) {
        await move(name, source.end, target.end);
      }
    }
    await forgetIn(other, () => true);
  }

  #used(deployment: string): Place {
    const { folder, isUsed = false } = this.#outside ?? {};
    return isUsed && folder !== undefined
      ? { root: folder, segments: [deployment] }
      : { root: this.#root, segments: [deployment, 'runs'] };
  }

  #unused(deployment: string): Place | undefined {
    if (this.#outside === undefined) return undefined;
    const { folder, isUsed } = this.#outside;
    return isUsed
      ? { root: this.#root, segments: [deployment, 'runs'] }
      : { root: folder, segments: [deployment] };
  }
}

function folderOf({ root, segments }: Place): string {
  return path.join(root, ...segments);
}

function asWay(found: Awaited<ReturnType<typeof goDown>>): FolderPath {
  if (found instanceof FolderPath) return found;
  throw conflict('The folder of the run trees is none any more.');
}

async function move(name: string, from: Folder, to: Folder): Promise<void> {
  try {
    await from.hand(name, to, name);
  } catch (error) {
    if (!hasCode(error, 'EXDEV')) throw error;
    // Under its own name only once it is whole: a killed host goes by the name.
    const copied = `${name}.moving`;
    await removeTree(to, copied);
    await using source = await from.enter(name);
    await using target = await to.make(copied);
    if (!(source instanceof Folder && target instanceof Folder)) return;
    await copyTree(source, target);
    await to.hand(copied, to, name);
  }
}

async function forgetIn(
  { root, segments }: Place,
  isOld: (name: string) => boolean,
): Promise<void> {
  const way = await goDown(root, segments);
  if (!(way instanceof FolderPath)) return;
  await using runs = way;
  const names = (await runs.end.names()).map(({ name }) => name);
  const old = names.filter((name) => isOld(name.toString()));
  // Each for itself: one that is being copied to cannot be removed yet.
  const results = await Promise.allSettled(old.map((name) => removeTree(runs.end, name)));
  const failed = results.find((result) => result.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
}
