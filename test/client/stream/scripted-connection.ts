import type { Socket } from 'node:net';
import { Duplex } from 'node:stream';
import { upgrading } from '../../servers/hostile.ts';

/** A client's connection that answers the upgrade itself; a test pushes what the server sends then. */
export class ScriptedConnection extends Duplex {
  #request = '';
  readonly #sent: Buffer[] = [];

  override _read(): void {}

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    if (this.#request.endsWith('\r\n\r\n')) this.#sent.push(chunk);
    else {
      this.#request += chunk.toString('latin1');
      const server = { write: (answer: string) => this.push(answer) };
      if (this.#request.endsWith('\r\n\r\n')) {
        upgrading(() => {})(server as unknown as Socket, this.#request, 0);
      }
    }
    done();
  }

  /** Returns the frames that the client sent, each as its first byte and its payload. */
  sentFrames(): readonly string[] {
    const bytes = Buffer.concat(this.#sent);
    const frames: string[] = [];
    for (let at = 0; at < bytes.length; ) {
      // A client's frames are masked, and those of this client are short.
      const start = at + 6;
      const end = start + ((bytes[at + 1] ?? 0) & 0x7f);
      const mask = bytes.subarray(at + 2, start);
      const payload = bytes
        .subarray(start, end)
        .map((byte, index) => byte ^ (mask[index % 4] ?? 0));
      frames.push(`${(bytes[at] ?? 0).toString(16)} ${Buffer.from(payload).toString('latin1')}`);
      at = end;
    }
    return frames;
  }
}
