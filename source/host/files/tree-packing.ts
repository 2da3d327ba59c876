import type { Stats } from 'node:fs';
import type { createTarPacker } from 'modern-tar';
import { maxSegments } from './confine.ts';
import { type EntryName } from './entry-path.ts';
import { Folder } from './folder.ts';
import { hasErrorCode } from './missing.ts';

export type Packer = ReturnType<typeof createTarPacker>['controller'];

/** Bytes per read of a file. */
export const packedChunkBytes = 64 * 1024;

/** Number of small files that are read concurrently. */
const filesAtOnce = 32;

/** Largest modification time in a tar header, in seconds. */
const maxSecond = 8 ** 11 - 1;

/** Error codes of entries that a service has made unreadable or removed. */
const unreadableCodes = ['EACCES', 'EPERM', 'ENOENT', 'ENOTDIR', 'ELOOP', 'ENAMETOOLONG', 'EIO'];

/**
 * The handling of files that change or can't be read, and the paths in the archive of entries that
 * are left out, of any kind. `exact`: for a tree that does not change; throws when a file can't be
 * read or shrinks meanwhile. `live`: for a tree that a service may change; a file that shrinks is
 * filled with zeros, and `onSkipped` is called for each entry that can't be read, has a name that is
 * not UTF-8, or lies deeper than paths of the API; times are in ms. `volume`: like `live`, with links
 * and with the modes of files and folders.
 */
export type Packing = { readonly hidden?: ReadonlySet<string> | undefined } & (
  | { readonly kind: 'exact' }
  | { readonly kind: 'live' | 'volume'; readonly onSkipped: () => void }
);

/**
 * Adds a folder and its plain files to a tar archive (POSIX.1-2001, PAX), all owned by root. Skips
 * special files, and links and modes (0644 or 0755) unless it packs a volume; follows no link, not
 * even one that is created meanwhile.
 *
 * @param path path of the folder in the archive.
 */
export async function packFolder(
  packer: Packer,
  folder: Folder,
  path: string,
  packing: Packing = { kind: 'exact' },
  depth = 0,
): Promise<void> {
  const stats = await folder.ownStats();
  const mode = packing.kind === 'volume' ? stats.mode & 0o777 : 0o755;
  // Without a time the archive would have that of its making, and two of one tree would differ.
  const mtime = wholeSeconds(stats);
  await packer.add({ name: path, type: 'directory', size: 0, mode, mtime }).close();
  const entries = (await folder.names()).filter(
    ({ name }) =>
      packing.hidden?.has(`${path}/${name.toString()}`) !== true && isPackable(name, packing),
  );
  const files = entries.filter((entry) => entry.isFile()).map(({ name }) => name);
  for (let at = 0; at < files.length; at += filesAtOnce) {
    const names = files.slice(at, at + filesAtOnce);
    // Small files are limited by disk latency, so they are read concurrently.
    const small = await Promise.all(names.map((name) => readSmall(folder, name, packing)));
    for (const [index, name] of names.entries()) {
      const target = { path: `${path}/${name.toString()}`, packing };
      const read = small[index];
      if (read !== undefined) await packBytes(packer, target, read);
      else await packFile(packer, folder, name, target);
    }
  }
  if (packing.kind === 'volume') {
    const links = entries.filter((entry) => entry.isSymbolicLink());
    for (const { name } of links) await packLink(packer, folder, name, { path, packing });
  }
  for (const { name } of entries.filter((entry) => entry.isDirectory())) {
    // The entry may have been removed or replaced since.
    await using inner = await attempt(packing, () => folder.enter(name));
    if (!(inner instanceof Folder)) continue;
    if (packing.kind !== 'exact' && depth >= maxSegments) packing.onSkipped();
    else await packFolder(packer, inner, `${path}/${name.toString()}`, packing, depth + 1);
  }
}

