import { LineSplitter } from '../logs/splitter.ts';
import type { RunRequest } from './runtime.ts';

/** One stream's piece of a container's output. */
interface OutputPiece {
  readonly stream: 'stdout' | 'stderr';
  readonly data: Buffer;
}

const headerBytes = 8;

/**
 * Takes apart the output of a container without a terminal: frames of a header (stream, three
 * zeros, length as 32 bits) and so many bytes, however the chunks fall. Pieces of a frame are given
 * as they come, so that nothing waits for the rest of a long one.
 */
export class Demultiplexer {
  #header = Buffer.alloc(0);
  #stream: OutputPiece['stream'] = 'stdout';
  #left = 0;

  push(chunk: Buffer): readonly OutputPiece[] {
    const pieces: OutputPiece[] = [];
    let rest = chunk;
    while (rest.length > 0) {
      if (this.#left === 0) {
        const missing = headerBytes - this.#header.length;
        this.#header = Buffer.concat([this.#header, rest.subarray(0, missing)]);
        rest = rest.subarray(missing);
        if (this.#header.length < headerBytes) break;
        this.#stream = this.#header[0] === 2 ? 'stderr' : 'stdout';
        this.#left = this.#header.readUInt32BE(4);
        this.#header = Buffer.alloc(0);
        continue;
      }
      const data = rest.subarray(0, this.#left);
      this.#left -= data.length;
      rest = rest.subarray(data.length);
      pieces.push({ stream: this.#stream, data });
    }
    return pieces;
  }
}

/** Gives the lines of a container's output. Settles, never rejects, when it has ended or broken. */
export async function followOutput(
  output: NodeJS.ReadableStream,
  onLines: RunRequest['onLines'],
): Promise<void> {
  const demultiplexer = new Demultiplexer();
  const splitters = { stdout: new LineSplitter(), stderr: new LineSplitter() };
  const hold = async (room: Promise<void>): Promise<void> => {
    output.pause();
    await room;
    output.resume();
  };
  output.on('data', (chunk: Buffer) => {
    let room: Promise<void> | undefined;
    for (const { stream, data } of demultiplexer.push(chunk)) {
      const lines = splitters[stream].push(data);
      // Whoever takes them has room for all of a chunk once it has room again.
      if (lines.length > 0) room = onLines(stream, lines) ?? room;
    }
    if (room !== undefined) void hold(room);
  });
  await new Promise<void>((resolve) => {
    for (const end of ['end', 'close', 'error']) {
      output.once(end, () => {
        resolve();
      });
    }
    // A second error of a stream that nobody reads any more must not end the host.
    output.on('error', () => undefined);
  });
  for (const stream of ['stdout', 'stderr'] as const) {
    const rest = splitters[stream].end();
    if (rest.length > 0) void onLines(stream, rest);
  }
}
