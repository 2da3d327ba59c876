import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { rmdir } from 'node:fs/promises';
import path from 'node:path';
import { removeTreeBelow } from './tree-removal.ts';
import { makeFolder } from '../../system/make-folder.ts';

/** Folders for files that are complete on the disk before they move into a deployment's trees. */
export class ArrivingFolders {
  readonly #root: string;

  /** @param root folder of all deployments. */
  constructor(root: string) {
    this.#root = root;
  }

  /** Creates an empty folder. */
  async make(deployment: string): Promise<string> {
    const folder = path.join(this.#root, deployment, 'arriving', randomUUID());
    await makeFolder(folder);
    return folder;
  }

  /** Removes a folder, and what creating it has left after the deployment's files were removed. */
  async remove(deployment: string, folder: string): Promise<void> {
    // The folder is empty in most cases.
    await rmdir(folder).catch(() =>
      removeTreeBelow(this.#root, [deployment, 'arriving'], path.basename(folder)),
    );
    const files = path.join(this.#root, deployment);
    if (existsSync(path.join(files, 'staged'))) return;
    for (const each of [path.join(files, 'arriving'), files]) {
      await rmdir(each).catch(() => undefined);
    }
  }
}