/** Adds one plain file of a folder; skips any other entry. */
export async function packFile(
  packer: Packer,
  folder: Folder,
  name: EntryName,
  { path, packing = { kind: 'exact' } }: { readonly path: string; readonly packing?: Packing },
): Promise<void> {
  await using file = await attempt(packing, () => folder.read(name));
  if (file === undefined) return;
  const stats = await file.stat();
  const writer = packer.add(headerOf(path, stats, packing)).getWriter();
  let isShort = false;
  for (let remaining = stats.size; remaining > 0; ) {
    // A new buffer for each read: the packer keeps it until it is sent.
    const bytes = Buffer.allocUnsafeSlow(Math.min(remaining, packedChunkBytes));
    const bytesRead: number = isShort ? 0 : (await file.read(bytes, 0, bytes.length)).bytesRead;
    isShort = bytesRead === 0;
    if (isShort && packing.kind === 'exact') {
      throw new Error(`${path} became shorter while it was copied`);
    }
    const chunk = isShort ? bytes.fill(0) : bytes.subarray(0, bytesRead);
    await writer.write(chunk);
    remaining -= chunk.length;
  }
  await writer.close();
}

async function packBytes(
  packer: Packer,
  { path, packing }: { readonly path: string; readonly packing: Packing },
  { stats, bytes }: SmallFile,
): Promise<void> {
  const writer = packer.add(headerOf(path, stats, packing)).getWriter();
  if (bytes.length > 0) await writer.write(bytes);
  await writer.close();
}

async function packLink(
  packer: Packer,
  folder: Folder,
  name: Buffer,
  { path, packing }: { readonly path: string; readonly packing: Packing },
): Promise<void> {
  const target = await attempt(packing, () => folder.readLink(name));
  if (target === undefined || !isPackable(target, packing)) return;
  const linkname = target.toString();
  await packer
    .add({ name: `${path}/${name.toString()}`, type: 'symlink', size: 0, linkname })
    .close();
}

/** Returns false for a name that the archive can't have, since it is not UTF-8. */
function isPackable(name: Buffer, packing: Packing): boolean {
  if (packing.kind === 'exact' || Buffer.from(name.toString()).equals(name)) return true;
  packing.onSkipped();
  return false;
}

/** Resolves with the result; in a live tree with undefined for an entry that can't be read. */
async function attempt<T>(packing: Packing, work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    if (packing.kind === 'exact' || !hasErrorCode(error, ...unreadableCodes)) throw error;
    packing.onSkipped();
    return undefined;
  }
}

/** A small file that has been read. */
interface SmallFile {
  readonly stats: Stats;
  readonly bytes: Buffer;
}

/** Resolves with undefined for a large file and any other entry. */
async function readSmall(
  folder: Folder,
  name: EntryName,
  packing: Packing,
): Promise<SmallFile | undefined> {
  try {
    await using file = await folder.read(name);
    const stats = await file?.stat();
    if (file === undefined || stats === undefined || stats.size > packedChunkBytes) {
      return undefined;
    }
    const bytes = Buffer.allocUnsafeSlow(stats.size);
    const { bytesRead } = await file.read(bytes, 0, bytes.length, 0);
    return bytesRead === bytes.length ? { stats, bytes } : undefined;
  } catch (error) {
    // The second attempt reports it.
    if (packing.kind !== 'exact' && hasErrorCode(error, ...unreadableCodes)) return undefined;
    throw error;
  }
}

function plainMode(mode: number): number {
  return (mode & 0o111) === 0 ? 0o644 : 0o755;
}

/** Returns the time of a change in ms, as far as archives can have it. */
function changeTime({ mtimeMs }: Pick<Stats, 'mtimeMs'>): number {
  return Math.min(Math.max(mtimeMs, 0), maxSecond * 1000);
}

function wholeSeconds(stats: Pick<Stats, 'mtimeMs'>): Date {
  return new Date(Math.floor(changeTime(stats) / 1000) * 1000);
}

function headerOf(path: string, stats: Stats, packing: Packing) {
  const { mode, size } = stats;
  const header = {
    name: path,
    size,
    mode: packing.kind === 'volume' ? mode & 0o777 : plainMode(mode),
    mtime: wholeSeconds(stats),
  };
  return packing.kind === 'exact'
    ? header
    : { ...header, pax: { mtime: (changeTime(stats) / 1000).toFixed(3) } };
}
