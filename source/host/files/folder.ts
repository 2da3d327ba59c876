import { constants, type Dirent, type Stats } from 'node:fs';
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
  readlink,
  rename,
  rmdir,
  unlink,
} from 'node:fs/promises';
import { type EntryName, entryPath, hasDescriptorPaths } from './entry-path.ts';
import { hasErrorCode, undefinedIfMissing } from './missing.ts';

/**
 * O_PATH of open(2), which Node doesn't export: opens an entry, even a link itself, without reading
 * it and without any permission on it.
 */
const openPathOnly = 0o10000000;

/**
 * An open folder. On Linux its operations work in that folder even when another process replaces it
 * by a link; on other systems they use its path.
 */
export class Folder {
  readonly #handle: FileHandle;
  readonly #path: EntryName;

  private constructor(handle: FileHandle, path: EntryName) {
    this.#handle = handle;
    this.#path = path;
  }

  /** Opens a folder. Resolves with undefined when it is missing, with null for a link or file. */
  static async open(path: EntryName): Promise<Folder | null | undefined> {
    const flags = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW;
    try {
      return new Folder(await open(path, flags), path);
    } catch (error) {
      if (hasErrorCode(error, 'ENOENT')) return undefined;
      if (hasErrorCode(error, 'ENOTDIR', 'ELOOP')) return null;
      throw error;
    }
  }

