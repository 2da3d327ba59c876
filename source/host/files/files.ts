import { randomUUID } from 'node:crypto';
import { existsSync, realpathSync, statSync } from 'node:fs';
import { mkdir, rmdir } from 'node:fs/promises';
import path from 'node:path';
import { Mutex } from '../records/mutex.ts';
import { conflict, Refusal } from '../refusal.ts';
import { makeFolder, writeTemporary } from './disk.ts';
import { KnownFiles } from './known-files.ts';
import { hasCode } from './missing.ts';
import type { OpenTreeFile } from './opened-file.ts';
import type { ArrivedFile } from './placing.ts';
import { dropPlan, readPlan, writePlan } from './plan.ts';
import { type OutsideRuns, RunTrees } from './run-trees.ts';
import type { StagedFile } from './staged-file.ts';
import { FileTree } from './tree.ts';
import { removeTree } from './tree-removal.ts';
import { goDown, FolderPath } from './way.ts';

/** A service of a deployment. */
export interface ServiceKey {
  /** Id of the deployment. */
  readonly deployment: string;
  readonly service: string;
}

/** A file that a new deployment starts with. */
export interface SeedFile {
  readonly service: string;
  readonly path: string;
  readonly content: string;
}

/** What the system says when a file or folder has become something else under the host's hands. */
const meddled = ['ENOENT', 'ENOTDIR', 'EISDIR', 'ENOTEMPTY', 'EEXIST', 'ELOOP', 'EACCES', 'EPERM'];

/**
 * The files of all deployments, one folder each:
 *
 *     staged/SERVICE/…            what the API reads and writes
 *     runs/GENERATION/SERVICE/…   what processes run in; copied from staged by a restart
 *     arriving/…                  uploads that are not complete
 *
 * A generation counts once the deployment's record names it, so that a restart takes effect as a
 * whole or not at all, whatever dies; everything else in `runs` is a leftover.
 */
export class Files {
  readonly #root: string;
  readonly #assertOpen: (deployment: string) => void;
  readonly #known = new KnownFiles();
  readonly #locks = new Map<string, Mutex>();
  readonly #runs: RunTrees;

  /**
   * The data folder must be there. `assertOpen` throws for a deployment whose files are not to be
   * changed any more.
   */
  constructor(
    dataDir: string,
    assertOpen: (deployment: string) => void = () => undefined,
    outside?: OutsideRuns,
  ) {
    this.#root = path.join(realpathSync(dataDir), 'deployments');
    this.#assertOpen = assertOpen;
    this.#runs = new RunTrees(this.#root, outside);
  }

