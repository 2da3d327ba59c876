import { setTimeout } from 'node:timers/promises';
import {
  attachContainer,
  type InspectedContainer,
  inspectContainer,
  measureContainer,
  removeContainer,
  stopContainer,
  waitForEnd,
} from '../engine/containers.ts';
import type { EngineClient } from '../engine/engine-client.ts';
import { engineReason, engineStatus } from '../engine/engine-error.ts';
import type { InstanceRun, RunEnd, RunRequest } from './runtime.ts';
import { LineSplitter } from '../logs/splitter.ts';

export interface ContainerRunParts {
  readonly client: EngineClient;
  /** Id of the run. */
  readonly run: string;
  /** Id of the container. */
  readonly id: string;
  /** The output, attached before the start so that no line is missed. */
  readonly output: NodeJS.ReadableStream;
  /** The result of `waitForEnd`, requested before the start. */
  readonly exit: Promise<boolean>;
  readonly port: number | undefined;
  readonly request: Pick<RunRequest, 'onLines' | 'onEvent'>;
  /** Called before the container is removed. */
  readonly beforeRemoval: () => void;
  /** Called when the run is over; `isGone` is true when the container is removed for certain. */
  readonly onOver: (isGone: boolean) => void;
}

/** Time that the output may still take to arrive after the end. */
const drainMs = 1000;

/** Time that an engine may be unreachable before its containers count as lost. */
const unreachableMs = 5000;

const retryMs = 500;

/** Attempts to remove a container after a failure, and the time before them: five minutes in all. */
const mostRemovals = 18;
const firstRemovalWaitMs = 100;
const longestRemovalWaitMs = 30_000;

/** A run in a container that was started. */
export class ContainerRun implements InstanceRun {
  readonly id: string;
  readonly port: number | undefined;
  readonly exited: Promise<void>;
  readonly ended: Promise<RunEnd>;
  readonly #parts: ContainerRunParts;
  readonly #lost = Promise.withResolvers<RunEnd>();
  #output: Promise<void>;
  #hasOutput = true;

  constructor(parts: ContainerRunParts) {
    this.#parts = parts;
    this.id = parts.run;
    this.port = parts.port;
    this.#output = this.#follow(parts.output);
    const exit = Promise.race([this.#exit(), this.#lost.promise]);
    this.exited = exit.then(() => undefined);
    this.ended = this.#end(exit);
  }

  async measureStorage(): Promise<number | undefined> {
    const { client, id } = this.#parts;
    return await measureContainer(client, id).catch(() => undefined);
  }

  async stop(graceMs: number): Promise<void> {
    try {
      await stopContainer(this.#parts.client, this.#parts.id, graceMs);
    } catch (error) {
      // 304: the container had stopped already; 404: it is gone.
      const status = engineStatus(error);
      if (status !== 304 && status !== 404) this.#lost.resolve({ lost: engineReason(error) });
    }
    await this.ended;
  }

  async #end(exit: Promise<RunEnd>): Promise<RunEnd> {
    const end = await exit;
    await Promise.race([this.#output, setTimeout(drainMs, undefined, { ref: false })]);
    const isGone = await this.#remove();
    this.#parts.onOver(isGone);
    if (!isGone) void this.#removeLater();
    return end;
  }

  /** Resolves with true when the container is removed for certain. */
  async #remove(): Promise<boolean> {
    const { client, id, beforeRemoval } = this.#parts;
    beforeRemoval();
    try {
      await removeContainer(client, id);
      return true;
    } catch (error) {
      return engineStatus(error) === 404;
    }
  }

  /**
   * Tries to remove the container again: an engine may refuse it on a full disk, which stays full as
   * long as the container is there. What remains after that is left to the sweep before a start.
   */
  async #removeLater(): Promise<void> {
    for (let attempt = 0; attempt < mostRemovals; attempt += 1) {
      const wait = Math.min(longestRemovalWaitMs, firstRemovalWaitMs * 2 ** attempt);
      await setTimeout(wait, undefined, { ref: false });
      if (await this.#remove()) return;
    }
  }

  /** Resolves with the run's end. Waits again when the engine was unreachable for a moment. */
  async #exit(): Promise<RunEnd> {
    const { client, id, exit } = this.#parts;
    let wait = exit;
    for (;;) {
      const wasAnswered = await wait;
      const info = await this.#inspect();
      if ('lost' in info) return info;
      const { Running, ExitCode, OOMKilled } = info.state;
      if (!Running) return { code: ExitCode, cause: OOMKilled ? 'out of memory' : undefined };
      if (wasAnswered) {
        if (!this.#hasOutput) await this.#resume();
        await setTimeout(retryMs, undefined, { ref: false });
      }
      wait = waitForEnd(client, id, 'not-running');
    }
  }

  async #inspect(): Promise<InspectedContainer | { readonly lost: string }> {
    const deadline = performance.now() + unreachableMs;
    for (;;) {
      try {
        return await inspectContainer(this.#parts.client, this.#parts.id);
      } catch (error) {
        if (engineStatus(error) === 404) return { lost: 'its container was removed' };
        if (performance.now() >= deadline) return { lost: engineReason(error) };
      }
      await setTimeout(retryMs, undefined, { ref: false });
    }
  }

  /** Attaches again after the engine was unreachable; the output written meanwhile is lost. */
  async #resume() {
    const { client, id, request } = this.#parts;
    try {
      const output = await attachContainer(client, id);
      request.onEvent('the container engine was unreachable; lines written meanwhile are missing');
      this.#output = this.#follow(output);
    } catch {
      // The next wait tries again.
    }
  }

  async #follow(output: NodeJS.ReadableStream): Promise<void> {
    this.#hasOutput = true;
    await followOutput(output, this.#parts.request.onLines);
    this.#hasOutput = false;
  }
}

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
