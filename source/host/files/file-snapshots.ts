import path from 'node:path';
import { copyTree, byLink } from './disk.ts';
import { Folder } from './folder.ts';
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

  /** True while files may not be removed. */
  get isHeld(): boolean {
    return this.#holdEnd !== undefined;
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
      // The host replaces staged files and never changes their content, so the links keep it.
      await copyTree(from, to, byLink);
      return true;
    });
  }

  /** Returns the folder of an existing generation of a deployment. */
  generationFolder(deployment: string, generation: number): string | undefined {
    return this.#parts.runs.existing(deployment, generation);
  }
}
