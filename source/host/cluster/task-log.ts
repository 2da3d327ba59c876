import type { Readable } from 'node:stream';
import { TaskFrames } from '../engine/task-frames.ts';
import { engineStatus } from '../engine/engine-error.ts';
import type { HostClock } from '../clock.ts';
import type { TimedLine } from '../logs/run.ts';
import { TaskCursor, type TaskCursors } from './task-cursor.ts';

export interface TaskLogParts {
  readonly clock: HostClock;
  /** Opens the output from a time in seconds, and follows it until the signal is aborted. */
  readonly open: (since: string | undefined, signal: AbortSignal) => Promise<Readable>;
  readonly stored: TaskCursors;
  /** Receives lines; no more follow before the returned promise settles. */
  readonly onLines: (
    stream: 'stdout' | 'stderr',
    lines: readonly TimedLine[],
  ) => Promise<void> | undefined;
}

/** Silence after which a follow may have broken without an end, at first and at most. */
const silenceMs = 15_000;
const maxSilenceMs = 60_000;

/** Silence after which an ended task has no more lines. */
const idleMs = 2000;

const pauseMs = 1000;

/**
 * Reads the output of a task until it has ended, each line once. A link that was cut leaves a follow
 * silent without an end or an error, so a silent one is opened again.
 */
export class TaskLog {
  readonly #parts: TaskLogParts;
  readonly #cursor: TaskCursor;
  readonly #stopped = new AbortController();
  readonly #done: Promise<void>;
  #reopen: () => void = () => undefined;
  #hasEnded = false;
  #isSuspended = false;

  constructor(parts: TaskLogParts) {
    this.#parts = parts;
    this.#cursor = new TaskCursor(parts.stored);
    this.#done = this.#run();
  }

  /** Reads the rest of a task that has ended, unless suspended. Resolves when nothing more comes. */
  async finish(): Promise<void> {
    this.#hasEnded = true;
    this.#reopen();
    await this.#done;
  }

  /** Reads no more until {@link resume}: the node of the task answers no more. */
  suspend(): void {
    this.#isSuspended = true;
    this.#reopen();
  }

  /** Goes on with the line after the last one that was read. */
  resume(): void {
    this.#isSuspended = false;
    this.#reopen();
  }

  /** Engine's time of the newest line that was read; undefined for none. */
  get lastRead(): string | undefined {
    return this.#cursor.newest();
  }

  /** True when a later reader is to go on. */
  get isStopped(): boolean {
    return this.#stopped.signal.aborted;
  }

  /** Stops reading; a later reader goes on with the stored cursors. */
  stop(): void {
    this.#stopped.abort();
    this.#reopen();
  }

  async #run(): Promise<void> {
    let patience = silenceMs;
    while (!this.#stopped.signal.aborted) {
      const isLast = this.#hasEnded;
      if (this.#isSuspended) {
        if (isLast) break;
        await this.#woken();
        continue;
      }
      const result = await this.#read(isLast ? idleMs : patience);
      if (result === 'gone' || (isLast && result !== 'failed')) break;
      patience = result === 'silent' ? Math.min(maxSilenceMs, patience * 2) : silenceMs;
      // An end of the task asks for another read at once.
      if (result !== 'silent' && this.#hasEnded === isLast) await this.#pause();
    }
    if (this.#stopped.signal.aborted) return;
    for (const stream of ['stdout', 'stderr'] as const) {
      const lines = this.#cursor.end(stream);
      if (lines.length > 0) await this.#parts.onLines(stream, lines);
    }
  }

  /** Follows the output until it ends, or nothing has come for `patience` ms. */
  async #read(patience: number): Promise<'ended' | 'silent' | 'failed' | 'gone'> {
    const closed = new AbortController();
    let isSilent = false;
    const watch = () =>
      this.#parts.clock.schedule(patience, () => {
        isSilent = true;
        closed.abort();
      });
    let endWatch = watch();
    this.#reopen = () => {
      closed.abort();
    };
    const frames = new TaskFrames();
    let hasLines = false;
    try {
      const body = await this.#parts.open(this.#cursor.restart(), closed.signal);
      for await (const chunk of body as AsyncIterable<Buffer>) {
        endWatch();
        endWatch = watch();
        for (const frame of frames.push(chunk)) {
          const lines = this.#cursor.push(frame);
          if (this.isStopped) return 'ended';
          if (lines.length === 0) continue;
          hasLines = true;
          await this.#parts.onLines(frame.stream, lines);
        }
      }
      return 'ended';
    } catch (error) {
      if (closed.signal.aborted) return isSilent && !hasLines ? 'silent' : 'ended';
      return engineStatus(error) === 404 ? 'gone' : 'failed';
    } finally {
      endWatch();
    }
  }

  /** Resolves when the task is to be read again, has ended, or the reader is stopped. */
  #woken(): Promise<void> {
    return new Promise((resolve) => {
      this.#reopen = resolve;
    });
  }

  async #pause(): Promise<void> {
    await new Promise<void>((resolve) => {
      const cancel = this.#parts.clock.schedule(pauseMs, resolve);
      this.#reopen = () => {
        cancel();
        resolve();
      };
    });
  }
}
