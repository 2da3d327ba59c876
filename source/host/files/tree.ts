import { constants, type Stats } from 'node:fs';
import { type FileHandle, lstat, open, readdir, rename, rmdir, unlink } from 'node:fs/promises';
import path from 'node:path';
import type { FileRecord } from '../../contract/files.ts';
import { conflict, notFound } from '../refusal.ts';
import { confinedSegments } from './confine.ts';
import { makeFolder, severalAtOnce, syncFolder } from './disk.ts';

/** A file that is complete on the disk and waits to take its place. */
export interface ArrivedFile {
  readonly path: string;
  readonly temporary: string;
}

/** A file as our host answers it. */
export interface StagedFile extends FileRecord {
  readonly size: number;
  readonly modifiedAt: string;
}

/**
 * The staging tree of one service: what the API reads and writes. Folders exist as parents of
 * files only. Callers see to it that one change happens at a time.
 */
export class FileTree {
  readonly #root: string;

  constructor(root: string) {
    this.#root = root;
  }

  /** All files, by path. */
  async list(): Promise<readonly StagedFile[]> {
    const records: StagedFile[] = [];
    await this.#walk('', records);
    return records.sort((a, b) => (a.path < b.path ? -1 : 1));
  }

  /** A file, opened for reading. The caller closes it. */
  async open(file: string): Promise<{ readonly handle: FileHandle; readonly record: StagedFile }> {
    const { target, obstacle } = await this.#locate(confinedSegments(file));
    const handle = obstacle === undefined ? await openPlain(target) : undefined;
    if (handle === undefined) throw notFound(`file ${file}`);
    const stats = await handle.stat();
    return { handle, record: toRecord(file, stats) };
  }

  /**
   * Puts complete files in their places, over those that are there. Looks at all of them before
   * the first is moved, so that a refusal leaves the tree as it was. `onDecided` is waited for in
   * between; it takes what will be moved, the last one of each path.
   */
  async place(
    files: readonly ArrivedFile[],
    onDecided?: (files: readonly ArrivedFile[]) => Promise<void>,
  ): Promise<readonly StagedFile[]> {
    const targets = new Map<string, { readonly temporary: string; readonly target: string }>();
    for (const { path: file, temporary } of files) {
      const { target, stats, obstacle } = await this.#locate(confinedSegments(file));
      if (obstacle !== undefined) throw conflict(obstacle);
      if (stats?.isDirectory() === true && !(await removeHollow(target))) {
        throw conflict(`${file} is a folder.`);
      }
      targets.set(file, { temporary, target });
    }
    for (const file of targets.keys()) {
      for (const parent of parents(file)) {
        if (targets.has(parent)) throw conflict(`${parent} is a file and a folder at once.`);
      }
    }
    const folders = new Set([...targets.values()].map(({ target }) => path.dirname(target)));
    for (const folder of folders) await makeFolder(folder);
    await onDecided?.([...targets].map(([file, { temporary }]) => ({ path: file, temporary })));
    const records: StagedFile[] = [];
    for (const [file, { temporary, target }] of targets) {
      await rename(temporary, target);
      records.push(toRecord(file, await lstat(target)));
    }
    for (const folder of folders) await syncFolder(folder);
    return records;
  }

  /** Moves a file to where none is. */
  async rename(oldPath: string, newPath: string): Promise<StagedFile> {
    const from = await this.#find(oldPath, 'oldPath');
    const to = await this.#locate(confinedSegments(newPath, 'newPath'));
    if (to.obstacle !== undefined) throw conflict(to.obstacle);
    const isFree =
      to.stats === undefined || (to.stats.isDirectory() && (await removeHollow(to.target)));
    if (!isFree) throw conflict(`${newPath} exists already.`);
    await makeFolder(path.dirname(to.target));
    await rename(from, to.target);
    await syncFolder(path.dirname(to.target));
    await syncFolder(path.dirname(from));
    await this.#prune(path.dirname(from));
    return toRecord(newPath, await lstat(to.target));
  }