  /** Opens a subfolder, like {@link Folder.open}. */
  async enter(name: EntryName): Promise<Folder | null | undefined> {
    return await Folder.open(this.#at(name));
  }

  /** Opens a subfolder, and creates and syncs it when it is missing. */
  async create(name: EntryName): Promise<Folder | null> {
    for (;;) {
      const existing = await this.enter(name);
      if (existing !== undefined) return existing;
      try {
        await mkdir(this.#at(name));
        await this.sync();
      } catch (error) {
        if (!hasErrorCode(error, 'EEXIST')) throw error;
      }
    }
  }

  async names(): Promise<readonly Dirent<Buffer>[]> {
    return await readdir(this.#at('.'), { withFileTypes: true, encoding: 'buffer' });
  }

  /**
   * Resolves with the stats of an entry, without following a link; undefined when it is missing.
   */
  async stat(name: EntryName): Promise<Stats | undefined> {
    return await undefinedIfMissing(lstat(this.#at(name)));
  }

  /** Moves a file from another folder here, and replaces an existing one. */
  async moveIn(file: string, name: string): Promise<void> {
    await rename(file, this.#at(name));
  }

  /** Moves an entry to another folder. */
  async moveTo(name: EntryName, to: Folder, newName: EntryName): Promise<void> {
    await rename(this.#at(name), to.#at(newName));
  }

  /** Preserves a file at another path before it is replaced. */
  async preserve(name: string, elsewhere: string): Promise<void> {
    try {
      await link(this.#at(name), elsewhere);
    } catch {
      // The file system may not support hard links.
      await rename(this.#at(name), elsewhere);
    }
  }

  /** Links a file in another folder; copies it where the file system has no hard links. */
  async linkTo(name: EntryName, to: Folder): Promise<void> {
    try {
      await link(this.#at(name), to.#at(name));
    } catch (error) {
      if (!hasErrorCode(error, 'EPERM', 'ENOTSUP', 'ENOSYS', 'EMLINK', 'EXDEV')) throw error;
      await this.copy(name, to);
    }
  }

  /** Opens a plain file for reading; undefined for any other entry. The caller must close it. */
  async read(name: EntryName): Promise<FileHandle | undefined> {
    // O_NONBLOCK: opening a FIFO must not wait for its writer.
    const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
    const file = await open(this.#at(name), flags).catch((error: unknown) => {
      if (hasErrorCode(error, 'ENOENT', 'ELOOP')) return undefined;
      throw error;
    });
    if (file === undefined || (await file.stat()).isFile()) return file;
    await file.close();
    return undefined;
  }

  /** Denies writing to a plain file, in this folder and wherever else it is linked. */
  async denyWriting(name: EntryName): Promise<void> {
    await this.#withEntry(name, async (path, stats) => {
      if (stats.isFile()) await chmod(path, stats.mode & 0o555);
    });
  }

  /** Copies a plain file, with writing allowed to its owner, and syncs the copy; skips any other entry. */
  async copy(name: EntryName, to: Folder): Promise<void> {
    const source = await this.read(name);
    if (source === undefined) return;
    try {
      const from = hasDescriptorPaths ? `/proc/self/fd/${source.fd}` : this.#at(name);
      // Clones the file (copy on write) where the file system supports it.
      await copyFile(from, to.#at(name), constants.COPYFILE_FICLONE | constants.COPYFILE_EXCL);
    } finally {
      await source.close();
    }
    const copy = await open(to.#at(name), constants.O_RDONLY | constants.O_NOFOLLOW);
    try {
      const { mode } = await copy.stat();
      if ((mode & 0o200) === 0) await copy.chmod((mode & 0o777) | 0o200);
      await copy.sync();
    } finally {
      await copy.close();
    }
  }

  /** Resolves with the target of a link; undefined for any other entry. */
  async readLink(name: EntryName): Promise<Buffer | undefined> {
    try {
      return await readlink(this.#at(name), { encoding: 'buffer' });
    } catch (error) {
      if (hasErrorCode(error, 'ENOENT', 'EINVAL')) return undefined;
      throw error;
    }
  }

  async remove(name: EntryName): Promise<void> {
    await unlink(this.#at(name));
  }

  /** Removes an empty folder. Throws the system's error. */
  async removeEmpty(name: EntryName): Promise<void> {
    await rmdir(this.#at(name));
  }

  /** Removes an empty folder. Resolves with false when it is not empty or not a folder. */
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
   * Removes a folder tree without files, which a killed host may leave. Resolves with false when it
   * has another entry; some empty folders may be removed by then.
   */
  async removeEmptyTree(name: EntryName): Promise<boolean> {
    const folder = await this.enter(name);
    if (folder === undefined || folder === null) return false;
    try {
      for (const entry of await folder.names()) {
        if (!entry.isDirectory() || !(await folder.removeEmptyTree(entry.name))) return false;
      }
    } finally {
      await folder.close();
    }
    return await this.removeFolder(name);
  }

  /**
   * Grants the owner of a subfolder all permissions on it, which removing its content requires.
   * Does not follow a link, and changes no other entry.
   */
  async grantOwnerAccess(name: EntryName): Promise<void> {
    await this.#withEntry(name, async (path, stats) => {
      if (stats.isDirectory()) await chmod(path, stats.mode | 0o700);
    });
  }

  /**
   * Changes the owner of an entry, also of a link itself. Skips a file with several hard links: a
   * service may have linked a file from outside of the tree.
   */
  async setOwnerOf(name: EntryName, uid: number, gid: number): Promise<void> {
    await this.#withEntry(name, async (path, stats) => {
      if (!stats.isDirectory() && stats.nlink > 1) return;
      await (hasDescriptorPaths ? chown(path, uid, gid) : lchown(path, uid, gid));
    });
  }

  /** Changes the owner of this folder. */
  async setOwner(uid: number, gid: number): Promise<void> {
    await this.#handle.chown(uid, gid);
  }

  /** Denies access to all users but the owner. */
  async restrict(): Promise<void> {
    await this.#handle.chmod(0o700);
  }

  /**
   * Allows only the owner and this group to read the folder, and nobody to write to it. Makes the
   * host its owner when the host may.
   */
  async allowReading(gid: number | undefined): Promise<void> {
    if (gid !== undefined) await this.#handle.chown(process.geteuid?.() ?? 0, gid);
    await this.#handle.chmod(0o550);
  }

  /** Resolves with true when the owner has all permissions. */
  async hasOwnerAccess(): Promise<boolean> {
    return ((await this.ownStats()).mode & 0o700) === 0o700;
  }

  /** Resolves with the stats of the folder itself. */
  async ownStats(): Promise<Stats> {
    return await this.#handle.stat();
  }

  /** Resolves with an identifier that is unique among existing folders. */
  async identity(): Promise<string> {
    const { dev, ino } = await this.#handle.stat({ bigint: true });
    return `${dev} ${ino}`;
  }

  /** Syncs the folder, so that changes of its entries survive a power failure. */
  async sync(): Promise<void> {
    await this.#handle.sync();
  }

  async close(): Promise<void> {
    await this.#handle.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  /** Calls `work` with a path that leads to the same entry even when it is replaced meanwhile. */
  async #withEntry(name: EntryName, work: (path: EntryName, stats: Stats) => Promise<void>) {
    if (!hasDescriptorPaths) {
      const stats = await this.stat(name);
      if (stats !== undefined) await work(this.#at(name), stats);
      return;
    }
    const handle = await undefinedIfMissing(
      open(this.#at(name), openPathOnly | constants.O_NOFOLLOW),
    );
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
