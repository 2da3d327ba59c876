import { randomUUID } from 'node:crypto';
import { type FileHandle, open, stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { chunksOf } from './http/chunks.ts';
import type { UploadPart } from './client.ts';
import { localReason } from './local-reason.ts';

/** A multipart/form-data body that is read from disk while it is sent (RFC 7578). */
export interface Upload {
  readonly contentType: string;
  /** Bytes of the whole body. */
  readonly length: number;
  /** Bytes of files' contents among the first `bytes` of the body. */
  contentsIn(bytes: number): number;
  /** The body, once: files are opened one after the other, each when it is its turn. */
  read(): Readable;
}

interface Section {
  readonly head: Buffer;
  readonly source: UploadPart['source'];
  readonly size: number;
  /** When a file was last changed, ms since the epoch: its size was found together with it. */
  readonly changedAt: number | undefined;
}

export type OpenedUpload =
  | { readonly ok: true; readonly value: Upload }
  | { readonly ok: false; readonly path: string; readonly reason: string };

/**
 * A body with one part for each of the given ones in the form field `field`, the path as its
 * filename. Sizes are found beforehand; a file that is not what it was when its turn comes breaks
 * the body off. Quotes and line breaks in a path are percent-encoded, as the HTML standard says
 * ("multipart form data").
 */
export async function openUpload(
  field: string,
  parts: readonly UploadPart[],
): Promise<OpenedUpload> {
  const boundary = `hostdeck-${randomUUID()}`;
  const sections: Section[] = [];
  for (let index = 0; index < parts.length; index += ahead) {
    const some = parts.slice(index, index + ahead);
    const found = await Promise.all(some.map(({ source }) => measured(source)));
    for (const [offset, measure] of found.entries()) {
      const { path, source } = some[offset] as UploadPart;
      if ('reason' in measure) return { ok: false, path, ...measure };
      const begin = `${sections.length === 0 ? '' : '\r\n'}--${boundary}\r\n`;
      const head = Buffer.from(
        `${begin}Content-Disposition: form-data; name="${field}"; filename="${escaped(path)}"\r\n` +
          'Content-Type: application/octet-stream\r\n\r\n',
      );
      sections.push({ head, source, ...measure });
    }
  }
  const tail = Buffer.from(`${sections.length === 0 ? '' : '\r\n'}--${boundary}--\r\n`);
  const length = sections.reduce((sum, { head, size }) => sum + head.length + size, tail.length);
  return {
    ok: true,
    value: {
      contentType: `multipart/form-data; boundary=${boundary}`,
      length,
      contentsIn: contentsCounter(sections),
      read: () => Readable.from(gathered(bytesOf(sections, tail)), { objectMode: false }),
    },
  };
}

function escaped(path: string): string {
  return path.replaceAll('\r', '%0D').replaceAll('\n', '%0A').replaceAll('"', '%22');
}

type Measured = Pick<Section, 'size' | 'changedAt'> | { readonly reason: string };

async function measured(source: UploadPart['source']): Promise<Measured> {
  if ('bytes' in source) return { size: source.bytes.length, changedAt: undefined };
  try {
    const found = await stat(source.file);
    if (!found.isFile()) return { reason: 'not a regular file' };
    return { size: found.size, changedAt: found.mtimeMs };
  } catch (error) {
    return { reason: localReason(error) };
  }
}

/** Counts forward only: it is asked while a body is being sent. */
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

async function* bytesOf(
  sections: readonly Section[],
  tail: Buffer,
): AsyncGenerator<Uint8Array, void, undefined> {
  const small = new Map<Section, Promise<Uint8Array>>();
  for (const [index, section] of sections.entries()) {
    for (const next of sections.slice(index, index + ahead)) {
      if (next.size > gatheredSize || 'bytes' in next.source || small.has(next)) continue;
      const whole = wholeFile(next.source.file, next);
      // It is awaited when it is its turn, which a body that broke off before never reaches.
      whole.catch(() => {});
      small.set(next, whole);
    }
    yield section.head;
    const { source } = section;
    const whole = small.get(section);
    small.delete(section);
    if (whole !== undefined) yield await whole;
    else if ('bytes' in source) yield* chunksOf(source.bytes);
    else yield* fileBytes(source.file, section);
  }
  yield tail;
}

/** Small files that are read while those before them are sent. */
const ahead = 16;

async function wholeFile(file: string, section: Section): Promise<Uint8Array> {
  return Buffer.concat(await Array.fromAsync(fileBytes(file, section)));
}

/** Of a read: a file system is asked less often than a socket is written to. */
const readSize = 512 * 1024;

async function* fileBytes(
  file: string,
  { size, changedAt }: Section,
): AsyncGenerator<Uint8Array, void, undefined> {
  const handle = await opened(file);
  try {
    const found = await handle.stat();
    if (found.size !== size || found.mtimeMs !== changedAt) throw new ChangedFile(file);
    // The next piece is read while the socket takes this one.
    let coming = readAt(handle, 0, size);
    for (let at = 0; at < size; ) {
      const piece = await coming;
      if (piece.length === 0) throw new ChangedFile(file);
      at += piece.length;
      if (at < size) coming = readAt(handle, at, size);
      yield* chunksOf(piece);
    }
    if ((await handle.stat()).mtimeMs !== changedAt) throw new ChangedFile(file);
  } finally {
    await handle.close();
  }
}

/** A piece of a file, empty at its end. A failure is the one's who awaits it. */
function readAt(handle: FileHandle, at: number, size: number): Promise<Uint8Array> {
  const length = Math.min(readSize, size - at);
  const read = handle
    .read({ buffer: Buffer.allocUnsafeSlow(length), position: at })
    .then(({ buffer, bytesRead }) => buffer.subarray(0, bytesRead));
  // Nobody awaits it when the body breaks off before.
  read.catch(() => {});
  return read;
}

async function opened(file: string): Promise<FileHandle> {
  try {
    return await open(file);
  } catch {
    throw new ChangedFile(file);
  }
}

/** A file that cannot be sent any more as it was when the body was begun. */
class ChangedFile extends Error {
  readonly code = 'ERR_FILE_CHANGED';

  constructor(file: string) {
    super(`${file} was changed or removed meanwhile`);
  }
}

/** Small pieces that are sent at once: a write for each of many small files is slow. */
const gatheredSize = 64 * 1024;

async function* gathered(
  pieces: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array, void, undefined> {
  let held: Uint8Array[] = [];
  let size = 0;
  for await (const piece of pieces) {
    held.push(piece);
    size += piece.length;
    if (size < gatheredSize) continue;
    yield held.length === 1 ? piece : Buffer.concat(held, size);
    held = [];
    size = 0;
  }
  if (size > 0) yield Buffer.concat(held, size);
}
