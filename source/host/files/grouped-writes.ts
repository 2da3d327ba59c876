import type { ArrivingFolders } from './arriving.ts';
import type { StagedFile } from './staged-file.ts';
import { placeWrites, storeWrites, type WriteTarget } from './write-group.ts';
import { type QueuedWrite, WriteQueue } from './write-queue.ts';

export interface GroupedWritesParts {
  readonly arriving: ArrivingFolders;
  /** Returns the root of a service's tree. */
  readonly rootOf: (deployment: string, service: string) => string;
  /** Throws when the files of a deployment must not change. */
  readonly assertOpen: (deployment: string) => void;
  /** Runs work after the deployment's earlier changes and before later ones. */
  readonly exclusively: (deployment: string, work: () => Promise<void>) => Promise<void>;
}

/** Contents of a group that are on the disk, in a folder of their own. */
interface StoredGroup {
  readonly folder: string;
  readonly targets: readonly WriteTarget[];
}

/** Writes of single files; those to a deployment that wait for each other share their syncs. */
export class GroupedWrites {
  readonly #parts: GroupedWritesParts;
  readonly #queue: WriteQueue<StoredGroup | undefined>;

  constructor(parts: GroupedWritesParts) {
    this.#parts = parts;
    this.#queue = new WriteQueue({
      store: (deployment, writes) => this.#store(deployment, writes),
      place: (deployment, stored) =>
        parts.exclusively(deployment, () => this.#place(deployment, stored)),
    });
  }

  /** Writes a file. Resolves with its record once it is on the disk. */
  add(deployment: string, write: Omit<QueuedWrite, 'answer'>): Promise<StagedFile | undefined> {
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
    const { arriving } = this.#parts;
    try {
      const folder = await arriving.make(deployment);
      return { folder, targets: await storeWrites(writes, folder) };
    } catch (error) {
      this.#reject(deployment, writes, error);
      return undefined;
    }
  }

  /** Moves the contents of a group to their paths. Never rejects. */
  async #place(deployment: string, stored: Promise<StoredGroup | undefined>): Promise<void> {
    const { arriving, assertOpen, rootOf } = this.#parts;
    const group = await stored;
    if (group === undefined) return;
    try {
      assertOpen(deployment);
      await placeWrites(group.targets, (service) => rootOf(deployment, service));
    } catch (error) {
      const writes = group.targets.flatMap((target) => target.writes);
      this.#reject(deployment, writes, error);
    }
    // A folder that can't be removed is removed by the next host.
    await arriving.remove(deployment, group.folder).catch(() => undefined);
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
