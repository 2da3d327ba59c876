import { realpathSync, existsSync, statSync, type BigIntStats, lstatSync } from 'node:fs';
import path from 'node:path';
import { randomUUID } from 'node:crypto';
import { rmdir } from 'node:fs/promises';
import { Mutex } from '../records/mutex.ts';
import { parsePath } from './confine.ts';
import {
  byCopy,
  createFolder,
  byLink,
  byReadOnlyLink,
  syncFolder,
  writeTemporaryFile,
} from './disk.ts';
import { FileSnapshots } from './file-snapshots.ts';
import { undefinedIfMissing, hasErrorCode } from './missing.ts';
import { isDiskFull } from '../disk-space.ts';
import { conflict, Refusal } from '../refusal.ts';
import type { OpenTreeFile } from './opened-file.ts';
import { readPlan, type ReceivedFile, removePlan, writePlan } from './placing.ts';
import { type ExternalRuns, generationNumber, RunTrees } from './run-trees.ts';
import type { StagedFile } from './staged-file.ts';
import { FileTree } from './tree.ts';
import { removeTreeBelow } from './tree-removal.ts';
import { makeFolder } from '../../system/make-folder.ts';
import { FolderPath, openFolderPath } from './way.ts';

/** A service of a deployment. */
export interface ServiceKey {
  /** Id of the deployment. */
  readonly deployment: string;
  readonly service: string;
}

export interface PromotionOptions {
  /** Names of the services whose running copies nobody changes: links need no room. */
  readonly linked?: readonly string[];
  /**
   * Called on a full disk, to end what uses the generation before, which is removed then; without it, the
   * disk's error is thrown.
   */
  readonly makeRoom?: (() => Promise<void>) | undefined;
}

/** The files of a new generation: own ones, or read-only links to the staged ones. */
export type Promotion = 'copied' | 'read-only';

/** A file that a new deployment starts with. */
export interface SeedFile {
  readonly service: string;
  readonly path: string;
  readonly content: string;
}

/**
 * Stores the files of all deployments, each in a folder of its own:
 *
 *     staged/SERVICE/…            read and written by the API
 *     runs/GENERATION/SERVICE/…   used by services; a restart copies it from `staged`
 *     arriving/…                  incomplete uploads
 *     volumes/…                   persistent volumes of processes, which `VolumeFolders` creates
 *
 * A generation is valid once the deployment's record names it, so a restart is atomic even when the
 * host is killed; any other generation in `runs` is garbage. One that is recorded and missing is made at
 * the next start of the host: the one before it was removed to make room.
 */
export class Files {
  readonly snapshots: FileSnapshots;
  readonly #root: string;
  readonly #assertOpen: (deployment: string) => void;
  readonly #cache = new FileTextCache();
  readonly #locks = new Map<string, Mutex>();
  readonly #runs: RunTrees;
  readonly #arriving: ArrivingFolders;

  /**
   * @param dataDir existing data folder.
   * @param assertOpen throws when the files of a deployment must not change, as it is closed.
   * @param outside folder of run trees outside of the data folder.
   */
  constructor(
    dataDir: string,
    assertOpen: (deployment: string) => void = () => undefined,
    outside?: ExternalRuns,
  ) {
    this.#root = path.join(realpathSync(dataDir), 'deployments');
    this.#assertOpen = assertOpen;
    this.#runs = new RunTrees(this.#root, outside);
    this.snapshots = new FileSnapshots({
      root: this.#root,
      runs: this.#runs,
      exclusively: (deployment, work) => this.#exclusively(deployment, work),
    });
    this.#arriving = new ArrivingFolders(this.#root);
  }

