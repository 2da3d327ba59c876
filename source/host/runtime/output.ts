import type { Readable } from 'node:stream';
import { setTimeout } from 'node:timers/promises';
import type { OutputLine } from '../logs/run.ts';
import { LineSplitter } from '../logs/splitter.ts';
import type { RunRequest } from './runtime.ts';

interface Streams {
  readonly stdout: Readable;
  readonly stderr: Readable;
}

/** A stream and lines of it. */
type StreamLines = readonly [keyof Streams, readonly OutputLine[]];

/**
 * Passes on the output of a process line by line, read no faster than the receiver accepts it.
 * Lines are buffered until {@link RunOutput.begin}.
 */
export class RunOutput {
  readonly #streams: Streams;
  readonly #onLines: RunRequest['onLines'];
  readonly #drained: Promise<unknown>;
  /** Promises of the receiver that streams are paused for. */
  readonly #pauses = new Set<Promise<void>>();
  readonly #begun = Promise.withResolvers<void>();
  /** Lines from before {@link RunOutput.begin}; undefined after it. */
  #early: StreamLines[] | undefined = [];

  constructor(streams: Streams, onLines: RunRequest['onLines']) {
    this.#streams = streams;
    this.#onLines = onLines;
    this.#drained = Promise.all((['stdout', 'stderr'] as const).map((name) => this.#drain(name)));
  }

  /** Passes on the buffered lines, and from now on each new one. */
  begin(): void {
    const earlyLines = this.#early ?? [];
    this.#early = undefined;
    for (const [name, lines] of earlyLines) void this.#onLines(name, lines);
    this.#begun.resolve();
  }

  /**
   * Resolves when both streams have ended and their last lines were passed on. Closes streams that
   * have not ended within `timeoutMs`; time during which they were paused does not count.
   */
  async finish(timeoutMs: number): Promise<void> {
    do {
      await Promise.all(this.#pauses);
      await Promise.race([this.#drained, setTimeout(timeoutMs, undefined, { ref: false })]);
    } while (this.#pauses.size > 0);
    this.#streams.stdout.destroy();
    this.#streams.stderr.destroy();
    await this.#drained;
  }

  async #drain(name: keyof Streams): Promise<void> {
    const splitter = new LineSplitter();
    const stream = this.#streams[name];
    stream.on('data', (chunk: Buffer) => {
      const lines = splitter.push(chunk);
      const ready = lines.length > 0 ? this.#deliver(name, lines) : undefined;
      if (ready !== undefined) void this.#pause(stream, ready);
    });
    // A broken pipe ends the output like any other end.
    stream.on('error', () => undefined);
    await new Promise((resolve) => stream.once('close', resolve));
    const rest = splitter.end();
    if (rest.length > 0) void this.#deliver(name, rest);
    // The end must not be reported before buffered lines.
    await this.#begun.promise;
  }

  #deliver(name: keyof Streams, lines: readonly OutputLine[]): Promise<void> | undefined {
    if (this.#early === undefined) return this.#onLines(name, lines);
    this.#early.push([name, lines]);
    return this.#begun.promise;
  }

  async #pause(stream: Readable, ready: Promise<void>): Promise<void> {
    stream.pause();
    this.#pauses.add(ready);
    await ready;
    this.#pauses.delete(ready);
    stream.resume();
  }
}
