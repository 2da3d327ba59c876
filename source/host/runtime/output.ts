import type { Readable } from 'node:stream';
import { setTimeout } from 'node:timers/promises';
import { LineSplitter } from '../logs/splitter.ts';
import type { RunRequest } from './runtime.ts';

interface Streams {
  readonly stdout: Readable;
  readonly stderr: Readable;
}

/** Lines of one stream. */
type Piece = readonly [keyof Streams, readonly string[]];

/**
 * The output of a process, line by line, read no faster than the lines are taken. None is given
 * before {@link RunOutput.begin}.
 */
export class RunOutput {
  readonly #streams: Streams;
  readonly #onLines: RunRequest['onLines'];
  readonly #drained: Promise<unknown>;
  readonly #held = new Set<Promise<void>>();
  readonly #begun = Promise.withResolvers<void>();
  /** Lines that came before the beginning; undefined after it. */
  #early: Piece[] | undefined = [];

  constructor(streams: Streams, onLines: RunRequest['onLines']) {
    this.#streams = streams;
    this.#onLines = onLines;
    this.#drained = Promise.all((['stdout', 'stderr'] as const).map((name) => this.#drain(name)));
  }

  /** Gives the lines from now on, those first that came before. */
  begin(): void {
    const early = this.#early ?? [];
    this.#early = undefined;
    for (const [name, lines] of early) void this.#onLines(name, lines);
    this.#begun.resolve();
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

  async #drain(name: keyof Streams): Promise<void> {
    const splitter = new LineSplitter();
    const stream = this.#streams[name];
    stream.on('data', (chunk: Buffer) => {
      const lines = splitter.push(chunk);
      const room = lines.length > 0 ? this.#give(name, lines) : undefined;
      if (room !== undefined) void this.#hold(stream, room);
    });
    // A broken pipe ends the output like any other end.
    stream.on('error', () => undefined);
    await new Promise((resolve) => stream.once('close', resolve));
    const rest = splitter.end();
    if (rest.length > 0) void this.#give(name, rest);
    // Its end is behind its last line.
    await this.#begun.promise;
  }

  #give(name: keyof Streams, lines: readonly string[]): Promise<void> | undefined {
    if (this.#early === undefined) return this.#onLines(name, lines);
    this.#early.push([name, lines]);
    return this.#begun.promise;
  }

  async #hold(stream: Readable, room: Promise<void>): Promise<void> {
    stream.pause();
    this.#held.add(room);
    await room;
    this.#held.delete(room);
    stream.resume();
  }
}