  async remove(file: string): Promise<void> {
    const target = await this.#find(file, 'path');
    await unlink(target);
    await syncFolder(path.dirname(target));
    await this.#prune(path.dirname(target));
  }

  async #find(file: string, field: string): Promise<string> {
    const { target, stats, obstacle } = await this.#locate(confinedSegments(file, field));
    if (stats === undefined || obstacle !== undefined) throw notFound(`file ${file}`);
    if (stats.isDirectory()) throw conflict(`${file} is a folder.`);
    return target;
  }

  /**
   * The place of a path and what is there. `obstacle` says what stands in the way: only folders are
   * gone through, and only plain files and folders are touched. A link could lead anywhere; ours
   * has none, but a service may reach the tree by itself.
   */
  async #locate(segments: readonly string[]): Promise<{
    readonly target: string;
    readonly stats: Stats | undefined;
    readonly obstacle?: string;
  }> {
    const target = path.join(this.#root, ...segments);
    let stats: Stats | undefined;
    for (const index of segments.keys()) {
      const way = segments.slice(0, index + 1);
      stats = await unlessMissing(lstat(path.join(this.#root, ...way)));
      if (stats === undefined) return { target, stats };
      if (stats.isDirectory()) continue;
      const shown = way.join('/');
      if (!stats.isFile()) return { target, stats, obstacle: `${shown} is not a plain file.` };
      if (way.length < segments.length) {
        return { target, stats, obstacle: `${shown} is a file, not a folder.` };
      }
    }
    return { target, stats };
  }

  async #walk(folder: string, records: StagedFile[]): Promise<void> {
    const all = readdir(path.join(this.#root, folder), { withFileTypes: true });
    const entries = (await unlessMissing(all)) ?? [];
    const within = (name: string) => (folder === '' ? name : `${folder}/${name}`);
    const files = entries.filter((entry) => entry.isFile());
    await severalAtOnce(files, async ({ name }) => {
      const stats = await unlessMissing(lstat(path.join(this.#root, within(name))));
      // It may have been deleted since its folder was read.
      if (stats !== undefined) records.push(toRecord(within(name), stats));
    });
    for (const { name } of entries.filter((entry) => entry.isDirectory())) {
      await this.#walk(within(name), records);
    }
  }

  /** Removes folders that hold nothing any more, from this one upwards. */
  async #prune(folder: string): Promise<void> {
    for (let empty = folder; empty !== this.#root; empty = path.dirname(empty)) {
      try {
        await rmdir(empty);
      } catch {
        return;
      }
    }
  }
}

/** Removes a folder that holds no file, as a killed host may leave one; false where it holds one. */
async function removeHollow(folder: string): Promise<boolean> {
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    if (!entry.isDirectory() || !(await removeHollow(path.join(folder, entry.name)))) return false;
  }
  await rmdir(folder);
  return true;
}

function toRecord(file: string, stats: Stats): StagedFile {
  return { path: file, size: stats.size, modifiedAt: stats.mtime.toISOString() };
}

function parents(file: string): readonly string[] {
  const segments = file.split('/');
  return segments.slice(1).map((_, index) => segments.slice(0, index + 1).join('/'));
}

async function openPlain(target: string): Promise<FileHandle | undefined> {
  let handle: FileHandle;
  try {
    // NONBLOCK: opening a FIFO must not wait for its writer.
    handle = await open(target, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (error) {
    // The type of what is there is looked at before; ELOOP is a link put there since.
    if (hasCode(error, 'ENOENT') || hasCode(error, 'ELOOP')) return undefined;
    throw error;
  }
  if ((await handle.stat()).isFile()) return handle;
  await handle.close();
  return undefined;
}

/** Undefined when what is asked for is not there. */
async function unlessMissing<T>(asked: Promise<T>): Promise<T | undefined> {
  try {
    return await asked;
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined;
    throw error;
  }
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
