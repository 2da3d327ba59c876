import type { LogFrames } from '../../contract/logs.ts';
import { FrameReader, detectShape } from './frame-shape.ts';
import type { DecodeLine } from './lines.ts';
import type { Run } from './run.ts';
import type { ServiceNames } from '../service-names.ts';

/**
 * Reads messages into runs, inspecting only the id and the service of each. The returned run shares
 * the reader's memory and is valid until the next call.
 */
export class RunReader {
  readonly #names: ServiceNames;
  readonly #decode: DecodeLine<unknown>;
  #reader: FrameReader | undefined;
  #starts = new Uint32Array(0);
  #ends = new Uint32Array(0);
  #places = new Float64Array(0);
  #services = new Uint8Array(0);

  constructor(names: ServiceNames, decode: DecodeLine<unknown>) {
    this.#names = names;
    this.#decode = decode;
  }

  /** Learns the shape of log lines from one of them, for the messages to come. */
  learnShape(message: string): void {
    const shape = detectShape(message);
    this.#reader = shape && new FrameReader(shape, this.#names);
  }

  /**
   * Returns the run of all messages that are log lines; undefined when a message must be decoded as a
   * whole, ids do not rise, or a place exceeds 2^53.
   */
  read({ bytes, count, starts, ends }: LogFrames): Run | undefined {
    const reader = this.#reader;
    if (reader === undefined) return undefined;
    if (this.#starts.length < count) this.#grow(count);
    let lineCount = 0;
    let previousId = -1;
    for (let index = 0; index < count; index += 1) {
      const start = starts[index] ?? 0;
      const end = ends[index] ?? 0;
      const id = reader.read(bytes, start, end);
      if (id <= previousId) {
        if (id < 0 && this.#decode(bytes, start, end) === undefined) continue;
        return undefined;
      }
      previousId = id;
      this.#starts[lineCount] = start;
      this.#ends[lineCount] = end;
      this.#places[lineCount] = id;
      this.#services[lineCount] = reader.service;
      lineCount += 1;
    }
    if (!Number.isSafeInteger(previousId)) return undefined;
    return {
      bytes,
      count: lineCount,
      starts: this.#starts,
      ends: this.#ends,
      places: this.#places,
      services: this.#services,
    };
  }

  #grow(count: number): void {
    this.#starts = new Uint32Array(count);
    this.#ends = new Uint32Array(count);
    this.#places = new Float64Array(count);
    this.#services = new Uint8Array(count);
  }
}
