/** Streams a multipart/form-data body from local files. */
import { isUtf8 } from 'node:buffer';
import { randomUUID } from 'node:crypto';
import { type FileHandle, open, readFile, stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { isExactFilename } from '../contract/exact-filename.ts';
import { splitChunks } from './http/chunks.ts';
import { describeLocalError } from './local-reason.ts';

/** One part of an upload: a local file streamed from disk, or bytes in memory. */
export interface UploadPart {
  /** Path inside the service, sent as the part's filename. */
  readonly path: string;
  readonly source: { readonly file: string } | { readonly bytes: Uint8Array };
}

/** A multipart/form-data body (RFC 7578) that is read from disk while it is sent. */
export interface Upload {
  readonly contentType: string;
  /** Bytes of the whole body. */
  readonly length: number;
  /** Returns the bytes of file contents among the first `bytes` of the body. */
  contentBytesIn(bytes: number): number;
  /** Returns the body; may be called once. Files are opened as their parts are sent. */
  openBody(): Readable;
}

interface Section {
  readonly head: Buffer;
  readonly source: UploadPart['source'];
  readonly size: number;
  /** Modification time of the file when its size was measured, ms since the epoch. */
  readonly changedAt: number | undefined;
}

export type UploadResult =
  | { readonly ok: true; readonly value: Upload }
  | { readonly ok: false; readonly path: string; readonly reason: string };

/**
 * Prepares a body with one part of the form field `field` for each entry of `parts`; the path is the
 * filename and must be exact (`isExactFilename`). Sizes are measured first; the body fails if a file has
 * changed when its part is sent.
 */
export async function openUpload(
  field: string,
  parts: readonly UploadPart[],
): Promise<UploadResult> {
  const boundary = `hostdeck-${randomUUID()}`;
  const sections: Section[] = [];
  for (let index = 0; index < parts.length; index += readAhead) {
    const batch = parts.slice(index, index + readAhead);
    const measures = await Promise.all(batch.map(({ source }) => measure(source)));
    for (const [offset, size] of measures.entries()) {
      const { path, source } = batch[offset] as UploadPart;
      if ('reason' in size) return { ok: false, path, ...size };
      const begin = `${sections.length === 0 ? '' : '\r\n'}--${boundary}\r\n`;
      const head = Buffer.from(
        `${begin}Content-Disposition: form-data; name="${field}"; filename="${path}"\r\n` +
          'Content-Type: application/octet-stream\r\n\r\n',
      );
      sections.push({ head, source, ...size });
    }
  }
  const tail = Buffer.from(`${sections.length === 0 ? '' : '\r\n'}--${boundary}--\r\n`);
  const length = sections.reduce((sum, { head, size }) => sum + head.length + size, tail.length);
  return {
    ok: true,
    value: {
      contentType: `multipart/form-data; boundary=${boundary}`,
      length,
      contentBytesIn: contentsCounter(sections),
      openBody: () => Readable.from(coalesce(generateBody(sections, tail)), { objectMode: false }),
    },
  };
}

/** Largest content of an "update file" request, in bytes; the request holds all of it in memory. */
const maxTextBytes = 10 * 2 ** 20;

export type PartText =
  | { readonly ok: true; readonly text: string }
  | {
      readonly ok: false;
      readonly code: 'local' | 'too-large' | 'invalid';
      readonly reason: string;
    };

/**
 * Reads a part as the content of an "update file" request, for a path that no filename carries exactly.
 * Fails when the content is too long for that, or is not UTF-8 and so not the text of a JSON string.
 */
export async function readPartText({ source }: UploadPart): Promise<PartText> {
  try {
    const size = 'bytes' in source ? source.bytes.length : (await stat(source.file)).size;
    if (size > maxTextBytes) {
      return {
        ok: false,
        code: 'too-large',
        reason: 'its name needs PUT, which carries at most 10 MiB',
      };
    }
    const bytes = 'bytes' in source ? source.bytes : await readFile(source.file);
    return isUtf8(bytes)
      ? { ok: true, text: Buffer.from(bytes).toString('utf8') }
      : { ok: false, code: 'invalid', reason: 'its name needs PUT, which carries only UTF-8 text' };
  } catch (error) {
    return { ok: false, code: 'local', reason: describeLocalError(error) };
  }
}

/**
 * Returns why a part can't be sent under its path; undefined where it can. Only a path that no filename
 * carries exactly limits the content.
 */
export async function findPartRefusal(
  part: UploadPart,
): Promise<Extract<PartText, { readonly ok: false }> | undefined> {
  if (isExactFilename(part.path)) return undefined;
  const read = await readPartText(part);
  return read.ok ? undefined : read;
}

type Measure = Pick<Section, 'size' | 'changedAt'> | { readonly reason: string };

async function measure(source: UploadPart['source']): Promise<Measure> {
  if ('bytes' in source) return { size: source.bytes.length, changedAt: undefined };
  try {
    const stats = await stat(source.file);
    if (!stats.isFile()) return { reason: 'it is not a regular file' };
    return { size: stats.size, changedAt: stats.mtimeMs };
  } catch (error) {
    return { reason: describeLocalError(error) };
  }
}

/** Returns a counter of content bytes. Its argument must not decrease between calls. */
function contentsCounter(sections: readonly Section[]): (bytes: number) => number {
  let index = 0;
  let start = 0;
  let before = 0;
  return (bytes) => {
    for (;;) {
      const section = sections[index];
      if (section === undefined) return before;
      const { head, size } = section;
      const sent = bytes - start - head.length;
      if (sent < size) return before + Math.max(0, sent);
      index += 1;
      start += head.length + size;
      before += size;
    }
  };
}

async function* generateBody(
  sections: readonly Section[],
  tail: Buffer,
): AsyncGenerator<Uint8Array, void, undefined> {
  const small = new Map<Section, Promise<Uint8Array>>();
  for (const [index, section] of sections.entries()) {
    for (const next of sections.slice(index, index + readAhead)) {
      if (next.size > smallSize || 'bytes' in next.source || small.has(next)) continue;
      const whole = readWholeFile(next.source.file, next);
      // A body that breaks off earlier never awaits this promise.
      whole.catch(() => {});
      small.set(next, whole);
    }
    yield section.head;
    const { source } = section;
    const whole = small.get(section);
    small.delete(section);
    if (whole !== undefined) yield await whole;
    else if ('bytes' in source) yield* splitChunks(source.bytes);
    else yield* readChunks(source.file, section);
  }
  yield tail;
}

/** Parts that are measured at once, and small files that are read ahead of the part being sent. */
const readAhead = 16;

async function readWholeFile(file: string, section: Section): Promise<Uint8Array> {
  return Buffer.concat(await Array.fromAsync(readChunks(file, section)));
}

/** Bytes of one read. Larger than a socket write, because reads cost more. */
const readSize = 512 * 1024;

async function* readChunks(
  file: string,
  { size, changedAt }: Section,
): AsyncGenerator<Uint8Array, void, undefined> {
  const handle = await openSource(file);
  try {
    const stats = await handle.stat();
    if (stats.size !== size || stats.mtimeMs !== changedAt) throw new ChangedFile(file);
    // The next piece is read while the socket sends this one.
    let next = readAt(handle, 0, size);
    for (let at = 0; at < size; ) {
      const piece = await next;
      if (piece.length === 0) throw new ChangedFile(file);
      at += piece.length;
      if (at < size) next = readAt(handle, at, size);
      yield* splitChunks(piece);
    }
    if ((await handle.stat()).mtimeMs !== changedAt) throw new ChangedFile(file);
  } finally {
    await handle.close();
  }
}

/** Reads a piece of a file; empty at its end. A failure reaches only a caller that awaits it. */
function readAt(handle: FileHandle, at: number, size: number): Promise<Uint8Array> {
  const length = Math.min(readSize, size - at);
  const read = handle
    .read({ buffer: Buffer.allocUnsafeSlow(length), position: at })
    .then(({ buffer, bytesRead }) => buffer.subarray(0, bytesRead));
  // A body that breaks off earlier never awaits this promise.
  read.catch(() => {});
  return read;
}

async function openSource(file: string): Promise<FileHandle> {
  try {
    return await open(file);
  } catch {
    throw new ChangedFile(file);
  }
}

/** A file that changed or vanished after the upload began. */
class ChangedFile extends Error {
  readonly code = 'ERR_FILE_CHANGED';

  constructor(file: string) {
    super(`${file} was changed or removed during the upload`);
  }
}

/** Bytes up to which pieces are joined into one write: many small writes are slow. */
const smallSize = 64 * 1024;

async function* coalesce(
  pieces: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array, void, undefined> {
  let pending: Uint8Array[] = [];
  let size = 0;
  for await (const piece of pieces) {
    pending.push(piece);
    size += piece.length;
    if (size < smallSize) continue;
    yield pending.length === 1 ? piece : Buffer.concat(pending, size);
    pending = [];
    size = 0;
  }
  if (size > 0) yield Buffer.concat(pending, size);
}
