import type { Readable } from 'node:stream';
import { setTimeout } from 'node:timers/promises';
import { LineSplitter } from '../logs/splitter.ts';
import type { RunRequest } from './runtime.ts';

interface Streams {
  readonly stdout: Readable;
  readonly stderr: Readable;
}

/** What a process writes, line by line; it is read no faster than the lines are taken. */
export class Output {
  readonly #streams: Streams;
  readonly #drained: Promise<unknown>;
  readonly #held = new Set<Promise<void>>();

  constructor(streams: Streams, onLines: RunRequest['onLines']) {
    this.#streams = streams;
    this.#drained = Promise.all(
      (['stdout', 'stderr'] as const).map((name) => this.#drain(name, onLines)),
    );
  }

  /**
   * Settles when both streams have ended and their last lines were given. They are given up when
   * nothing has ended them for `patienceMs`; time in which they were not read does not count.
   */
  async finish(patienceMs: number): Promise<void> {
    do {
      await Promise.all(this.#held);
      await Promise.race([this.#drained, setTimeout(patienceMs, undefined, { ref: false })]);
    } while (this.#held.size > 0);
    this.#streams.stdout.destroy();
    this.#streams.stderr.destroy();
    await this.#drained;
  }

  async #drain(name: keyof Streams, onLines: RunRequest['onLines']): Promise<void> {
    const splitter = new LineSplitter();
    const stream = this.#streams[name];
    stream.on('data', (chunk: Buffer) => {
      const lines = splitter.push(chunk);
      const room = lines.length > 0 ? onLines(name, lines) : undefined;
      if (room !== undefined) void this.#hold(stream, room);
    });
    // A broken pipe ends the output like any other end.
    stream.on('error', () => undefined);
    await new Promise((resolve) => stream.once('close', resolve));
    const rest = splitter.end();
    if (rest.length > 0) void onLines(name, rest);
  }

  async #hold(stream: Readable, room: Promise<void>): Promise<void> {
    stream.pause();
    this.#held.add(room);
    await room;
    this.#held.delete(room);
    stream.resume();
  }
}
