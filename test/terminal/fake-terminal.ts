import { PassThrough, Writable } from 'node:stream';
import { setImmediate as turn } from 'node:timers/promises';

/** The input of a terminal: data written to it is typed. */
export class FakeInput extends PassThrough {
  readonly isTTY = true;
  isRaw = false;

  setRawMode(raw: boolean): this {
    this.isRaw = raw;
    return this;
  }

  ref(): this {
    return this;
  }

  unref(): this {
    return this;
  }

  /** Types the bytes as one chunk; resolves a turn of the event loop later. */
  async type(bytes: string | Uint8Array): Promise<void> {
    this.write(bytes);
    await turn();
  }

  asStream(): NodeJS.ReadStream {
    return this as unknown as NodeJS.ReadStream;
  }
}

/** The output of a terminal, which records all writes. */
export class FakeOutput extends Writable {
  readonly isTTY = true;
  readonly columns = 80;
  readonly rows = 24;
  written = '';
  readonly fd: number;

  /** @param fd the terminal's file descriptor; the default cannot be written. */
  constructor(fd = -1) {
    super();
    this.fd = fd;
  }

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.written += chunk.toString();
    done();
  }

  asStream(): NodeJS.WriteStream & { fd: number } {
    return this as unknown as NodeJS.WriteStream & { fd: number };
  }
}
