import type { StagedFile } from './staged-file.ts';

/** A write of a whole file that waits for its turn. */
export interface QueuedWrite {
  readonly service: string;
  /** Path in the service's tree. */
  readonly path: string;
  readonly content: string;
  /** Receives the record once the file is on the disk, or the error of this write. */
  readonly answer: PromiseWithResolvers<StagedFile | undefined>;
}

/** The steps of groups of writes to one deployment. They settle each write, and never reject. */
export interface WriteSteps<Stored> {
  /** Puts the contents on the disk beside the trees. */
  store(deployment: string, writes: readonly QueuedWrite[]): Promise<Stored>;
  /** Moves the contents into the trees, after the deployment's earlier changes. */
  place(deployment: string, stored: Promise<Stored>): Promise<void>;
  /** Called after the last group, when no more writes wait. */
  rest(deployment: string): void;
}

/** Most writes of a group, and characters after which a group takes no further one. */
const maxGroup = { writes: 256, length: 4 * 1024 * 1024 };

/** Writes that run together; closed once it is stored or another change waits behind it. */
interface OpenGroup {
  readonly writes: QueuedWrite[];
  length: number;
}

/**
 * Collects the writes to each deployment while earlier ones run, so that they run as one group. A
 * group begins when the one before it is placed: two at a time would be smaller, and cost more syncs.
 */
export class WriteQueue<Stored> {
  readonly #open = new Map<string, OpenGroup>();
  /** The end of the last group of each deployment. */
  readonly #last = new Map<string, Promise<void>>();
  readonly #steps: WriteSteps<Stored>;

  constructor(steps: WriteSteps<Stored>) {
    this.#steps = steps;
  }

  /** Adds a write. Resolves with the file's record once the file is on the disk. */
  add(deployment: string, write: Omit<QueuedWrite, 'answer'>): Promise<StagedFile | undefined> {
    const answer = Promise.withResolvers<StagedFile | undefined>();
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

  /** Returns the deployments whose writes wait or run. */
  busy(): readonly string[] {
    return [...this.#last.keys()];
  }

  #begin(deployment: string): OpenGroup {
    const group: OpenGroup = { writes: [], length: 0 };
    this.#open.set(deployment, group);
    const stored = this.#store(deployment, group, this.#last.get(deployment));
    // In line from now on, so that no later change overtakes the group.
    const placed = this.#steps.place(deployment, stored);
    this.#last.set(deployment, placed);
    void this.#forget(deployment, placed);
    return group;
  }

  async #forget(deployment: string, placed: Promise<void>): Promise<void> {
    await placed;
    if (this.#last.get(deployment) !== placed) return;
    this.#last.delete(deployment);
    this.#steps.rest(deployment);
  }

  async #store(
    deployment: string,
    group: OpenGroup,
    before: Promise<void> | undefined,
  ): Promise<Stored> {
    await before;
    if (this.#open.get(deployment) === group) this.close(deployment);
    return await this.#steps.store(deployment, group.writes);
  }
}
