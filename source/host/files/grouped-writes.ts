import type { ArrivingFolders } from './arriving.ts';
import type { StagedFile } from './staged-file.ts';
import { placeWrites, type StoredTarget, storeWrites } from './write-group.ts';
import { type QueuedWrite, WriteQueue } from './write-queue.ts';
import { WrittenFiles } from './written-files.ts';

/** Most replaced or replaceable files that are held open for later writes. */
const maxHeldFiles = 512;

export interface GroupedWritesParts {
  readonly arriving: ArrivingFolders;
  /** Returns the root of a service's tree. */
  readonly rootOf: (deployment: string, service: string) => string;
  /** Throws when the files of a deployment must not change. */
  readonly assertOpen: (deployment: string) => void;
  /** Runs work after the deployment's earlier changes and before later ones. */
  readonly exclusively: (deployment: string, work: () => Promise<void>) => Promise<void>;
}

/** Groups of writes to a deployment, each of which begins before the last one ends. */
interface Burst {
  /** Groups that have begun and not ended. */
  groups: number;
  /** Made by the first group that stores its contents. */
  files: Promise<BurstFiles> | undefined;
}

interface BurstFiles {
  readonly folder: string;
  readonly written: WrittenFiles;
}

/** Contents of a group that are on the disk beside the trees. */
interface StoredGroup {
  readonly files: WrittenFiles;
  readonly targets: readonly StoredTarget[];
}

/** Writes of single files; those to a deployment that wait for each other share their syncs. */
export class GroupedWrites {
  readonly #parts: GroupedWritesParts;
  readonly #queue: WriteQueue<StoredGroup | undefined>;
  readonly #bursts = new Map<string, Burst>();
  readonly #held = { count: 0, max: maxHeldFiles };

  constructor(parts: GroupedWritesParts) {
    this.#parts = parts;
    this.#queue = new WriteQueue({
      store: (deployment, writes) => this.#store(deployment, writes),
      place: (deployment, stored) => this.#placeNext(deployment, stored),
    });
  }

  /** Writes a file. Resolves with its record once it is on the disk. */
  add(deployment: string, write: Omit<QueuedWrite, 'answer'>): Promise<StagedFile> {
    return this.#queue.add(deployment, write);
  }

  /** Lets later writes run after a change that is about to be queued. */
  close(deployment: string): void {
    this.#queue.close(deployment);
  }

  /** Stores the contents of a group. Never rejects. */
  async #store(
    deployment: string,
    writes: readonly QueuedWrite[],
  ): Promise<StoredGroup | undefined> {
    try {
      const { written: files } = await this.#filesOf(this.#burstOf(deployment), deployment);
      return { files, targets: await storeWrites(writes, files) };
    } catch (error) {
      this.#reject(deployment, writes, error);
      return undefined;
    }
  }

  /** Moves the contents of a group to their paths once it is their turn. Never rejects. */
  async #placeNext(deployment: string, stored: Promise<StoredGroup | undefined>): Promise<void> {
    const burst = this.#burstOf(deployment);
    burst.groups += 1;
    await this.#parts.exclusively(deployment, async () => {
      await this.#place(deployment, await stored);
      burst.groups -= 1;
      if (burst.groups > 0) return;
      this.#bursts.delete(deployment);
      await this.#end(burst, deployment);
    });
  }

  async #place(deployment: string, group: StoredGroup | undefined): Promise<void> {
    if (group === undefined) return;
    const { assertOpen, rootOf } = this.#parts;
    const { files, targets } = group;
    try {
      assertOpen(deployment);
      await placeWrites(targets, files, (service) => rootOf(deployment, service));
    } catch (error) {
      const writes = targets.flatMap((target) => target.writes);
      this.#reject(deployment, writes, error);
      await Promise.all(targets.map(({ file }) => files.drop(file)));
    }
  }

  /** Returns the burst that a deployment's next group belongs to. */
  #burstOf(deployment: string): Burst {
    let burst = this.#bursts.get(deployment);
    if (burst === undefined) {
      burst = { groups: 0, files: undefined };
      this.#bursts.set(deployment, burst);
    }
    return burst;
  }

  async #filesOf(burst: Burst, deployment: string): Promise<BurstFiles> {
    burst.files ??= this.#parts.arriving.make(deployment).then((folder) => ({
      folder,
      written: new WrittenFiles(folder, this.#held),
    }));
    try {
      return await burst.files;
    } catch (error) {
      burst.files = undefined;
      throw error;
    }
  }

  async #end({ files }: Burst, deployment: string): Promise<void> {
    if (files === undefined) return;
    const { folder, written } = await files;
    await written.close();
    // A folder that can't be removed is removed by the next host.
    await this.#parts.arriving.remove(deployment, folder).catch(() => undefined);
  }

  #reject(deployment: string, writes: readonly QueuedWrite[], error: unknown) {
    let reason = error;
    try {
      // The deployment may have been closed meanwhile, and its files removed.
      this.#parts.assertOpen(deployment);
    } catch (refusal) {
      reason = refusal;
    }
    for (const { answer } of writes) answer.reject(reason);
  }
}
