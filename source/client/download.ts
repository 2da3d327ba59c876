/** Writes the answer to "get file content" to a local file, atomically. */
import { randomUUID } from 'node:crypto';
import { type FileHandle, open, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { FileBody } from './file-content.ts';
import type { AnswerBody } from './http/content-coding.ts';
import type { Result } from './http/errors.ts';
import { isOctetStream, isWhitespace, openBrace } from './file-content.ts';
import { describeLocalError } from './local-reason.ts';

/** A remote file that was written to the local disk. */
export interface SavedFile {
  /** Bytes. */
  readonly size: number;
  /** `ambiguous` as in {@link FileBody}; the answer was then written unchanged. */
  readonly certainty: FileBody['certainty'];
}

/** An answer whose body is still arriving. */
export interface IncomingAnswer {
  readonly status: number;
  readonly contentType: string | undefined;
  /** Announced bytes of the body (`Content-Length`); undefined for one with a content coding. */
  readonly length: number | undefined;
  readonly lastModified: string | undefined;
  readonly body: AnswerBody;
}

export interface DownloadOptions {
  readonly file: string;
  /** Bytes of the largest answer that is read into memory to look for an envelope. */
  readonly maxEnvelopeSize: number;
  readonly signal: AbortSignal | undefined;
  readonly onProgress: ((received: number, total: number | undefined) => void) | undefined;
  /** Decodes a complete answer that may be an envelope around the file. */
  readonly resolveBody: (answer: Uint8Array) => Promise<Result<FileBody>>;
}

/** A local failure to write a download; the message is the reason. */
export class LocalWriteError extends Error {}

/**
 * Writes an answer to "get file content" to a local file. A temporary file beside it receives the
 * bytes, is synced to disk and then renamed, so a failure leaves the old file unchanged.
 * @throws {@link LocalWriteError} for a local failure; errors of the body pass through.
 */
export async function writeDownload(
  answer: IncomingAnswer,
  options: DownloadOptions,
): Promise<Result<SavedFile>> {
  const { file, signal } = options;
  const temporary = path.join(path.dirname(file), `.hostdeck-${randomUUID()}.part`);
  const handle = await wrapLocalError(open(temporary, 'wx', 0o666));
  try {
    const result = await receive(answer, handle, temporary, options);
    if (!result.ok) return result;
    await wrapLocalError(handle.sync());
    signal?.throwIfAborted();
    await wrapLocalError(rename(temporary, file));
    return result;
  } finally {
    await handle.close();
    await rm(temporary, { force: true });
  }
}

async function receive(
  answer: IncomingAnswer,
  handle: FileHandle,
  temporary: string,
  { maxEnvelopeSize, onProgress, resolveBody }: DownloadOptions,
): Promise<Result<SavedFile>> {
  let size = 0;
  let first: number | undefined;
  for await (const bytes of answer.body) {
    await wrapLocalError(handle.appendFile(bytes));
    size += bytes.length;
    first ??= bytes.find((byte) => !isWhitespace(byte));
    onProgress?.(size, answer.length);
  }
  // A service that honours `Accept: application/octet-stream` adds no envelope.
  if (first !== openBrace || isOctetStream(answer.contentType)) {
    return { ok: true, value: { size, certainty: 'certain' } };
  }
  if (size > maxEnvelopeSize) return { ok: true, value: { size, certainty: 'ambiguous' } };
  const body = await resolveBody(await wrapLocalError(readFile(temporary)));
  if (!body.ok) return body;
  const { bytes, certainty } = body.value;
  await wrapLocalError(writeFile(temporary, bytes));
  return { ok: true, value: { size: bytes.length, certainty } };
}

/** Rethrows a failure of the local file system as {@link LocalWriteError}. */
async function wrapLocalError<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT';
    const reason = isMissing ? 'the folder does not exist' : describeLocalError(error);
    throw new LocalWriteError(reason, { cause: error });
  }
}
