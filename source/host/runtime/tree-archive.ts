import type { Stats } from 'node:fs';
import { createTarPacker } from 'modern-tar';
import { type EntryName, Folder } from '../files/folder.ts';

type Packer = ReturnType<typeof createTarPacker>['controller'];

/** Bytes per read of a file, and least bytes of a chunk of an archive. */
const chunkBytes = 64 * 1024;

/** Number of small files that are read concurrently. */
const filesAtOnce = 32;

/** Largest modification time in a tar header, in seconds. */
const maxSecond = 8 ** 11 - 1;

/**
 * Packs a tree of files as a tar archive (POSIX.1-2001, PAX) in chunks: all entries below a folder
 * `name`, owned by root, files with mode 0644 or 0755. Links and special files are skipped; no link
 * is followed, not even one created meanwhile. Throws when the tree is missing or a file shrinks
 * while it is read.
 *
 * @param hidden paths of folders in the archive that are left out.
 */
export async function* archiveTree(
  root: string,
  name: string,
  hidden: ReadonlySet<string> = new Set(),
): AsyncGenerator<Uint8Array> {
  const { readable, controller } = createTarPacker();
  const packed = packTree({ packer: controller, hidden }, root, name).catch((error: unknown) => {
    const code = error instanceof Error && 'code' in error ? String(error.code) : undefined;
    // A bare code would read like an error of the engine.
    controller.error(code === undefined ? error : new Error(`the host can't read them (${code})`));
  });
  try {
    yield* joinChunks(readable);
  } finally {
    // File handles are closed then, also when the reader has cancelled the stream.
    await packed;
  }
}

interface Target {
  readonly packer: Packer;
  readonly hidden: ReadonlySet<string>;
}

async function packTree(target: Target, root: string, name: string): Promise<void> {
  await using folder = await Folder.open(root);
  if (!(folder instanceof Folder)) throw new Error('its folder is missing');
  await packFolder(target, folder, name);
  target.packer.finalize();
}

async function packFolder(target: Target, folder: Folder, path: string): Promise<void> {
  const { packer, hidden } = target;
  // An entry of any kind at such a path would be written into what is mounted there.
  const isVisible = ({ name }: { readonly name: Buffer }) =>
    !hidden.has(`${path}/${name.toString()}`);
  await packer.add({ name: path, type: 'directory', size: 0, mode: 0o755 }).close();
  const entries = (await folder.names()).filter(isVisible);
  const files = entries.filter((entry) => entry.isFile()).map(({ name }) => name);
  for (let at = 0; at < files.length; at += filesAtOnce) {
    const names = files.slice(at, at + filesAtOnce);
    // Small files are limited by disk latency, so they are read concurrently.
    const small = await Promise.all(names.map((name) => readSmall(folder, name)));
    for (const [index, name] of names.entries()) {
      await packFile(packer, folder, name, `${path}/${name.toString()}`, small[index]);
    }
  }
  for (const { name } of entries.filter((entry) => entry.isDirectory())) {
    await using inner = await folder.enter(name);
    // The entry may have been removed or replaced since.
    if (inner instanceof Folder) await packFolder(target, inner, `${path}/${name.toString()}`);
  }
}

/** A small file that has been read. */
interface SmallFile {
  readonly stats: Stats;
  readonly bytes: Buffer;
}

/** Resolves with undefined for a large file and any other entry. */
async function readSmall(folder: Folder, name: EntryName): Promise<SmallFile | undefined> {
  await using file = await folder.read(name);
  const stats = await file?.stat();
  if (file === undefined || stats === undefined || stats.size > chunkBytes) return undefined;
  const bytes = Buffer.allocUnsafeSlow(stats.size);
  const { bytesRead } = await file.read(bytes, 0, bytes.length, 0);
  return bytesRead === bytes.length ? { stats, bytes } : undefined;
}

async function packFile(
  packer: Packer,
  folder: Folder,
  name: EntryName,
  path: string,
  small: SmallFile | undefined,
): Promise<void> {
  if (small !== undefined) {
    const writer = packer.add(headerOf(path, small.stats)).getWriter();
    if (small.bytes.length > 0) await writer.write(small.bytes);
    await writer.close();
    return;
  }
  await using file = await folder.read(name);
  if (file === undefined) return;
  const stats = await file.stat();
  const writer = packer.add(headerOf(path, stats)).getWriter();
  for (let remaining = stats.size; remaining > 0; ) {
    // A new buffer for each read: the packer keeps it until it is sent.
    const bytes = Buffer.allocUnsafeSlow(Math.min(remaining, chunkBytes));
    const { bytesRead } = await file.read(bytes, 0, bytes.length);
    if (bytesRead === 0) throw new Error(`${path} became shorter while it was copied`);
    await writer.write(bytes.subarray(0, bytesRead));
    remaining -= bytesRead;
  }
  await writer.close();
}

function headerOf(path: string, { mode, mtimeMs, size }: Stats) {
  const second = Math.min(Math.max(Math.floor(mtimeMs / 1000), 0), maxSecond);
  return {
    name: path,
    size,
    mode: (mode & 0o111) === 0 ? 0o644 : 0o755,
    mtime: new Date(second * 1000),
  };
}

/** Joins small chunks, such as a header and a small file, as each chunk costs a write. */
async function* joinChunks(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let buffered: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of chunks) {
    buffered.push(chunk);
    bytes += chunk.length;
    if (bytes < chunkBytes) continue;
    yield buffered.length === 1 ? chunk : Buffer.concat(buffered);
    buffered = [];
    bytes = 0;
  }
  if (bytes > 0) yield Buffer.concat(buffered);
}
