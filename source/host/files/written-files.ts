import { randomUUID } from 'node:crypto';
import { fstatSync } from 'node:fs';
import { type FileHandle, open, unlink } from 'node:fs/promises';
import type { Folder } from './folder.ts';
import { hasErrorCode } from './missing.ts';
import { smallFileBytes } from './opened-file.ts';
import { assertReplaceable } from './placing.ts';
import { makeFolder } from '../../system/make-folder.ts';

/** A file with the content of a write, open for writing. */
export interface WrittenFile {
  readonly handle: FileHandle;
  /** Path beside the trees, until the file is placed and once another has replaced it. */
  path: string;
  /** Bytes of the content. */
  length: number;
  /** True when it counts among the held files. */
  isHeld: boolean;
}

/** The place of a file in a tree. */
export interface FilePlace {
  readonly folder: Folder;
  readonly name: string;
  readonly service: string;
  readonly path: string;
}

/**
 * Files that the writes to one deployment create beside its trees and move into them. A small one
 * that is replaced is held, and a later write overwrites it instead of creating another: ext4
 * searches for the inode of a new file past all that were freed in the last minutes, which takes
 * longer than the write and its sync.
 *
 * A replaced file is overwritten only once its folder is synced, as a power failure may bring it back
 * until then, and only when it has no other name, such as a link of a backup. No reader of the host
 * has it open: small files are read in the turn that opens them (`opened-file.ts`).
 */
export class WrittenFiles {
  readonly #folder: string;
  readonly #held: { count: number; readonly max: number };
  /** Held files in the trees by their keys. */
  readonly #placed = new Map<string, WrittenFile>();
  /** Held files beside the trees that a write may overwrite. */
  readonly #spare: WrittenFile[] = [];

  /**
   * @param folder existing folder on the file system of the trees.
   * @param held files that all deployments hold, each with a descriptor.
   */
  constructor(folder: string, held: { count: number; readonly max: number }) {
    this.#folder = folder;
    this.#held = held;
  }

  /** Puts content into a file beside the trees. Resolves once it is on the disk. */
  async write(content: string): Promise<WrittenFile> {
    const bytes = Buffer.from(content);
    const spare = bytes.length <= smallFileBytes ? this.#spare.pop() : undefined;
    if (spare !== undefined) {
      try {
        await overwrite(spare, bytes);
        return spare;
      } catch {
        await this.drop(spare);
      }
    }
    const file = await this.#create();
    try {
      await file.handle.writeFile(bytes);
      file.length = bytes.length;
      await file.handle.sync();
      return file;
    } catch (error) {
      await this.drop(file);
      throw error;
    }
  }

  /**
   * Moves a file to its place, and replaces the one that is there; throws a 409 where that is another
   * kind of entry. Resolves with a replaced file that a write may overwrite after {@link free}.
   */
  async place(file: WrittenFile, place: FilePlace): Promise<WrittenFile | undefined> {
    const { folder, name, path } = place;
    const replaced = await this.#linkPlaced(place);
    try {
      if (replaced === undefined) await assertReplaceable(folder, name, path);
      await folder.moveIn(file.path, name);
    } catch (error) {
      if (replaced !== undefined) await this.drop(replaced);
      throw error;
    }
    if (this.#hold(file)) this.#placed.set(keyOf(place), file);
    else await this.#close(file);
    return replaced;
  }

  /** Lets writes overwrite files beside the trees that no power failure brings back. */
  free(files: readonly WrittenFile[]): void {
    this.#spare.push(...files);
  }

  /** Removes a file beside the trees. Never rejects. */
  async drop(file: WrittenFile): Promise<void> {
    await this.#close(file);
    await unlink(file.path).catch(() => undefined);
  }

  /** Closes all files; those beside the trees stay there. Never rejects. */
  async close(): Promise<void> {
    for (const file of [...this.#placed.values(), ...this.#spare.splice(0)])
      await this.#close(file);
    this.#placed.clear();
  }

  async #create(): Promise<WrittenFile> {
    const file = this.#newPath();
    const create = () => open(file, 'wx', 0o644);
    const handle = await create().catch(async (error: unknown) => {
      if (!hasErrorCode(error, 'ENOENT')) throw error;
      // Another program has removed the folder.
      await makeFolder(this.#folder);
      return await create();
    });
    return { handle, path: file, length: 0, isHeld: false };
  }

  #newPath(): string {
    return `${this.#folder}/${randomUUID()}`;
  }

  /** Gives the held file at a place a second name beside the trees; undefined when there is none. */
  async #linkPlaced(place: FilePlace): Promise<WrittenFile | undefined> {
    const key = keyOf(place);
    const file = this.#placed.get(key);
    if (file === undefined) return undefined;
    this.#placed.delete(key);
    file.path = this.#newPath();
    // Otherwise another file is at the place, or this one has one more name.
    const isLinked = await place.folder.linkAt(place.name, file.path);
    if (isLinked && fstatSync(file.handle.fd).nlink === 2) return file;
    await this.drop(file);
    return undefined;
  }

  /** Holds a file where that is allowed; returns false when it is not. */
  #hold(file: WrittenFile): boolean {
    if (file.isHeld) return true;
    if (file.length > smallFileBytes || this.#held.count >= this.#held.max) return false;
    this.#held.count += 1;
    file.isHeld = true;
    return true;
  }

  async #close(file: WrittenFile): Promise<void> {
    if (file.isHeld) this.#held.count -= 1;
    file.isHeld = false;
    // The content was synced before.
    await file.handle.close().catch(() => undefined);
  }
}

/** Returns what only this place in the deployment has. */
function keyOf({ service, path }: FilePlace): string {
  return `${service}/${path}`;
}

/**
 * Replaces the content of a file that has one name. Its size and blocks often stay, so that no metadata
 * is synced.
 */
async function overwrite(file: WrittenFile, bytes: Buffer): Promise<void> {
  const { handle, length } = file;
  if (fstatSync(handle.fd).nlink !== 1) throw new Error('The file has another name, or none.');
  for (let at = 0; at < bytes.length; ) {
    at += (await handle.write(bytes, at, bytes.length - at, at)).bytesWritten;
  }
  if (bytes.length < length) await handle.truncate(bytes.length);
  file.length = bytes.length;
  await handle.datasync();
}