  /** Creates the trees of a new deployment with their initial files, and generation 1. */
  async create(
    deployment: string,
    services: readonly string[],
    seeds: readonly SeedFile[] = [],
  ): Promise<void> {
    // The data folder itself may be accessible to other users.
    await createFolder(this.#root, 0o700);
    for (const service of services) await createFolder(this.#staged({ deployment, service }));
    for (const seed of seeds) {
      await this.write({ deployment, service: seed.service }, seed.path, seed.content);
    }
    await this.promote(deployment, 1);
  }

  /** Removes all files of a deployment, in a way that survives a power failure. */
  async remove(deployment: string): Promise<void> {
    await this.#exclusively(deployment, async () => {
      await this.#runs.removeExternal(deployment);
      await removeTreeBelow(this.#root, [], deployment);
      await undefinedIfMissing(syncFolder(this.#root));
    });
    this.#locks.delete(deployment);
  }

  /** Yields all files of a service in batches, sorted by path. */
  async *list(key: ServiceKey): AsyncGenerator<readonly StagedFile[]> {
    try {
      yield* new FileTree(this.#staged(key)).list();
    } catch (error) {
      throw this.#refusalOf(error, key.deployment);
    }
  }

  /** Opens a file for reading. The caller must close it. */
  open(key: ServiceKey, file: string): OpenTreeFile {
    try {
      return new FileTree(this.#staged(key)).open(file);
    } catch (error) {
      throw this.#refusalOf(error, key.deployment);
    }
  }

  /** Returns the cached text of a small file; undefined when the file has changed since. */
  cachedText(key: ServiceKey, file: string): string | undefined {
    return this.#cache.get(`${this.#staged(key)}/${file}`);
  }

  /** Caches the text that was derived from the content of an open, small file. */
  cacheText(key: ServiceKey, file: OpenTreeFile, text: string): void {
    if (file.isSmall)
      this.#cache.set(`${this.#staged(key)}/${file.record.path}`, file.stats(), text);
  }

  /** Writes a file, and resolves with its record once it is on the disk. */
  async write(key: ServiceKey, file: string, content: string): Promise<StagedFile> {
    parsePath(file);
    const { deployment } = key;
    // Contents are synced while earlier changes run; files are placed in the order of their writes.
    const folder = this.#arriving.make(deployment);
    const stored = folder.then((to) => writeTemporaryFile(to, (temp) => temp.writeFile(content)));
    const settled = stored.then(undefined, () => undefined);
    try {
      return await this.#change(deployment, async () => {
        const tree = new FileTree(this.#staged(key));
        const [record] = await tree.place([{ path: file, temporaryPath: await stored }]);
        if (record === undefined) throw conflict(`${file} was removed as it was written.`);
        // A service may have changed it meanwhile.
        return { ...record, size: Buffer.byteLength(content) };
      });
    } finally {
      await settled;
      await folder.then((made) => this.#arriving.remove(deployment, made)).catch(() => undefined);
    }
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
   * Calls `fill` with a folder to write files to, then moves them all to their paths. Changes
   * nothing when `fill` throws.
   */
  async receive(
    key: ServiceKey,
    fill: (folder: string) => Promise<readonly ReceivedFile[]>,
  ): Promise<readonly StagedFile[]> {
    const { deployment, service } = key;
    const folder = await this.#arriving.make(deployment);
    try {
      this.#assertOpen(deployment);
      const files = await fill(folder);
      return await this.#change(deployment, async () => {
        // The move of a single file is atomic without a plan.
        if (files.length > 1) await writePlan(folder, service, files);
        return await new FileTree(this.#staged(key)).place(files, () => removePlan(folder));
      });
    } catch (error) {
      // The deployment may have been closed meanwhile, and its files removed.
      this.#assertOpen(deployment);
      throw error;
    } finally {
      await this.#arriving.remove(deployment, folder);
    }
  }

  /** Makes a new generation of the staged files of all services of a deployment. */
  async promote(
    deployment: string,
    generation: number,
    { linked = [], makeRoom }: PromotionOptions = {},
  ): Promise<Promotion> {
    const transferOf = (name: string) => (linked.includes(name) ? byLink : byCopy);
    return await this.#change(deployment, async () => {
      try {
        await this.#runs.create(deployment, generation, transferOf);
        return 'copied';
      } catch (error) {
        if (makeRoom === undefined || !isDiskFull(error)) throw error;
      }
      await makeRoom();
      // A backup may be reading them.
      if (!this.snapshots.isHeld)
        await this.#runs.removeGenerations(deployment, () => true).catch(() => undefined);
      return await this.#createSparingly(deployment, generation, transferOf);
    });
  }

  /** Makes a generation of links, which nobody may write to, where there is no room for copies. */
  async #createSparingly(
    deployment: string,
    generation: number,
    transferOf: Parameters<RunTrees['create']>[2],
  ): Promise<Promotion> {
    try {
      await this.#runs.create(deployment, generation, transferOf);
      return 'copied';
    } catch (error) {
      if (!isDiskFull(error)) throw error;
      await this.#runs.create(deployment, generation, () => byReadOnlyLink);
      return 'read-only';
    }
  }

  /** Returns the folder that processes of a service run in. */
  runFolder(key: ServiceKey, generation: number): string {
    return this.#runs.folder(key.deployment, key.service, generation);
  }

  /** Removes the generations before the running one. */
  async removeGenerationsBefore(deployment: string, generation: number): Promise<void> {
    await this.snapshots.holdEnded();
    await this.#runs.removeGenerations(deployment, (name) => generationNumber(name) < generation);
  }

  /** Removes a generation that was copied and never ran. */
  async removeGeneration(deployment: string, generation: number): Promise<void> {
    await this.#runs.removeGenerations(deployment, (name) => generationNumber(name) === generation);
  }

  /**
   * Cleans up after a killed host: completes the placement of received files, and removes
   * incomplete uploads and all generations but this one, and the one `before` that it may go back to.
   * Makes this one when it is missing, unless the disk is full or the deployment has no folder, as one without
   * files in a data folder of the first version: a deployment does not keep the host from its start.
   */
  async recover(
    deployment: string,
    generation: number | undefined,
    before?: number,
  ): Promise<void> {
    await this.completeUploads(deployment);
    await this.#runs.migrate(deployment, generation);
    const kept = new Set([String(generation), String(before)]);
    await this.#runs.removeGenerations(deployment, (name) => !kept.has(name));
    if (generation === undefined || this.#runs.existing(deployment, generation) !== undefined)
      return;
    await this.#createSparingly(deployment, generation, () => byCopy).catch((error: unknown) => {
      if (!(isDiskFull(error) || error instanceof Refusal)) throw error;
    });
  }

  /** Completes the placement of received files that a killed host began; removes incomplete uploads. */
  async completeUploads(deployment: string): Promise<void> {
    await completeUnfinishedUploads(this.#root, deployment, (service) =>
      this.#staged({ deployment, service }),
    );
  }

  #staged(key: ServiceKey): string {
    return `${this.#root}/${key.deployment}/staged/${key.service}`;
  }

