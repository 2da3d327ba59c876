import { Refusal } from '../refusal.ts';
import type { ArrivingFolders } from './arriving.ts';
import { forEachConcurrently, syncFile } from './disk.ts';
import { hasErrorCode, interferenceCodes } from './missing.ts';
import type { StagedFile } from './staged-file.ts';
import { FolderPath, openFolderPath } from './way.ts';
import {
  placeWrites,
  type RefusedTarget,
  storeContents,
  targetsOf,
  type WriteTarget,
} from './write-group.ts';
import { type JournaledGroup, type JournaledWrite, WriteJournal } from './write-journal.ts';
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

/** Milliseconds after which the journal is emptied when nothing is written. */
const restMs = 500;

/** Files from which a group is worth the later emptying of an unused journal. */
const leastJournaled = 8;

/** Contents of a group that are on the disk: as files, or in the journal. */
interface StoredGroup {
  readonly folder: string;
  readonly targets: readonly WriteTarget[];
  /** Undefined when the contents are on the disk as files. */
  readonly group: JournaledGroup | undefined;
}

/** Writes of single files; those to a deployment that wait for each other share their syncs. */
export class GroupedWrites {
  readonly #parts: GroupedWritesParts;
  readonly #queue: WriteQueue<StoredGroup | undefined>;
  readonly #journal: WriteJournal;
  /** Timers that empty journals, by deployment. */
  readonly #timers = new Map<string, NodeJS.Timeout>();

  constructor(parts: GroupedWritesParts) {
    this.#parts = parts;
    this.#journal = new WriteJournal({
      folderOf: (deployment) => parts.arriving.folderOf(deployment),
      rootOf: parts.rootOf,
    });
    this.#queue = new WriteQueue({
      store: (deployment, writes) => this.#store(deployment, writes),
      place: (deployment, stored) =>
        parts.exclusively(deployment, () => this.#place(deployment, stored)),
      rest: (deployment) => {
        this.#settleLater(deployment);
      },
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

  /** Empties the journal of a deployment, before a change that a replay would undo. */
  async settle(deployment: string): Promise<void> {
    await this.#journal.settle(deployment);
  }

  /** Empties all journals, after the last write. Never rejects: the next host replays what is left. */
  async end(): Promise<void> {
    for (const timer of this.#timers.values()) clearTimeout(timer);
    const written = new Set([...this.#journal.unsettled(), ...this.#queue.busy()]);
    for (const deployment of written) await this.#trySettle(deployment);
  }

  /** Forgets the journal of a deployment whose files are removed. */
  forget(deployment: string): void {
    this.#journal.forget(deployment);
  }

  /** Writes the files again whose content is not that in the journal of an earlier host. */
  async replay(deployment: string): Promise<void> {
    const { arriving, rootOf } = this.#parts;
    for await (const { group, writes } of this.#journal.read(deployment)) {
      const missing: QueuedWrite[] = [];
      for (const write of writes) {
        const isThere = await hasContent(rootOf(deployment, write.service), write);
        if (!isThere) missing.push({ ...write, answer: Promise.withResolvers() });
      }
      const answers = Promise.allSettled(missing.map(({ answer }) => answer.promise));
      const folder = await arriving.make(deployment);
      const targets = await storeContents(targetsOf(missing), folder, false);
      rejectAll(await placeWrites(targets, (service) => rootOf(deployment, service), false));
      for (const answer of await answers) {
        // A service may have created an obstacle since.
        if (answer.status === 'rejected' && !isRefused(answer.reason)) throw answer.reason;
      }
      this.#journal.add(deployment, group);
    }
    await this.#journal.settle(deployment);
  }

  /** Stores the contents of a group. Never rejects. */
  async #store(
    deployment: string,
    writes: readonly QueuedWrite[],
  ): Promise<StoredGroup | undefined> {
    const { arriving } = this.#parts;
    try {
      const folder = await arriving.make(deployment);
      const wanted = targetsOf(writes);
      const isJournaled = wanted.length >= leastJournaled || this.#journal.isUsed(deployment);
      const targets = await storeContents(wanted, folder, !isJournaled);
      const group = isJournaled ? await this.#record(deployment, targets) : undefined;
      return { folder, targets, group };
    } catch (error) {
      this.#reject(deployment, writes, error);
      return undefined;
    }
  }

  /** Writes the contents of stored files to the journal; syncs the files when it can't be written. */
  async #record(
    deployment: string,
    targets: readonly WriteTarget[],
  ): Promise<JournaledGroup | undefined> {
    const writes = targets.flatMap((target) => target.writes.at(-1) ?? []);
    try {
      return await this.#journal.record(deployment, writes);
    } catch {
      await forEachConcurrently(targets, ({ temporary }) => syncFile(temporary));
      return undefined;
    }
  }

  /** Moves the contents of a group to their paths. Never rejects. */
  async #place(deployment: string, stored: Promise<StoredGroup | undefined>): Promise<void> {
    const { arriving, assertOpen, rootOf } = this.#parts;
    const made = await stored;
    if (made === undefined) return;
    const { folder, targets, group } = made;
    let refused: readonly RefusedTarget[];
    try {
      assertOpen(deployment);
      // A replay must not write an older content again.
      if (group === undefined) await this.#journal.settle(deployment);
      refused = await placeWrites(
        targets,
        (service) => rootOf(deployment, service),
        group === undefined,
      );
    } catch (error) {
      refused = targets.map((target) => [target, error]);
    }
    if (group !== undefined) this.#journal.add(deployment, group);
    // A write that is refused must not be replayed. Later syncs are tried again.
    if (refused.length > 0 || this.#journal.isFull(deployment)) {
      await this.#journal.settle(deployment).catch(() => undefined);
    }
    for (const [{ writes }, error] of refused) this.#reject(deployment, writes, error);
    // A folder that can't be removed is removed by the next host.
    await arriving.remove(deployment, folder).catch(() => undefined);
  }

  /** Empties the journal of a deployment that was written to, unless more is written meanwhile. */
  #settleLater(deployment: string): void {
    if (this.#timers.has(deployment)) return;
    const timer = setTimeout(() => {
      this.#timers.delete(deployment);
      // Runs again after the last of these writes.
      if (!this.#queue.busy().includes(deployment)) void this.#trySettle(deployment);
    }, restMs);
    this.#timers.set(deployment, timer.unref());
  }

  async #trySettle(deployment: string): Promise<void> {
    const settle = () => this.#journal.settle(deployment);
    // The files stay safe in the journal, and the next change tries again.
    await this.#parts.exclusively(deployment, settle).catch(() => undefined);
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

function rejectAll(refused: readonly RefusedTarget[]) {
  for (const [{ writes }, error] of refused) {
    for (const { answer } of writes) answer.reject(error);
  }
}

function isRefused(error: unknown): boolean {
  return error instanceof Refusal || hasErrorCode(error, ...interferenceCodes);
}

/** Returns true when a file has this content. */
async function hasContent(root: string, { path: file, content }: JournaledWrite): Promise<boolean> {
  const segments = file.split('/');
  const opened = await openFolderPath(root, segments.slice(0, -1)).catch(() => undefined);
  if (!(opened instanceof FolderPath)) return false;
  await using folder = opened;
  try {
    await using found = await folder.end.read(segments.at(-1) ?? '');
    return found !== undefined && (await found.readFile()).equals(Buffer.from(content));
  } catch {
    return false;
  }
}
