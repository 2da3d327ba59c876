import { createReadStream } from 'node:fs';
import { chmod, open, statfs, symlink } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { Readable, Writable } from 'node:stream';
import { createZstdDecompress } from 'node:zlib';
import { createTarDecoder, type ParsedTarEntry } from 'modern-tar';
import { syncFolder } from '../files/disk.ts';
import { hasErrorCode } from '../files/missing.ts';
import { type ArchiveEntry, placeOf } from './archive-entries.ts';
import { type BackupManifest, parseManifest } from './backup-format.ts';
import { makeFolder } from '../../system/make-folder.ts';

/** A backup that can't be restored, as a sentence for a person. */
export class RestoreFailure extends Error {}

/** Largest manifest that is read, in bytes. */
const maxManifestBytes = 64 * 1024;

/** The error codes for a file that is not compressed, is cut or was changed. */
const damageCode = /^(?:ZSTD_error_|Z_)/;

/**
 * Extracts the archive of a backup into an empty folder that only this program writes to, and syncs
 * it. Checks each entry before it is written. Throws a {@link RestoreFailure} for any file but a
 * complete backup.
 */
export async function extractArchive(file: string, folder: string): Promise<BackupManifest> {
  const extraction = new Extraction(folder, await freeBytes(folder));
  const entries = createTarDecoder({ strict: true });
  const source = createReadStream(file);
  const read = pipeline(
    source,
    createZstdDecompress(),
    Writable.fromWeb(entries.writable as never),
  );
  const written = extraction.run(entries.readable).finally(() => {
    // Ends the reading of an archive that is refused.
    source.destroy();
  });
  // An error of the reading ends the extraction with an error as well, and the other way round.
  const failures = (await Promise.allSettled([read, written])).flatMap((result): unknown[] =>
    result.status === 'rejected' ? [result.reason] : [],
  );
  if (failures.length > 0) {
    throw failureOf(failures.find((each) => each instanceof RestoreFailure) ?? failures[0], file);
  }
  return extraction.manifest();
}

function failureOf(error: unknown, file: string): RestoreFailure {
  if (error instanceof RestoreFailure) return error;
  if (hasErrorCode(error, 'ENOSPC')) return new RestoreFailure('The disk is full.');
  // Errors of the system have other codes, errors of the tar decoder have none.
  if (error instanceof Error && (!('code' in error) || damageCode.test(String(error.code)))) {
    return new RestoreFailure(`${file} is damaged, cut, or not a backup of a host.`);
  }
  if (hasErrorCode(error, 'ENOENT')) return new RestoreFailure(`There is no file ${file}.`);
  const reason = error instanceof Error ? error.message : String(error);
  return new RestoreFailure(`The backup can't be restored: ${reason}.`);
}

async function freeBytes(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}

/** Writes the entries of an archive. */
class Extraction {
  readonly #folder: string;
  readonly #folders = new Set<string>();
  /** Modes of folders of volumes. */
  readonly #modes = new Map<string, number>();
  /** Targets of links. */
  readonly #links = new Map<string, string>();
  #remainingBytes: number;
  #manifest: BackupManifest | undefined;

  constructor(folder: string, freeSpace: number) {
    this.#folder = folder;
    this.#remainingBytes = freeSpace;
  }

  async run(entries: ReadableStream<ParsedTarEntry>): Promise<void> {
    for await (const entry of entries) await this.#extract(entry);
    // The links come last: nothing is written after them, so nothing can be written through one.
    for (const [link, target] of this.#links) await createLink(link, target);
    // Its owner can always change a folder, or a failure could not be cleaned up.
    for (const [folder, mode] of this.#modes) await chmod(folder, mode | 0o700);
    for (const folder of this.#folders) await syncFolder(folder);
    await syncFolder(this.#folder);
  }

  manifest(): BackupManifest {
    if (this.#manifest === undefined)
      throw new RestoreFailure("The file isn't a backup of a host.");
    return this.#manifest;
  }

  async #extract({ header, body }: ParsedTarEntry): Promise<void> {
    const place = placeOf(header);
    if (place === undefined || (place.kind === 'manifest') !== (this.#manifest === undefined)) {
      throw new RestoreFailure(
        this.#manifest === undefined
          ? "The file isn't a backup of a host."
          : `The backup has an entry that no host writes: ${JSON.stringify(header.name)}.`,
      );
    }
    const target = path.join(this.#folder, ...place.segments);
    this.#remainingBytes -= header.size;
    if (this.#remainingBytes < 0) {
      throw new RestoreFailure('The backup is larger than the free space of the disk.');
    }
    if (place.kind === 'manifest') this.#manifest = await readManifest(header.size, body);
    else {
      await this.#makeFolder(place.kind === 'folder' ? target : path.dirname(target));
      const mode = isInVolume(place) ? (header.mode ?? 0o755) & 0o777 : undefined;
      if (place.kind === 'file') await writeNewFile(target, body, header, mode);
      else await body.cancel();
      if (place.kind === 'link') this.#links.set(target, header.linkname ?? '');
      if (place.kind === 'folder' && mode !== undefined) this.#modes.set(target, mode);
    }
  }

  async #makeFolder(folder: string): Promise<void> {
    if (this.#folders.has(folder) || folder === this.#folder) return;
    await makeFolder(folder);
    for (let each = folder; each !== this.#folder; each = path.dirname(each)) {
      this.#folders.add(each);
    }
  }
}

async function readManifest(size: number, body: ReadableStream<Uint8Array>) {
  if (size > maxManifestBytes) throw new RestoreFailure("The file isn't a backup of a host.");
  const manifest = parseManifest(await new Response(body).text());
  if (manifest === undefined) throw new RestoreFailure("The file isn't a backup of a host.");
  if (manifest === 'newer') {
    throw new RestoreFailure('A newer version wrote the backup. Update this program.');
  }
  return manifest;
}

function isInVolume({ segments }: ArchiveEntry): boolean {
  return segments[2] === 'volumes';
}

async function createLink(link: string, target: string): Promise<void> {
  await symlink(target, link).catch((error: unknown) => {
    if (!hasErrorCode(error, 'EEXIST')) throw error;
    throw new RestoreFailure('The backup has two entries of one name.');
  });
}

/**
 * Writes and syncs a file that does not exist, with the time of its header.
 *
 * @param exactMode mode of the file; by default 0644, or 0755 for a program.
 */
async function writeNewFile(
  file: string,
  body: ReadableStream<Uint8Array>,
  { mode = 0o644, mtime }: ParsedTarEntry['header'],
  exactMode: number | undefined,
): Promise<void> {
  const isExecutable = (mode & 0o111) !== 0;
  const handle = await open(file, 'wx', isExecutable ? 0o755 : 0o644).catch((error: unknown) => {
    if (!hasErrorCode(error, 'EEXIST', 'EISDIR')) throw error;
    throw new RestoreFailure('The backup has two entries of one name.');
  });
  try {
    for await (const chunk of Readable.fromWeb(body as never)) {
      await handle.writeFile(chunk as Uint8Array);
    }
    const time = (mtime?.getTime() ?? 0) / 1000;
    if (Number.isFinite(time)) await handle.utimes(time, time);
    if (exactMode !== undefined) await handle.chmod(exactMode);
    await handle.sync();
  } finally {
    await handle.close();
  }
}
