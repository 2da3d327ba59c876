import { createHash } from 'node:crypto';
import { open, readdir, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { forEachConcurrently, syncFolder } from './disk.ts';
import { hasErrorCode, undefinedIfMissing } from './missing.ts';
import { FolderPath, openFolderPath } from './way.ts';

/** The content of a file in the tree of a service. */
export interface JournaledWrite {
  readonly service: string;
  /** A valid path in the tree. */
  readonly path: string;
  readonly content: string;
}

/** A group of writes in the journal. */
export interface JournaledGroup {
  /** Path of the record. */
  readonly record: string;
  readonly bytes: number;
  readonly files: readonly Pick<JournaledWrite, 'service' | 'path'>[];
}

export interface WriteJournalParts {
  /** Returns the folder of a deployment for records, which are removed with its other entries. */
  readonly folderOf: (deployment: string) => string;
  /** Returns the root of a service's tree. */
  readonly rootOf: (deployment: string, service: string) => string;
}

/** Groups and bytes of a deployment's journal from which its files are synced. */
const full = { groups: 64, bytes: 16 * 1024 * 1024 };

/** Matches the names of records, whose order is that of the groups. */
const recordName = /^writes-\d{12}$/;

/**
 * A journal of writes for each deployment. A group of writes is durable once its record is on the
 * disk, with two syncs for any number of files: the next host writes the files again that a power
 * failure may have damaged. Their own syncs follow when no more writes wait, when the journal is
 * full, and before any other change of the deployment, which a later replay would undo.
 */
export class WriteJournal {
  readonly #parts: WriteJournalParts;
  /** Placed groups with a record, by deployment. */
  readonly #groups = new Map<string, JournaledGroup[]>();
  /** Records of groups that are not placed yet, by deployment. */
  readonly #waiting = new Map<string, Set<string>>();
  #lastRecord = 0;

  constructor(parts: WriteJournalParts) {
    this.#parts = parts;
  }

  /** Writes the record of a group. Resolves once it is on the disk. */
  async record(deployment: string, writes: readonly JournaledWrite[]): Promise<JournaledGroup> {
    const folder = this.#parts.folderOf(deployment);
    this.#lastRecord += 1;
    const record = path.join(folder, `writes-${String(this.#lastRecord).padStart(12, '0')}`);
    const rows = writes.map(({ service, path: file, content }): Row => [service, file, content]);
    const text = JSON.stringify(rows);
    const handle = await open(record, 'wx', 0o600);
    try {
      await handle.writeFile(`${digestOf(text)}\n${text}`);
      await handle.sync();
      await syncFolder(folder);
    } catch (error) {
      await rm(record, { force: true });
      throw error;
    } finally {
      await handle.close();
    }
    const waiting = this.#waiting.get(deployment) ?? new Set();
    this.#waiting.set(deployment, waiting.add(record));
    return groupOf(record, text, rows);
  }

  /** Adds a group whose files are in their trees, or refused: its record may then be removed. */
  add(deployment: string, group: JournaledGroup): void {
    const groups = this.#groups.get(deployment);
    if (groups === undefined) this.#groups.set(deployment, [group]);
    else groups.push(group);
    const waiting = this.#waiting.get(deployment);
    waiting?.delete(group.record);
    if (waiting?.size === 0) this.#waiting.delete(deployment);
  }

  /** Returns true when the journal of a deployment has groups. */
  isUsed(deployment: string): boolean {
    return this.#groups.has(deployment) || this.#waiting.has(deployment);
  }

  /** Returns true when the files of a deployment should be synced. */
  isFull(deployment: string): boolean {
    const groups = this.#groups.get(deployment) ?? [];
    const bytes = groups.reduce((sum, group) => sum + group.bytes, 0);
    return groups.length >= full.groups || bytes >= full.bytes;
  }

  /** Syncs the files of all added groups, then removes their records. */
  async settle(deployment: string): Promise<void> {
    const groups = this.#groups.get(deployment);
    if (groups === undefined) return;
    const folders = new Map<string, Set<string>>();
    for (const { service, path: file } of groups.flatMap(({ files }) => files)) {
      const { dir, base } = path.posix.parse(`${service}/${file}`);
      const names = folders.get(dir) ?? new Set();
      folders.set(dir, names.add(base));
    }
    for (const [folder, names] of folders) await this.#syncFiles(deployment, folder, names);
    // Oldest first, so that what a kill leaves ends with the last contents.
    for (const { record } of groups) await rm(record, { force: true });
    await undefinedIfMissing(syncFolder(this.#parts.folderOf(deployment)));
    this.#groups.delete(deployment);
  }

  /** Returns the deployments with added groups. */
  unsettled(): readonly string[] {
    return [...this.#groups.keys()];
  }

  /** Forgets a deployment whose files are removed. */
  forget(deployment: string): void {
    this.#groups.delete(deployment);
  }

  /** Yields the groups that an earlier host has left, in their order. */
  async *read(deployment: string): AsyncGenerator<{
    readonly group: JournaledGroup;
    readonly writes: readonly JournaledWrite[];
  }> {
    const folder = this.#parts.folderOf(deployment);
    const names = (await undefinedIfMissing(readdir(folder))) ?? [];
    for (const name of names.filter((each) => recordName.test(each)).sort()) {
      const record = path.join(folder, name);
      const [digest, text] = splitRecord(await readFile(record, 'utf8'));
      if (digest !== digestOf(text)) {
        // The host ended while it wrote this record, so that no write of it was answered.
        await rm(record);
        continue;
      }
      const rows = JSON.parse(text) as readonly Row[];
      const writes = rows.map(([service, file, content]) => ({ service, path: file, content }));
      yield { group: groupOf(record, text, rows), writes };
    }
  }

  /**
   * Syncs files of one folder, and the folder.
   *
   * @param folder the service and the folder in its tree.
   */
  async #syncFiles(deployment: string, folder: string, names: Iterable<string>): Promise<void> {
    const [service = '', ...segments] = folder.split('/');
    const opened = await openFolderPath(this.#parts.rootOf(deployment, service), segments);
    if (!(opened instanceof FolderPath)) return;
    await using folderPath = opened;
    const { end } = folderPath;
    await forEachConcurrently([...names], async (name) => {
      try {
        await using file = await end.read(name);
        await file?.sync();
      } catch (error) {
        // Another program has changed the file since.
        if (!hasErrorCode(error, 'EACCES', 'EPERM')) throw error;
      }
    });
    await end.sync();
  }
}

/** A write in a record: service, path and content. */
type Row = readonly [string, string, string];

function groupOf(record: string, text: string, rows: readonly Row[]): JournaledGroup {
  const files = rows.map(([service, file]) => ({ service, path: file }));
  return { record, bytes: text.length, files };
}

function splitRecord(text: string): readonly [string, string] {
  const end = text.indexOf('\n');
  return [text.slice(0, Math.max(0, end)), text.slice(end + 1)];
}

function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
