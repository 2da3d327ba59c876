import { EngineError } from './engine-error.ts';

/** A line of a task's output, or a piece of a long one. */
export interface TaskFrame {
  readonly stream: 'stdout' | 'stderr';
  /** RFC 3339 with nanoseconds in UTC, so that texts compare as times do. */
  readonly at: string;
  /** Ends with a line break unless more of the line follows. */
  readonly data: Buffer;
}

const headerBytes = 8;

/** Engines cut lines into pieces of 16 KiB. */
const maxFrameBytes = 1024 * 1024;

const errorStream = 3;
const space = 0x20;
const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{9}Z$/;

/**
 * Reads frames of stored output (`TaskLogs` with timestamps): a header (stream, three zeros, length as
 * 32 bits), the time, a space and the text, in chunks of any size. Throws an error of the engine, which
 * is a frame too.
 */
export class TaskFrames {
  #rest: Buffer = Buffer.alloc(0);

  push(chunk: Buffer): readonly TaskFrame[] {
    const frames: TaskFrame[] = [];
    let rest = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]);
    while (rest.length >= headerBytes) {
      const length = rest.readUInt32BE(4);
      if (length > maxFrameBytes) throw new EngineError("the engine's log is not valid");
      if (rest.length < headerBytes + length) break;
      const body = rest.subarray(headerBytes, headerBytes + length);
      frames.push(readFrame(rest[0] ?? 0, body));
      rest = rest.subarray(headerBytes + length);
    }
    this.#rest = rest;
    return frames;
  }
}

function readFrame(stream: number, body: Buffer): TaskFrame {
  if (stream === errorStream) throw new EngineError(body.toString());
  const end = body.indexOf(space);
  const at = body.toString('latin1', 0, Math.max(0, end));
  if (!time.test(at)) throw new EngineError("the engine's log is not valid");
  return { stream: stream === 2 ? 'stderr' : 'stdout', at, data: body.subarray(end + 1) };
}
