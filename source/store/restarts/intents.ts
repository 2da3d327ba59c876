/** Changes of files that were about to be requested, and of which nobody knows whether they happened. */
import { digestOf } from '../drafts/digest.ts';
import type { IntendedChange } from '../drafts/file-writes.ts';
import type { ChangedFile, PendingRestart } from './journal.ts';

/** The intended changes of this run and those that earlier ones left. */
export class Intents {
  /** Two consoles may have left one for the same file. */
  readonly #left: Set<PendingRestart>;
  /** Those of this run, by place. */
  readonly #own = new Map<string, PendingRestart>();

  constructor(left: readonly PendingRestart[]) {
    this.#left = new Set(left);
  }

  get left(): readonly PendingRestart[] {
    return [...this.#left];
  }

  get all(): readonly PendingRestart[] {
    return [...this.#left, ...this.#own.values()];
  }

  of(deployment: string): readonly PendingRestart[] {
    return this.all.filter(({ deploymentId }) => deploymentId === deployment);
  }

  /** Returns the intended changes of these files, but not those of several files. */
  at(deploymentId: string, files: readonly ChangedFile[]): readonly PendingRestart[] {
    const keys = new Set(files.map((file) => intentKey({ deploymentId, files: [file] })));
    return this.of(deploymentId).filter((entry) => keys.has(intentKey(entry)));
  }

  /** Adds a change of this run; it replaces an earlier one of the same place. */
  add(entry: PendingRestart): void {
    this.#own.set(intentKey(entry), entry);
  }

  /** Removes changes; later ones of the same files stay. */
  drop(entries: readonly PendingRestart[]): void {
    for (const entry of entries) {
      this.#left.delete(entry);
      if (this.#own.get(intentKey(entry)) === entry) this.#own.delete(intentKey(entry));
    }
  }

  /** Removes the change of a file by this run. Returns whether there was one. */
  dropOwn(deploymentId: string, file: ChangedFile): boolean {
    return this.#own.delete(intentKey({ deploymentId, files: [file] }));
  }

  /** Removes a change that an earlier run left. Returns whether there was one. */
  dropLeft(entry: PendingRestart): boolean {
    return this.#left.delete(entry);
  }
}

export function isIntent({ state }: PendingRestart): boolean {
  return state === 'intended';
}

/** Returns the place of an intended change: a later one of the same run and file replaces it. */
export function intentKey({
  deploymentId,
  files,
}: Pick<PendingRestart, 'deploymentId' | 'files'>): string {
  return JSON.stringify([deploymentId, ...files.map(({ service, path }) => [service, path])]);
}

/** Returns what the journal keeps of a change, so that a later run can find out whether it happened. */
export async function intendedFields(
  change: IntendedChange,
): Promise<Omit<ChangedFile, 'service' | 'path'>> {
  switch (change.kind) {
    case 'written':
      return { digest: await digestOf(change.content) };
    case 'deleted':
      return { isDeleted: true };
    case 'moved':
      return { movedFrom: change.from };
  }
}