  /**
   * Runs a change alone. Checks again that the deployment is open, as the change may have waited.
   */
  async #change<T>(deployment: string, work: () => Promise<T>): Promise<T> {
    return await this.#exclusively(deployment, async () => {
      this.#assertOpen(deployment);
      return await work();
    });
  }

  /** Runs work on a deployment's files while no other work on them runs. */
  async #exclusively<T>(deployment: string, work: () => Promise<T>): Promise<T> {
    let lock = this.#locks.get(deployment);
    if (lock === undefined) this.#locks.set(deployment, (lock = new Mutex()));
    try {
      return await lock.run(work);
    } catch (error) {
      throw this.#refusalOf(error, deployment);
    }
  }

  /** Returns a 409 when another process interfered with the files, else the error itself. */
  #refusalOf(error: unknown, deployment: string): unknown {
    return refusalOfInterference(error, path.join(this.#root, deployment));
  }
}

/** Folders for files that are complete on the disk before they move into a deployment's trees. */
class ArrivingFolders {
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

/** Error codes when another process removed or replaced a file or folder meanwhile. */
const interferenceCodes = [
  'ENOENT',
  'ENOTDIR',
  'EISDIR',
  'ENOTEMPTY',
  'EEXIST',
  'ELOOP',
  'EACCES',
  'EPERM',
];

/**
 * Returns a 409 when another process interfered with the files of a deployment, else the error
 * itself.
 *
 * @param folder folder of the deployment, with its staged files.
 */
function refusalOfInterference(error: unknown, folder: string): unknown {
  const isInterference = hasErrorCode(error, ...interferenceCodes);
  const staged = path.join(folder, 'staged');
  const isOwnFolderIntact = statSync(staged, { throwIfNoEntry: false })?.isDirectory() === true;
  return isInterference && isOwnFolderIntact
    ? conflict('Another program changed the files meanwhile. Check them and try again.')
    : error;
}

/**
 * Completes the placement of received files that a killed host began; removes incomplete uploads.
 *
 * @param root folder of all deployments.
 * @param stagedOf returns the folder of a service's staged files.
 */
async function completeUnfinishedUploads(
  root: string,
  deployment: string,
  stagedOf: (service: string) => string,
): Promise<void> {
  const arriving = path.join(root, deployment, 'arriving');
  for (const upload of await folderNames(root, [deployment, 'arriving']))
    await completePlacement(path.join(arriving, upload), stagedOf);
  await removeTreeBelow(root, [deployment], 'arriving');
}

async function completePlacement(
  folder: string,
  stagedOf: (service: string) => string,
): Promise<void> {
  const plan = await readPlan(folder);
  if (plan === undefined) return;
  const { service, files } = plan;
  const remaining = files.filter(({ temporaryPath }) => existsSync(temporaryPath));
  try {
    await new FileTree(stagedOf(service)).place(remaining);
  } catch (error) {
    // A service has created an obstacle since; the upload's client never got an answer.
    if (!(error instanceof Refusal)) throw error;
  }
}

/** Resolves with the entries of a folder below the root; none when the folder is missing. */
async function folderNames(root: string, folders: readonly string[]): Promise<readonly string[]> {
  const opened = await openFolderPath(root, folders);
  if (!(opened instanceof FolderPath)) return [];
  await using folderPath = opened;
  return (await folderPath.end.names()).map(({ name }) => name.toString());
}

interface CacheEntry {
  readonly stats: BigIntStats;
  readonly text: string;
}

/** Most characters of all cached texts. */
const maxCharacters = 8 * 1024 * 1024;

/**
 * Coarsest granularity of time stamps among file systems; two changes within it may have the same
 * time stamp.
 */
const timestampMs = 2000;

/**
 * Caches texts derived from files while the files' inode, size and times stay the same. Reading the
 * stats is much faster than reading the file, and a link in its place has other stats.
 */
export class FileTextCache {
  readonly #entries = new Map<string, CacheEntry>();
  #characters = 0;

