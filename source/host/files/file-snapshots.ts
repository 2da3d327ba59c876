import path from 'node:path';
import { maxSegments } from './confine.ts';
import { forEachConcurrently } from './disk.ts';
import { Folder } from './folder.ts';
import { undefinedIfMissing } from './missing.ts';
import type { RunTrees } from './run-trees.ts';

export interface FileSnapshotsParts {
  /** Folder of all deployments. */
  readonly root: string;
  readonly runs: RunTrees;
  /** Runs work after the deployment's earlier changes and before later ones. */
  readonly exclusively: <T>(deployment: string, work: () => Promise<T>) => Promise<T>;
}

/** Lets a backup read the files of deployments while they change. */
export class FileSnapshots {
  readonly #parts: FileSnapshotsParts;
  #holdEnd: Promise<void> | undefined;

  constructor(parts: FileSnapshotsParts) {
    this.#parts = parts;
  }

  /**
   * Keeps old generations and the files of closed deployments on the disk until the result is
   * disposed of. Throws while there is another hold.
   */
  hold(): Disposable {
    if (this.#holdEnd !== undefined) {
      throw new Error('Another backup of this host is running. Wait until it has ended.');
    }
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#holdEnd = promise;
    return {
      [Symbol.dispose]: () => {
        this.#holdEnd = undefined;
        resolve();
      },
    };
  }

  /** Resolves when files may be removed. */
  async holdEnded(): Promise<void> {
    while (this.#holdEnd !== undefined) await this.#holdEnd;
  }

  /**
   * Links the files of a folder of a deployment, such as `staged`, as they are at one moment, into an
   * empty folder of the same file system. Resolves with false when the deployment has no such folder.
   */
  async linkPart(deployment: string, part: string, target: string): Promise<boolean> {
    const { root, exclusively } = this.#parts;
    return await exclusively(deployment, async () => {
      await using from = await Folder.open(path.join(root, deployment, part));
      await using to = await Folder.open(target);
      if (!(from instanceof Folder && to instanceof Folder)) return false;
      await linkTree(from, to);
      return true;
    });
  }

  /** Returns the folder of an existing generation of a deployment. */
  generationFolder(deployment: string, generation: number): string | undefined {
    return this.#parts.runs.existing(deployment, generation);
  }
}

/**
 * Links the plain files of a tree into an empty folder. The host replaces files and never changes
 * their content, so the links keep the content. Skips links, other special files, and entries that
 * are removed meanwhile.
 *
 * @param depth depth of the folder below the root of the tree.
 */
async function linkTree(source: Folder, target: Folder, depth = 0): Promise<void> {
  const entries = await source.names();
  const files = entries.filter((entry) => entry.isFile());
  await forEachConcurrently(files, ({ name }) => undefinedIfMissing(source.linkTo(name, target)));
  const folders = depth < maxSegments ? entries.filter((entry) => entry.isDirectory()) : [];
  for (const { name } of folders) {
    await using from = await source.enter(name);
    // The entry may have been removed or replaced since.
    if (!(from instanceof Folder)) continue;
    await using to = await target.create(name);
    if (to instanceof Folder) await linkTree(from, to, depth + 1);
  }
}
