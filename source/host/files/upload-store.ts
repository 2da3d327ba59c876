import type { Readable } from 'node:stream';
import { severalAtOnce, writeTemporary } from './disk.ts';
import type { ArrivedFile } from './placing.ts';

/** A part of no more bytes waits in memory for others ... */
const smallPart = 64 * 1024;

/** ... until they have so many bytes together, each counted with what is kept beside its content. */
const mostWaiting = 16 * 1024 * 1024;
const besideContent = 512;

interface Received {
  readonly path: string;
  /** Undefined as long as the content waits. */
  temporary: string | undefined;
  content: Buffer;
}

/** Stores the files of an upload in a folder, each under a name of its own. */
export class UploadStore {
  readonly #folder: string;
  /** Is called before anything is stored; throws for an upload that is refused. */
  readonly #assertWanted: () => void;
  readonly #received: Received[] = [];
  #waiting: Received[] = [];
  #waitingBytes = 0;

  constructor(folder: string, assertWanted: () => void) {
    this.#folder = folder;
    this.#assertWanted = assertWanted;
  }

  /** Takes a file of any size. Throws what its stream fails with. */
  async take(path: string, file: Readable): Promise<void> {
    const chunks = file[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
    const start: Buffer[] = [];
    let length = 0;
    for (;;) {
      const next = await chunks.next();
      if (next.done === true) break;
      start.push(next.value);
      length += next.value.length;
      if (length <= smallPart) continue;
      this.#assertWanted();
      const temporary = await writeTemporary(this.#folder, (handle) =>
        handle.writeFile(joined(start, chunks)),
      );
      this.#received.push({ path, temporary, content: Buffer.alloc(0) });
      return;
    }
    const received = { path, temporary: undefined, content: Buffer.concat(start) };
    this.#received.push(received);
    this.#waiting.push(received);
    this.#waitingBytes += length + besideContent;
    if (this.#waitingBytes > mostWaiting) await this.#storeWaiting();
  }

  /** All files in the order in which they came, each on the disk. */
  async files(): Promise<readonly ArrivedFile[]> {
    await this.#storeWaiting();
    return this.#received.flatMap(({ path, temporary }) =>
      temporary === undefined ? [] : [{ path, temporary }],
    );
  }

  async #storeWaiting(): Promise<void> {
    this.#assertWanted();
    const waiting = this.#waiting;
    this.#waiting = [];
    this.#waitingBytes = 0;
    await severalAtOnce(waiting, async (received) => {
      const { content } = received;
      received.temporary = await writeTemporary(this.#folder, (to) => to.writeFile(content));
      received.content = Buffer.alloc(0);
    });
  }
}

async function* joined(start: readonly Buffer[], rest: AsyncIterator<Buffer>) {
  try {
    yield* start;
    for (let next = await rest.next(); next.done !== true; next = await rest.next()) {
      yield next.value;
    }
  } finally {
    // Lets the stream go where the disk takes no more of it.
    await rest.return?.();
  }
}
