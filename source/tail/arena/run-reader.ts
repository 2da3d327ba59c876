import type { LogFrames } from '../../contract/logs.ts';
import { FrameReader, shapeOf } from './frame-shape.ts';
import type { DecodeLine } from './lines.ts';
import type { Run } from './run.ts';
import type { ServiceNames } from '../service-names.ts';

/**
 * Makes runs of messages, looking at each no longer than it takes to see its id and its service. The
 * run that it gives is its own, good until the next.
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

  /** Takes the shape of a message that is a log line for that of those to come. */
  learn(message: string): void {
    const shape = shapeOf(message);
    this.#reader = shape && new FrameReader(shape, this.#names);
  }

  /**
   * Returns the run of all messages that are log lines; undefined when a line must be decoded as a
   * whole, ids do not rise, or a place is above 2^53.
   * @param base added to ids.
   */
  read({ bytes, count, starts, ends }: LogFrames, base: number): Run | undefined {
    const reader = this.#reader;
    if (reader === undefined) return undefined;
    if (this.#starts.length < count) this.#grow(count);
    let found = 0;
    let before = -1;
    for (let index = 0; index < count; index += 1) {
      const start = starts[index] ?? 0;
      const end = ends[index] ?? 0;
      const id = reader.read(bytes, start, end);
      if (id <= before) {
        if (id < 0 && this.#decode(bytes, start, end) === undefined) continue;
        return undefined;
      }
      before = id;
      this.#starts[found] = start;
      this.#ends[found] = end;
      this.#places[found] = id + base;
      this.#services[found] = reader.service;
      found += 1;
    }
    if (!Number.isSafeInteger(before + base)) return undefined;
    return {
      bytes,
      count: found,
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
