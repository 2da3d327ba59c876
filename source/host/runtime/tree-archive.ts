import type { Stats } from 'node:fs';
import { createTarPacker } from 'modern-tar';
import { type EntryName, Folder } from '../files/folder.ts';

type Packer = ReturnType<typeof createTarPacker>['controller'];

/** Bytes that are read of a file at once, and that a piece of an archive has at least. */
const pieceBytes = 64 * 1024;

/** Small files that are read at the same time. */
const filesAtOnce = 32;

/** The latest second that the field of a tar header holds. */
const lastSecond = 8 ** 11 - 1;

/**
 * Packs a tree of files as a tar archive (POSIX.1-2001, PAX), some bytes at a time: all of it in a
 * folder of this name, owned by root, files with mode 0644 or 0755. Links and special files are left
 * out: nothing is read through a link, also when one is put in place meanwhile. Throws when there is
 * no tree, or when a file changes its size while it is read.
 */
export async function* archiveTree(root: string, name: string): AsyncGenerator<Uint8Array> {
  const { readable, controller } = createTarPacker();
  const packed = packTree(controller, root, name).catch((error: unknown) => {
    const code = error instanceof Error && 'code' in error ? String(error.code) : undefined;
    // A code alone would read like the engine's.
    controller.error(code === undefined ? error : new Error(`the host cannot read them (${code})`));
  });
  try {
    yield* inLargePieces(readable);
  } finally {
    // Its handles are closed then; a reader that left has cancelled it.
    await packed;
  }
}

async function packTree(packer: Packer, root: string, name: string): Promise<void> {
  await using folder = await Folder.open(root);
  if (!(folder instanceof Folder)) throw new Error('the folder with its files is gone');
  await packFolder(packer, folder, name);
  packer.finalize();
}

async function packFolder(packer: Packer, folder: Folder, path: string): Promise<void> {
  await packer.add({ name: path, type: 'directory', size: 0, mode: 0o755 }).close();
  const entries = await folder.names();
  const files = entries.filter((entry) => entry.isFile()).map(({ name }) => name);
  for (let at = 0; at < files.length; at += filesAtOnce) {
    const names = files.slice(at, at + filesAtOnce);
    // A tree has many small files: the time that each takes is spent on waiting for the disk.
    const ready = await Promise.all(names.map((name) => readSmall(folder, name)));
    for (const [index, name] of names.entries()) {
      await packFile(packer, folder, name, `${path}/${name.toString()}`, ready[index]);
    }
  }
  for (const { name } of entries.filter((entry) => entry.isDirectory())) {
    await using inner = await folder.enter(name);
    // It may have been removed since, or become something else.
    if (inner instanceof Folder) await packFolder(packer, inner, `${path}/${name.toString()}`);
  }
}

/** A small file with its content. */
interface Ready {
  readonly stats: Stats;
  readonly bytes: Buffer;
}

/** Undefined for what is no small file. */
async function readSmall(folder: Folder, name: EntryName): Promise<Ready | undefined> {
  await using file = await folder.read(name);
  const stats = await file?.stat();
  if (file === undefined || stats === undefined || stats.size > pieceBytes) return undefined;
  const bytes = Buffer.allocUnsafeSlow(stats.size);
  const { bytesRead } = await file.read(bytes, 0, bytes.length, 0);
  return bytesRead === bytes.length ? { stats, bytes } : undefined;
}

async function packFile(
  packer: Packer,
  folder: Folder,
  name: EntryName,
  path: string,
  ready: Ready | undefined,
): Promise<void> {
  if (ready !== undefined) {
    const writer = packer.add(headerOf(path, ready.stats)).getWriter();
    if (ready.bytes.length > 0) await writer.write(ready.bytes);
    await writer.close();
    return;
  }
  await using file = await folder.read(name);
  if (file === undefined) return;
  const stats = await file.stat();
  const writer = packer.add(headerOf(path, stats)).getWriter();
  for (let left = stats.size; left > 0; ) {
    // Not read into again: the packer holds it until it is sent.
    const bytes = Buffer.allocUnsafeSlow(Math.min(left, pieceBytes));
    const { bytesRead } = await file.read(bytes, 0, bytes.length);
    if (bytesRead === 0) throw new Error(`${path} became shorter while it was copied`);
    await writer.write(bytes.subarray(0, bytesRead));
    left -= bytesRead;
  }
  await writer.close();
}

function headerOf(path: string, { mode, mtimeMs, size }: Stats) {
  const second = Math.min(Math.max(Math.floor(mtimeMs / 1000), 0), lastSecond);
  return {
    name: path,
    size,
    mode: (mode & 0o111) === 0 ? 0o644 : 0o755,
    mtime: new Date(second * 1000),
  };
}

/** Joins small pieces, as a header and a small file are: each costs a write. */
async function* inLargePieces(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let held: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of pieces) {
    held.push(piece);
    bytes += piece.length;
    if (bytes < pieceBytes) continue;
    yield held.length === 1 ? piece : Buffer.concat(held);
    held = [];
    bytes = 0;
  }
  if (bytes > 0) yield Buffer.concat(held);
}
