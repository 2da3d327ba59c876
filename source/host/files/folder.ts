import { constants, existsSync, type Stats } from 'node:fs';
import {
  copyFile,
  type FileHandle,
  link,
  lstat,
  mkdir,
  open,
  readdir,
  rename,
  rmdir,
  unlink,
} from 'node:fs/promises';
import { hasCode, unlessMissing } from './missing.ts';

/** Where the system gives a way through folders that are held open: on Linux. */
const throughHandles = process.platform === 'linux' && existsSync('/proc/self/fd');

/**
 * A folder that is held open. What is done in it is done there, also when another process puts a
 * link where it was; elsewhere than on Linux it is the path that is gone by.
 */
export class Folder {
  readonly #handle: FileHandle;
  readonly #path: string;

  private constructor(handle: FileHandle, way: string) {
    this.#handle = handle;
    this.#path = way;
  }

  /**
   * Opens a folder; undefined when there is none, null when something else is there, a link
   * among the rest.
   */
  static async open(way: string): Promise<Folder | null | undefined> {
    const flags = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW;
    try {
      return new Folder(await open(way, flags), way);
    } catch (error) {
      if (hasCode(error, 'ENOENT')) return undefined;
      if (hasCode(error, 'ENOTDIR', 'ELOOP')) return null;
      throw error;
    }
  }

  /** The folder of this name in it, like {@link Folder.open}. */
  async enter(name: string): Promise<Folder | null | undefined> {
    return await Folder.open(this.#at(name));
  }

  /** The same, and one that lasts where there is nothing. */
  async make(name: string): Promise<Folder | null> {
    for (;;) {
      const there = await this.enter(name);
      if (there !== undefined) return there;
      try {
        await mkdir(this.#at(name));
        await this.sync();
      } catch (error) {
        if (!hasCode(error, 'EEXIST')) throw error;
      }
    }
  }

  async names() {
    return await readdir(this.#at('.'), { withFileTypes: true });
  }

  /** What is there, undefined for nothing. */
  async look(name: string): Promise<Stats | undefined> {
    return await unlessMissing(lstat(this.#at(name)));
  }

  /** Moves a file from elsewhere here, over what is there. */
  async take(file: string, name: string): Promise<void> {
    await rename(file, this.#at(name));
  }

  /** Moves a file from here to another folder. */
  async hand(name: string, to: Folder, newName: string): Promise<void> {
    await rename(this.#at(name), to.#at(newName));
  }

  /** Keeps a file that is about to be replaced under another name, elsewhere. */
  async keep(name: string, elsewhere: string): Promise<void> {
    try {
      await link(this.#at(name), elsewhere);
    } catch {
      // Not every file system takes a second name.
      await rename(this.#at(name), elsewhere);
    }
  }

  /** Copies a plain file, all of it on the disk when it returns; anything else is left out. */
  async copy(name: string, to: Folder): Promise<void> {
    // NONBLOCK: opening a FIFO must not wait for its writer.
    const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
    const source = await open(this.#at(name), flags).catch((error: unknown) => {
      if (hasCode(error, 'ENOENT', 'ELOOP')) return undefined;
      throw error;
    });
    if (source === undefined) return;
    try {
      if (!(await source.stat()).isFile()) return;
      const from = throughHandles ? `/proc/self/fd/${source.fd}` : this.#at(name);
      // Shares the blocks where the file system can: a copy is changed on its own all the same.
      await copyFile(from, to.#at(name), constants.COPYFILE_FICLONE | constants.COPYFILE_EXCL);
    } finally {
      await source.close();
    }
    const copy = await open(to.#at(name), constants.O_RDONLY | constants.O_NOFOLLOW);
    try {
      await copy.sync();
    } finally {
      await copy.close();
    }
  }

  async remove(name: string): Promise<void> {
    await unlink(this.#at(name));
  }

  /** Removes a folder. False when something is in it, or it is none any more. */
  async removeFolder(name: string): Promise<boolean> {
    try {
      await rmdir(this.#at(name));
      return true;
    } catch (error) {
      if (error instanceof Error && 'code' in error) return false;
      throw error;
    }
  }

  /**
   * Removes a folder in which nothing is but such folders: a killed host may leave them. False when
   * something else is in it; some of the empty ones may be gone then.
   */
  async removeHollow(name: string): Promise<boolean> {
    const folder = await this.enter(name);
    if (folder === undefined || folder === null) return false;
    try {
      for (const entry of await folder.names()) {
        if (!entry.isDirectory() || !(await folder.removeHollow(entry.name))) return false;
      }
    } finally {
      await folder.close();
    }
    return await this.removeFolder(name);
  }

  /** Makes what was written or renamed in it last through a power cut. */
  async sync(): Promise<void> {
    await this.#handle.sync();
  }

  async close(): Promise<void> {
    await this.#handle.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  #at(name: string): string {
    return entryPath({ descriptor: this.#handle.fd, path: this.#path }, name);
  }
}

/**
 * The path of what is in a folder that is held open, or with `.` of itself: one that leads there
 * also when something else has been put where the folder was. Elsewhere than on Linux it is the
 * folder's own path that is gone by.
 */
export function entryPath(
  folder: { readonly descriptor: number; readonly path: string },
  name: string,
): string {
  const way = throughHandles ? `/proc/self/fd/${folder.descriptor}` : folder.path;
  return name === '.' ? way : `${way}/${name}`;
}