  /**
   * Returns the cached text of the file at a path; undefined when it isn't cached or has changed.
   */
  get(path: string): string | undefined {
    const entry = this.#entries.get(path);
    if (entry === undefined) return undefined;
    const stats = lstatSync(path, { bigint: true, throwIfNoEntry: false });
    if (stats !== undefined && isSame(stats, entry.stats)) return entry.text;
    this.#evict(path, entry);
    return undefined;
  }

  /** Caches the text of a file; `stats` must be taken after the file was read. */
  set(path: string, stats: BigIntStats, text: string): void {
    const previous = this.#entries.get(path);
    if (previous !== undefined) this.#evict(path, previous);
    const changed = Number(stats.ctimeMs > stats.mtimeMs ? stats.ctimeMs : stats.mtimeMs);
    if (Math.abs(Date.now() - changed) < timestampMs || text.length > maxCharacters) return;
    this.#entries.set(path, { stats, text });
    this.#characters += text.length;
    for (const [oldest, entry] of this.#entries) {
      if (this.#characters <= maxCharacters) return;
      this.#evict(oldest, entry);
    }
  }

  #evict(path: string, { text }: CacheEntry): void {
    this.#entries.delete(path);
    this.#characters -= text.length;
  }
}

function isSame(one: BigIntStats, other: BigIntStats): boolean {
  return (
    one.ino === other.ino &&
    one.dev === other.dev &&
    one.size === other.size &&
    one.mtimeNs === other.mtimeNs &&
    one.ctimeNs === other.ctimeNs &&
    one.mode === other.mode
  );
}
