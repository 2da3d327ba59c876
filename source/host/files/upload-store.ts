import type { Readable } from 'node:stream';
import { forEachConcurrently, writeTemporaryFile } from './disk.ts';
import type { ReceivedFile } from './placing.ts';

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
export class UploadStore {
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
