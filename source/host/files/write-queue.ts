import type { StagedFile } from './staged-file.ts';

/** A write of a whole file that waits for its turn. */
export interface QueuedWrite {
  readonly service: string;
  /** Path in the service's tree. */
  readonly path: string;
  readonly content: string;
  /** Receives the record once the file is on the disk, or the error of this write. */
  readonly answer: PromiseWithResolvers<StagedFile>;
}

/** The two steps of a group of writes to one deployment. They settle each write, and never reject. */
export interface WriteSteps<Stored> {
  /** Puts the contents on the disk beside the trees. */
  store(deployment: string, writes: readonly QueuedWrite[]): Promise<Stored>;
  /** Moves the contents into the trees, after the deployment's earlier changes. */
  place(deployment: string, stored: Promise<Stored>): Promise<void>;
}

/** Most writes of a group, and characters after which a group takes no further one. */
const maxGroup = { writes: 256, length: 4 * 1024 * 1024 };

/** Writes that run together; closed once it is stored or another change waits behind it. */
interface OpenGroup {
  readonly writes: QueuedWrite[];
  length: number;
}

/** The last group of a deployment. */
interface LastGroup {
  readonly stored: Promise<unknown>;
  readonly placed: Promise<void>;
}

/**
 * Collects the writes to each deployment while earlier ones run, so that they run as one group. The
 * contents of a group are stored while the group before it is placed.
 */
export class WriteQueue<Stored> {
  readonly #open = new Map<string, OpenGroup>();
  readonly #last = new Map<string, LastGroup>();
  readonly #steps: WriteSteps<Stored>;

  constructor(steps: WriteSteps<Stored>) {
    this.#steps = steps;
  }

  /** Adds a write. Resolves with the file's record once the file is on the disk. */
  add(deployment: string, write: Omit<QueuedWrite, 'answer'>): Promise<StagedFile> {
    const answer = Promise.withResolvers<StagedFile>();
    const group = this.#open.get(deployment) ?? this.#begin(deployment);
    group.writes.push({ ...write, answer });
    group.length += write.content.length;
    if (group.writes.length >= maxGroup.writes || group.length >= maxGroup.length) {
      this.close(deployment);
    }
    return answer.promise;
  }

  /** Keeps later writes out of the waiting group, so that they don't overtake another change. */
  close(deployment: string): void {
    this.#open.delete(deployment);
  }

  #begin(deployment: string): OpenGroup {
    const group: OpenGroup = { writes: [], length: 0 };
    this.#open.set(deployment, group);
    const before = this.#last.get(deployment);
    const stored = this.#store(deployment, group, before);
    // In line from now on, so that no later change overtakes the group.
    const placed = this.#steps.place(deployment, stored);
    // A group waits for the one before it to be stored, and for the one before that to be placed.
    const last: LastGroup = { stored: Promise.all([stored, before?.placed]), placed };
    this.#last.set(deployment, last);
    void this.#forget(deployment, last);
    return group;
  }

  async #forget(deployment: string, last: LastGroup): Promise<void> {
    await last.placed;
    if (this.#last.get(deployment) === last) this.#last.delete(deployment);
  }

  async #store(
    deployment: string,
    group: OpenGroup,
    before: LastGroup | undefined,
  ): Promise<Stored> {
    await before?.stored;
    if (this.#open.get(deployment) === group) this.close(deployment);
    return await this.#steps.store(deployment, group.writes);
  }
}
