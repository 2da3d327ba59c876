import { LineSplitter } from '../logs/splitter.ts';
import type { RunRequest } from './runtime.ts';

/** A piece of a container's output on one stream. */
interface OutputPiece {
  readonly stream: 'stdout' | 'stderr';
  readonly data: Buffer;
}

const headerBytes = 8;

/**
 * Demultiplexes the output of a container without a terminal (`ContainerAttach`): frames with a
 * header (stream, three zeros, length as 32 bits) and that number of bytes, in chunks of any size.
 * Parts of a frame are returned as they arrive, so that a long frame delays nothing.
 */
export class Demultiplexer {
  #header = Buffer.alloc(0);
  #stream: OutputPiece['stream'] = 'stdout';
  #remaining = 0;

  push(chunk: Buffer): readonly OutputPiece[] {
    const pieces: OutputPiece[] = [];
    let rest = chunk;
    while (rest.length > 0) {
      if (this.#remaining === 0) {
        const missing = headerBytes - this.#header.length;
        this.#header = Buffer.concat([this.#header, rest.subarray(0, missing)]);
        rest = rest.subarray(missing);
        if (this.#header.length < headerBytes) break;
        this.#stream = this.#header[0] === 2 ? 'stderr' : 'stdout';
        this.#remaining = this.#header.readUInt32BE(4);
        this.#header = Buffer.alloc(0);
        continue;
      }
      const data = rest.subarray(0, this.#remaining);
      this.#remaining -= data.length;
      rest = rest.subarray(data.length);
      pieces.push({ stream: this.#stream, data });
    }
    return pieces;
  }
}

/** Passes on the lines of a container's output. Resolves when it ends or breaks; never rejects. */
export async function followOutput(
  output: NodeJS.ReadableStream,
  onLines: RunRequest['onLines'],
): Promise<void> {
  const demultiplexer = new Demultiplexer();
  const splitters = { stdout: new LineSplitter(), stderr: new LineSplitter() };
  const pauseUntil = async (ready: Promise<void>): Promise<void> => {
    output.pause();
    await ready;
    output.resume();
  };
  output.on('data', (chunk: Buffer) => {
    let ready: Promise<void> | undefined;
    for (const { stream, data } of demultiplexer.push(chunk)) {
      const lines = splitters[stream].push(data);
      // The last promise counts: a receiver with room again has room for the whole chunk.
      if (lines.length > 0) ready = onLines(stream, lines) ?? ready;
    }
    if (ready !== undefined) void pauseUntil(ready);
  });
  await new Promise<void>((resolve) => {
    for (const end of ['end', 'close', 'error']) {
      output.once(end, () => {
        resolve();
      });
    }
    // Without a listener, a second error of the stream would end the host.
    output.on('error', () => undefined);
  });
  for (const stream of ['stdout', 'stderr'] as const) {
    const rest = splitters[stream].end();
    if (rest.length > 0) void onLines(stream, rest);
  }
}