  /** Makes the trees of a new deployment with their first files, and generation 1 of them. */
  async create(
    deployment: string,
    services: readonly string[],
    seeds: readonly SeedFile[] = [],
  ): Promise<void> {
    // The data folder itself may let others in.
    await makeFolder(this.#root, 0o700);
    for (const service of services) await makeFolder(this.#staged({ deployment, service }));
    for (const seed of seeds) {
      await this.write({ deployment, service: seed.service }, seed.path, seed.content);
    }
    await this.promote(deployment, 1);
  }

  /** Removes everything of a deployment. */
  async remove(deployment: string): Promise<void> {
    await this.#runs.removeOutside(deployment);
    await this.#remove([], deployment);
  }

  /** All files of a service by path, some at a time. */
  async *list(key: ServiceKey): AsyncGenerator<readonly StagedFile[]> {
    try {
      yield* new FileTree(this.#staged(key)).list();
    } catch (error) {
      throw this.#refusalOf(error, key.deployment);
    }
  }

  /** A file opened for reading. The caller closes it. */
  open(key: ServiceKey, file: string): OpenTreeFile {
    try {
      return new FileTree(this.#staged(key)).open(file);
    } catch (error) {
      throw this.#refusalOf(error, key.deployment);
    }
  }

  /** What was kept of a small file that is the very same since. */
  known(key: ServiceKey, file: string): string | undefined {
    return this.#known.of(`${this.#staged(key)}/${file}`);
  }

  /** Keeps what was made of the content of a file that is open. */
  keep(key: ServiceKey, file: OpenTreeFile, text: string): void {
    if (file.isSmall)
      this.#known.keep(`${this.#staged(key)}/${file.record.path}`, file.stats(), text);
  }

  async write(key: ServiceKey, file: string, content: string): Promise<StagedFile | undefined> {
    const records = await this.receive(key, async (arriving) => {
      const temporary = await writeTemporary(arriving, (handle) => handle.writeFile(content));
      return [{ path: file, temporary }];
    });
    return records[0];
  }

  async rename(key: ServiceKey, oldPath: string, newPath: string): Promise<StagedFile> {
    return await this.#change(key.deployment, () =>
      new FileTree(this.#staged(key)).rename(oldPath, newPath),
    );
  }

  async delete(key: ServiceKey, file: string): Promise<void> {
    await this.#change(key.deployment, () => new FileTree(this.#staged(key)).remove(file));
  }

  /**
   * Gives `fill` a folder to write files to, then puts them in their places in one go. When it
   * throws, nothing is changed.
   */
  async receive(
    key: ServiceKey,
    fill: (folder: string) => Promise<readonly ArrivedFile[]>,
  ): Promise<readonly StagedFile[]> {
    const folder = path.join(this.#root, key.deployment, 'arriving', randomUUID());
    await mkdir(folder, { recursive: true });
    try {
      const files = await fill(folder);
      return await this.#change(key.deployment, async () => {
        // One is moved as a whole anyway.
        if (files.length > 1) await writePlan(folder, key.service, files);
        return await new FileTree(this.#staged(key)).place(files, () => dropPlan(folder));
      });
    } finally {
      // Empty in most cases.
      await rmdir(folder).catch(() =>
        this.#remove([key.deployment, 'arriving'], path.basename(folder)),
      );
    }
  }

  /** Copies what is staged now, all services of the deployment, to a new generation. */
  async promote(deployment: string, generation: number): Promise<void> {
    await this.#alone(deployment, () => this.#runs.make(deployment, generation));
  }

  /** The folder that processes of a service run in. */
  runFolder(key: ServiceKey, generation: number): string {
    return this.#runs.folder(key.deployment, key.service, generation);
  }

  /** Removes generations older than the one that runs. */
  async forgetBefore(deployment: string, generation: number): Promise<void> {
    await this.#runs.forget(deployment, (name) => Number(name) < generation);
  }

  /** Removes a copy that is not to run after all. */
  async forgetCopy(deployment: string, generation: number): Promise<void> {
    await this.#runs.forget(deployment, (name) => name === String(generation));
  }

  /**
   * At the host's start: finishes what a killed host had begun to put in its places, and removes
   * what else it left, unfinished uploads and the copies that do not run: all but this generation's.
   */
  async tidy(deployment: string, generation: number | undefined): Promise<void> {
    const arriving = path.join(this.#root, deployment, 'arriving');
    for (const upload of await this.#names([deployment, 'arriving']))
      await this.#finish(deployment, path.join(arriving, upload));
    await this.#remove([deployment], 'arriving');
    await this.#runs.bring(deployment, generation);
    await this.#runs.forget(deployment, (name) => name !== String(generation));
  }

  async #finish(deployment: string, folder: string): Promise<void> {
    const plan = await readPlan(folder);
    if (plan === undefined) return;
    const { service, files } = plan;
    const rest = files.filter(({ temporary }) => existsSync(temporary));
    try {
      await new FileTree(this.#staged({ deployment, service })).place(rest);
    } catch (error) {
      // A service has put something in the way since; the upload was never answered.
      if (!(error instanceof Refusal)) throw error;
    }
  }

  /** Names in a folder below the root; none where there is no folder. */
  async #names(folders: readonly string[]): Promise<readonly string[]> {
    const way = await goDown(this.#root, folders);
    if (!(way instanceof FolderPath)) return [];
    await using found = way;
    return (await found.end.names()).map(({ name }) => name.toString());
  }

  /** Removes what is in a folder below the root. Services write there: no link is followed. */
  async #remove(folders: readonly string[], name: string): Promise<void> {
    const way = await goDown(this.#root, folders);
    if (!(way instanceof FolderPath)) return;
    await using found = way;
    await removeTree(found.end, name);
  }

  #staged(key: ServiceKey): string {
    return `${this.#root}/${key.deployment}/staged/${key.service}`;
  }

  /** The deployment may have been closed while the change waited for its turn. */
  async #change<T>(deployment: string, work: () => Promise<T>): Promise<T> {
    return await this.#alone(deployment, async () => {
      this.#assertOpen(deployment);
      return await work();
    });
  }

  async #alone<T>(deployment: string, work: () => Promise<T>): Promise<T> {
    let lock = this.#locks.get(deployment);
    if (lock === undefined) this.#locks.set(deployment, (lock = new Mutex()));
    try {
      return await lock.run(work);
    } catch (error) {
      throw this.#refusalOf(error, deployment);
    }
  }

  /** A 409 where it is the files that are not as they should be, else the error as it is. */
  #refusalOf(error: unknown, deployment: string): unknown {
    const isMeddled = hasCode(error, ...meddled);
    const staged = path.join(this.#root, deployment, 'staged');
    const isOwnInOrder = statSync(staged, { throwIfNoEntry: false })?.isDirectory() === true;
    return isMeddled && isOwnInOrder
      ? conflict('Another program changed the files meanwhile. Look at them and try again.')
      : error;
  }
}
