import { randomUUID } from 'node:crypto';
import { type FileHandle, open, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Dispatcher } from 'undici';
import type { FileBody, SavedFile } from './client.ts';
import type { Result } from './http/errors.ts';
import { isBytes, isWhitespace, openBrace } from './file-content.ts';
import { localReason } from './local-reason.ts';

/** An answer whose body is taken as it comes. */
export interface Coming {
  readonly status: number;
  readonly contentType: string | undefined;
  /** Bytes of the body, where they are announced. */
  readonly length: number | undefined;
  readonly lastModified: string | undefined;
  readonly body: Dispatcher.ResponseData['body'];
}

export interface DownloadOptions {
  readonly file: string;
  /** Largest answer that is taken into memory to see whether it is an envelope. */
  readonly maxEnvelope: number;
  readonly signal: AbortSignal | undefined;
  readonly onProgress: ((received: number, total: number | undefined) => void) | undefined;
  /** Reads a whole answer that may be an envelope around the file. */
  readonly settle: (answer: Uint8Array) => Promise<Result<FileBody>>;
}

/** Why a download could not be written. */
export class UnwritableFile extends Error {}

/**
 * Writes an answer to "get file content" to a local file, which is there whole and on the disk, or
 * as it was: a file beside it takes what comes. Throws {@link UnwritableFile} for what is wrong on
 * this machine, and whatever the body throws.
 */
export async function writeDownload(
  coming: Coming,
  options: DownloadOptions,
): Promise<Result<SavedFile>> {
  const { file, signal } = options;
  const temporary = path.join(path.dirname(file), `.hostdeck-${randomUUID()}.part`);
  const handle = await local(open(temporary, 'wx', 0o666));
  try {
    const saved = await receive(coming, handle, temporary, options);
    if (!saved.ok) return saved;
    await local(handle.sync());
    signal?.throwIfAborted();
    await local(rename(temporary, file));
    return saved;
  } finally {
    await handle.close();
    await rm(temporary, { force: true });
  }
}

async function receive(
  coming: Coming,
  handle: FileHandle,
  temporary: string,
  { maxEnvelope, onProgress, settle }: DownloadOptions,
): Promise<Result<SavedFile>> {
  let size = 0;
  let first: number | undefined;
  for await (const chunk of coming.body) {
    const bytes = chunk as Uint8Array;
    await local(handle.appendFile(bytes));
    size += bytes.length;
    first ??= bytes.find((byte) => !isWhitespace(byte));
    onProgress?.(size, coming.length);
  }
  // Who sends bytes as such, which is what was asked for, puts no envelope around them.
  if (first !== openBrace || isBytes(coming.contentType)) {
    return { ok: true, value: { size, reading: 'certain' } };
  }
  if (size > maxEnvelope) return { ok: true, value: { size, reading: 'ambiguous' } };
  const settled = await settle(await local(readFile(temporary)));
  if (!settled.ok) return settled;
  const { bytes, reading } = settled.value;
  await local(writeFile(temporary, bytes));
  return { ok: true, value: { size: bytes.length, reading } };
}

/** Tells what goes wrong on this machine from what goes wrong on the way. */
async function local<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    const missing = (error as NodeJS.ErrnoException).code === 'ENOENT';
    const reason = missing ? 'its folder does not exist' : localReason(error);
    throw new UnwritableFile(reason, { cause: error });
  }
}
