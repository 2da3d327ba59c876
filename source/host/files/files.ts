import { randomUUID } from 'node:crypto';
import { access, type FileHandle, mkdir, readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { Mutex } from '../mutex.ts';
import { keepDecision, readDecision } from './decision.ts';
import { copyTree, makeFolder, syncFolder, writeTemporary } from './disk.ts';
import { type ArrivedFile, FileTree, type StagedFile } from './tree.ts';

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
  readonly #locks = new Map<string, Mutex>();

  constructor(dataDir: string) {
    this.#root = path.join(dataDir, 'deployments');
  }

  /** Makes the trees of a new deployment with their first files, and generation 1 of them. */
  async create(
    deployment: string,
    services: readonly string[],
    seeds: readonly SeedFile[] = [],
  ): Promise<void> {
    for (const service of services) await makeFolder(this.#staged({ deployment, service }));
    for (const seed of seeds) {
      await this.write({ deployment, service: seed.service }, seed.path, seed.content);
    }
    await this.promote(deployment, 1);
  }

  /** Removes everything of a deployment. */
  async remove(deployment: string): Promise<void> {
    await rm(path.join(this.#root, deployment), { recursive: true, force: true });
  }

  async list(key: ServiceKey): Promise<readonly StagedFile[]> {
    return await new FileTree(this.#staged(key)).list();
  }

  /** A file opened for reading. The caller closes it. */
  async open(
    key: ServiceKey,
    file: string,
  ): Promise<{ readonly handle: FileHandle; readonly record: StagedFile }> {
    return await new FileTree(this.#staged(key)).open(file);
  }

  async write(key: ServiceKey, file: string, content: string): Promise<StagedFile | undefined> {
    const records = await this.receive(key, async (arriving) => {
      const temporary = await writeTemporary(arriving, (handle) => handle.writeFile(content));
      return [{ path: file, temporary }];
    });
    return records[0];
  }

  async rename(key: ServiceKey, oldPath: string, newPath: string): Promise<StagedFile> {
    return await this.#alone(key.deployment, () =>
      new FileTree(this.#staged(key)).rename(oldPath, newPath),
    );
  }

  async delete(key: ServiceKey, file: string): Promise<void> {
    await this.#alone(key.deployment, () => new FileTree(this.#staged(key)).remove(file));
  }

  /**
   * Gives `fill` a folder to write files to, then puts them in their places in one go, whatever
   * dies meanwhile. When it throws, nothing is changed.
   */
  async receive(
    key: ServiceKey,
    fill: (folder: string) => Promise<readonly ArrivedFile[]>,
  ): Promise<readonly StagedFile[]> {
    const folder = path.join(this.#root, key.deployment, 'arriving', randomUUID());
    await mkdir(folder, { recursive: true });
    try {
      const files = await fill(folder);
      const { service } = key;
      return await this.#alone(key.deployment, () =>
        new FileTree(this.#staged(key)).place(files, async (decided) => {
          // A single one is moved or not.
          if (decided.length > 1) await keepDecision(folder, { service, files: decided });
        }),
      );
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }

  /** Copies what is staged now, all services of the deployment, to a new generation. */
  async promote(deployment: string, generation: number): Promise<void> {
    await this.#alone(deployment, async () => {
      const target = path.join(this.#root, deployment, 'runs', String(generation));
      await rm(target, { recursive: true, force: true });
      await makeFolder(path.dirname(target));
      await copyTree(path.join(this.#root, deployment, 'staged'), target);
      await syncFolder(path.dirname(target));
    });
  }

  /** The folder that processes of a service run in. */
  runFolder(key: ServiceKey, generation: number): string {
    return path.join(this.#root, key.deployment, 'runs', String(generation), key.service);
  }

  /** Removes generations older than the one that runs. */
  async forgetBefore(deployment: string, generation: number): Promise<void> {
    await this.#forget(deployment, (name) => Number(name) < generation);
  }

  /**
   * At the host's start: ends what a killed host has begun. Uploads that were decided on are moved,
   * all others removed, and so are the copies that do not run: all but this generation's.
   */
  async tidy(deployment: string, generation: number | undefined): Promise<void> {
    const arriving = path.join(this.#root, deployment, 'arriving');
    for (const name of await readdir(arriving).catch(() => [])) {
      await this.#finish(deployment, path.join(arriving, name));
    }
    await rm(arriving, { recursive: true, force: true });
    await this.#forget(deployment, (name) => name !== String(generation));
  }

  async #finish(deployment: string, folder: string): Promise<void> {
    const decision = await readDecision(folder);
    if (decision === undefined) return;
    const { service, files } = decision;
    const isThere = await Promise.all(
      files.map(({ temporary }) => access(temporary).then(...yesOrNo)),
    );
    const rest = files.filter((_, index) => isThere[index]);
    // Nothing came between, so it is refused only where somebody else meddled with the tree.
    await new FileTree(this.#staged({ deployment, service })).place(rest).catch(() => undefined);
  }

  async #forget(deployment: string, isOld: (name: string) => boolean): Promise<void> {
    const runs = path.join(this.#root, deployment, 'runs');
    const names = await readdir(runs).catch(() => []);
    for (const name of names.filter(isOld)) {
      await rm(path.join(runs, name), { recursive: true, force: true });
    }
  }

  #staged(key: ServiceKey): string {
    return path.join(this.#root, key.deployment, 'staged', key.service);
  }

  #alone<T>(deployment: string, work: () => Promise<T>): Promise<T> {
    let lock = this.#locks.get(deployment);
    if (lock === undefined) this.#locks.set(deployment, (lock = new Mutex()));
    return lock.run(work);
  }
}

const yesOrNo = [() => true, () => false] as const;
