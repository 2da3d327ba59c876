import { constants, type Dirent, existsSync, type Stats } from 'node:fs';
import {
  chmod,
  chown,
  copyFile,
  type FileHandle,
  lchown,
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
 * Opens an entry without reading it, a link itself too, and needs no right to it (open(2), O_PATH).
 * Node has no name for it.
 */
const asEntry = 0o10000000;

/** The name of an entry: bytes where it comes from a folder, as it need not be UTF-8. */
export type EntryName = string | Buffer;

/**
 * A folder that is held open. What is done in it is done there, also when another process puts a
 * link where it was; elsewhere than on Linux it is the path that is gone by.
 */
export class Folder {
  readonly #handle: FileHandle;
  readonly #path: EntryName;

  private constructor(handle: FileHandle, way: EntryName) {
    this.#handle = handle;
    this.#path = way;
  }

  /**
   * Opens a folder; undefined when there is none, null when something else is there, a link
   * among the rest.
   */
  static async open(way: EntryName): Promise<Folder | null | undefined> {
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
  async enter(name: EntryName): Promise<Folder | null | undefined> {
    return await Folder.open(this.#at(name));
  }

  /** The same, and one that lasts where there is nothing. */
  async make(name: EntryName): Promise<Folder | null> {
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

  async names(): Promise<readonly Dirent<Buffer>[]> {
    return await readdir(this.#at('.'), { withFileTypes: true, encoding: 'buffer' });
  }

  /** What is there, undefined for nothing. */
  async look(name: EntryName): Promise<Stats | undefined> {
    return await unlessMissing(lstat(this.#at(name)));
  }

  /** Moves a file from elsewhere here, over what is there. */
  async take(file: string, name: string): Promise<void> {
    await rename(file, this.#at(name));
  }

  /** Moves a file from here to another folder. */
  async hand(name: EntryName, to: Folder, newName: EntryName): Promise<void> {
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

  /** Opens a plain file for reading; undefined for anything else. The caller closes it. */
  async read(name: EntryName): Promise<FileHandle | undefined> {
    // NONBLOCK: opening a FIFO must not wait for its writer.
    const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
    const file = await open(this.#at(name), flags).catch((error: unknown) => {
      if (hasCode(error, 'ENOENT', 'ELOOP')) return undefined;
      throw error;
    });
    if (file === undefined || (await file.stat()).isFile()) return file;
    await file.close();
    return undefined;
  }

  /** Copies a plain file, all of it on the disk when it returns; anything else is left out. */
  async copy(name: EntryName, to: Folder): Promise<void> {
    const source = await this.read(name);
    if (source === undefined) return;
    try {
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

  async remove(name: EntryName): Promise<void> {
    await unlink(this.#at(name));
  }

  /** Removes an empty folder. Throws what the system says. */
  async removeEmpty(name: EntryName): Promise<void> {
    await rmdir(this.#at(name));
  }

  /** Removes a folder. False when something is in it, or it is none any more. */
  async removeFolder(name: EntryName): Promise<boolean> {
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
  async removeHollow(name: EntryName): Promise<boolean> {
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

  /**
   * Gives the owner of a folder in it all rights to that folder: without them the owner could not
   * empty it. A link is not followed, and anything but a folder stays as it is.
   */
  async unlock(name: EntryName): Promise<void> {
    await this.#withEntry(name, async (way, stats) => {
      if (stats.isDirectory()) await chmod(way, stats.mode | 0o700);
    });
  }

  /**
   * Changes the owner of an entry, of a link itself too. A file with several names keeps its owner:
   * one of them may be outside, put there by whoever could write here.
   */
  async setOwnerOf(name: EntryName, uid: number, gid: number): Promise<void> {
    await this.#withEntry(name, async (way, stats) => {
      if (!stats.isDirectory() && stats.nlink > 1) return;
      await (throughHandles ? chown(way, uid, gid) : lchown(way, uid, gid));
    });
  }

  /** Changes its own owner. */
  async setOwner(uid: number, gid: number): Promise<void> {
    await this.#handle.chown(uid, gid);
  }

  /** Lets nobody but its owner in. */
  async restrict(): Promise<void> {
    await this.#handle.chmod(0o700);
  }

  /** Returns whether its owner may list it, and change what is in it. */
  async isUnlocked(): Promise<boolean> {
    return ((await this.#handle.stat()).mode & 0o700) === 0o700;
  }

  /** Returns a text that tells it from all other folders while it exists. */
  async identity(): Promise<string> {
    const { dev, ino } = await this.#handle.stat({ bigint: true });
    return `${dev} ${ino}`;
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

  /** Works on an entry by a path that leads to it alone, whatever takes its place meanwhile. */
  async #withEntry(name: EntryName, work: (way: EntryName, stats: Stats) => Promise<void>) {
    if (!throughHandles) {
      const stats = await this.look(name);
      if (stats !== undefined) await work(this.#at(name), stats);
      return;
    }
    const handle = await unlessMissing(open(this.#at(name), asEntry | constants.O_NOFOLLOW));
    if (handle === undefined) return;
    try {
      await work(`/proc/self/fd/${handle.fd}`, await handle.stat());
    } finally {
      await handle.close();
    }
  }

  #at(name: EntryName): EntryName {
    return entryPath({ descriptor: this.#handle.fd, path: this.#path }, name);
  }
}

/**
 * The path of what is in a folder that is held open, or with `.` of itself: one that leads there
 * also when something else has been put where the folder was. Elsewhere than on Linux it is the
 * folder's own path that is gone by.
 */
export function entryPath<Name extends EntryName>(
  folder: { readonly descriptor: number; readonly path: Name },
  name: Name,
): Name;
export function entryPath(
  folder: { readonly descriptor: number; readonly path: EntryName },
  name: EntryName,
): EntryName {
  const way = throughHandles ? `/proc/self/fd/${folder.descriptor}` : folder.path;
  if (name === '.') return way;
  if (typeof way === 'string' && typeof name === 'string') return `${way}/${name}`;
  return Buffer.concat([Buffer.from(way), Buffer.from('/'), Buffer.from(name)]);
}
