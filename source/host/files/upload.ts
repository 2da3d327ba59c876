import type { Readable } from 'node:stream';
import type { MultipartFile } from '@fastify/multipart';
import type { FastifyRequest } from 'fastify';
import type { HostLimits } from '../server/limits.ts';
import { invalidField, Refusal, tooLarge, tooManyParts, badRequest } from '../refusal.ts';
import { parsePath } from './confine.ts';
import { PartHeads } from './part-heads.ts';
import type { ReceivedFile } from './placing.ts';
import { forEachConcurrently, writeTemporaryFile } from './disk.ts';

/** Limits of form fields beside the files; the host ignores them, but the parser buffers them. */
const maxOtherFields = 100;
const maxOtherFieldBytes = 64 * 1024;

const notMultipart = 'The upload is not valid multipart/form-data (RFC 7578).';

/**
 * Streams the files of a multipart request into a folder, each with a random name. Small files are
 * written in batches, so that a request with too many parts is refused before they are written.
 * Throws at the first part that the host can't accept; the caller must then remove the folder.
 */
export async function receiveUpload(
  request: FastifyRequest,
  options: { readonly folder: string; readonly field: string; readonly limits: HostLimits },
): Promise<readonly ReceivedFile[]> {
  if (!request.isMultipart()) throw badRequest('Upload files as multipart/form-data.');
  const { folder, field, limits } = options;
  const heads = PartHeads.forContentType(request.headers['content-type']);
  if (heads === undefined) throw badRequest(notMultipart);
  const readHeads = (chunk: Buffer) => {
    heads.push(chunk);
  };
  const assertParts = () => {
    if (heads.complete > limits.maxUploadParts) throw tooManyParts();
    if (heads.refusal !== undefined) throw heads.refusal;
  };
  const store = new UploadStore(folder, assertParts);
  try {
    // The parser would not notice a request that was destroyed before it started.
    if (request.raw.destroyed) throw badRequest('The upload was interrupted.');
    request.raw.on('data', readHeads);
    const parts = request.parts({
      preservePath: true,
      limits: {
        fileSize: limits.maxUploadPartBytes,
        parts: limits.maxUploadParts,
        fields: maxOtherFields,
        fieldSize: maxOtherFieldBytes,
      },
    });
    let index = 0;
    for await (const part of parts) {
      assertParts();
      const path = heads.filename(index);
      index += 1;
      if (part.type === 'file') await receiveFile(part, path, { field, store });
      else if (part.fieldname === field) throw invalidField(field, 'parts with a filename');
    }
    if (!heads.isClosed) throw badRequest(notMultipart);
    const arrived = await store.files();
    if (arrived.length === 0) throw invalidField(field, 'at least one file');
    return arrived;
  } catch (error) {
    if (error instanceof Refusal || (error instanceof Error && 'code' in error)) throw error;
    // The parser's own errors carry no code.
    throw badRequest(notMultipart);
  } finally {
    // The rest of the body is read and dropped. Otherwise the client would not read the answer, and
    // the connection could not go on to its next request.
    request.raw.off('data', readHeads);
    request.raw.unpipe();
    request.raw.resume();
  }
}

async function receiveFile(
  part: MultipartFile,
  path: string | undefined,
  { field, store }: { readonly field: string; readonly store: UploadStore },
): Promise<void> {
  if (part.fieldname !== field) {
    throw invalidField('fieldname', `every file in the form field ${field}`);
  }
  // A part of type application/octet-stream is a file without a name, too.
  if (path === undefined) throw invalidField(field, 'parts with a filename');
  parsePath(path, 'filename');
  part.file.once('limit', () => {
    part.file.destroy(tooLarge(`${path} exceeds this host's size limit.`));
  });
  await store.receive(path, part.file);
}

/** Largest part that is buffered in memory, in bytes. */
const smallPartBytes = 64 * 1024;

/** Most bytes of all buffered parts, each with its overhead. */
const maxBufferedBytes = 16 * 1024 * 1024;
const overheadBytes = 512;

interface ReceivedPart {
  readonly path: string;
  /** Path of the temporary file; undefined while the content is buffered. */
  temporary: string | undefined;
  content: Buffer;
}

/** Stores the files of an upload in a folder, each with a random name. */
class UploadStore {
  readonly #folder: string;
  /** Called before files are written; throws when the upload is refused. */
  readonly #assertAccepted: () => void;
  readonly #received: ReceivedPart[] = [];
  #buffered: ReceivedPart[] = [];
  #bufferedBytes = 0;

  constructor(folder: string, assertAccepted: () => void) {
    this.#folder = folder;
    this.#assertAccepted = assertAccepted;
  }

  /** Receives a file of any size. Throws the error of its stream. */
  async receive(path: string, file: Readable): Promise<void> {
    const chunks = file[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
    const start: Buffer[] = [];
    let length = 0;
    for (;;) {
      const next = await chunks.next();
      if (next.done === true) break;
      start.push(next.value);
      length += next.value.length;
      if (length <= smallPartBytes) continue;
      this.#assertAccepted();
      const temporary = await writeTemporaryFile(this.#folder, (handle) =>
        handle.writeFile(concatenate(start, chunks)),
      );
      this.#received.push({ path, temporary, content: Buffer.alloc(0) });
      return;
    }
    const received = { path, temporary: undefined, content: Buffer.concat(start) };
    this.#received.push(received);
    this.#buffered.push(received);
    this.#bufferedBytes += length + overheadBytes;
    if (this.#bufferedBytes > maxBufferedBytes) await this.#storeBuffered();
  }

  /** Resolves with all files in the order of their arrival, once they are on the disk. */
  async files(): Promise<readonly ReceivedFile[]> {
    await this.#storeBuffered();
    return this.#received.flatMap(({ path, temporary }) =>
      temporary === undefined ? [] : [{ path, temporaryPath: temporary }],
    );
  }

  async #storeBuffered(): Promise<void> {
    this.#assertAccepted();
    const buffered = this.#buffered;
    this.#buffered = [];
    this.#bufferedBytes = 0;
    await forEachConcurrently(buffered, async (received) => {
      const { content } = received;
      received.temporary = await writeTemporaryFile(this.#folder, (to) => to.writeFile(content));
      received.content = Buffer.alloc(0);
    });
  }
}

async function* concatenate(start: readonly Buffer[], rest: AsyncIterator<Buffer>) {
  try {
    yield* start;
    for (let next = await rest.next(); next.done !== true; next = await rest.next()) {
      yield next.value;
    }
  } finally {
    // Closes the stream when writing fails before its end.
    await rest.return?.();
  }
}
