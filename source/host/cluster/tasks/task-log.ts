import type { Readable } from 'node:stream';
import type { HostClock } from '../../clock.ts';
import { EngineError, engineReason, engineStatus } from '../../engine/engine-error.ts';
import type { TimedLine } from '../../logs/run.ts';
import type { FollowNeed, FollowQueue } from './follow-queue.ts';
import { LineSplitter } from '../../logs/splitter.ts';

export interface TaskLogParts {
  readonly clock: HostClock;
  readonly queue: Pick<FollowQueue, 'request'>;
  /** Opens the output from a time in seconds, and follows it until the signal is aborted. */
  readonly open: (since: string | undefined, signal: AbortSignal) => Promise<Readable>;
  /** Opens the output of a task that has ended, whose body ends after the last line. */
  readonly openRest: TaskLogParts['open'];
  readonly stored: TaskCursors;
  /** Receives lines; no more follow before the returned promise settles. */
  readonly onLines: (
    stream: 'stdout' | 'stderr',
    lines: readonly TimedLine[],
  ) => Promise<void> | undefined;
  /** Returns the number of answers that the engine has given to others; it grows while it works. */
  readonly engineAnswers: () => number;
}

/** Silence after which a follow may have broken without an end, at first and at most. */
const silenceMs = 15_000;
const maxSilenceMs = 60_000;

/** Silence after which a read of an ended task has failed: a cut link does not end it. */
const restSilenceMs = 15_000;

/** Pause after a read that brought no line and was not meant to end, at first and at most. */
const pauseMs = 1000;
const maxPauseMs = 60_000;

/** Failed reads of an ended task after which its last lines are given up: some five minutes. */
const maxLastReads = 10;

/** The outcome of one follow. */
type ReadEnd =
  /** Another one may be opened at once. */
  | { readonly kind: 'replaced' }
  /** `closed` by a suspension, a resumption or the stop; `ended` by the engine while the task runs. */
  | { readonly kind: 'closed' | 'ended' }
  /** An ended task has no more lines. */
  | { readonly kind: 'complete' }
  /** The engine can't give lines; `forgotten` when it never will. */
  | { readonly kind: 'failed' | 'forgotten'; readonly reason: string };

/**
 * Reads the output of a task until it has ended, each line once. A link that was cut leaves a follow
 * silent without an end or an error. A silent follow is opened again when the queue of all follows allows it;
 * until then the old one is read, and the new one begins with the last line that was read.
 */
export class TaskLog {
  readonly #parts: TaskLogParts;
  readonly #cursor: TaskCursor;
  readonly #stopped = new AbortController();
  readonly #done: Promise<string | undefined>;
  /** Tells the read or the wait under way to open a follow for this need; to end, when undefined. */
  #notify: (need: FollowNeed | undefined) => void = () => undefined;
  #hasEnded = false;
  #isSuspended = false;
  #patience = silenceMs;
  #pauseMs = pauseMs;
  #lastReads = 0;
  #answers = 0;

  constructor(parts: TaskLogParts) {
    this.#parts = parts;
    this.#cursor = new TaskCursor(parts.stored);
    this.#done = this.#run();
  }

  /**
   * Reads the rest of a task that has ended, unless suspended. Resolves when nothing more comes, with the
   * reason, a few words, when last lines can't be read.
   */
  async finish(): Promise<string | undefined> {
    this.#hasEnded = true;
    this.#pauseMs = pauseMs;
    this.#notify('ended');
    return await this.#done;
  }

  /** Opens a follow again that has probably broken. */
  reopen(): void {
    this.#notify('broken');
  }

  /** Reads no more until {@link resume}: the node of the task answers no more. */
  suspend(): void {
    this.#isSuspended = true;
    this.#notify(undefined);
  }

  /** Goes on with the line after the last one that was read. */
  resume(): void {
    this.#isSuspended = false;
    this.#notify(undefined);
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
    this.#notify(undefined);
  }

  async #run(): Promise<string | undefined> {
    let need: FollowNeed | undefined = 'new';
    while (!this.isStopped) {
      if (this.#isSuspended) {
        if (this.#hasEnded) break;
        await this.#changed();
        need = 'broken';
        continue;
      }
      if (need !== undefined && !(await this.#mayOpen(this.#hasEnded ? 'ended' : need))) continue;
      if (this.#isSuspended || this.isStopped) continue;
      const isLast = this.#hasEnded;
      const read = await this.#read(isLast);
      need = read.kind === 'replaced' ? undefined : 'broken';
      if (read.kind === 'complete') break;
      if (read.kind === 'forgotten') return await this.#end(read.reason);
      if (read.kind === 'failed' && isLast && this.#isLastAttempt()) {
        return await this.#end(read.reason);
      }
      if (read.kind === 'failed' || read.kind === 'ended') await this.#pause(isLast);
    }
    return await this.#end(undefined);
  }

  /** Stores last lines without a break. Resolves with the reason why later ones may be missing. */
  async #end(reason: string | undefined): Promise<string | undefined> {
    if (this.isStopped) return undefined;
    for (const stream of ['stdout', 'stderr'] as const) {
      const lines = this.#cursor.end(stream);
      if (lines.length > 0) await this.#parts.onLines(stream, lines);
    }
    return reason;
  }

  /** Follows the output until one of the ends of {@link ReadEnd}. */
  async #read(isLast: boolean): Promise<ReadEnd> {
    const { clock, queue, open, openRest } = this.#parts;
    const closed = new AbortController();
    let end: ReadEnd = { kind: 'closed' };
    const close = (as: ReadEnd) => {
      end = as;
      closed.abort();
    };
    let requested: FollowNeed | undefined;
    let cancelRequest = () => {};
    const request = (need: FollowNeed | undefined) => {
      cancelRequest();
      requested = need;
      if (need !== undefined) {
        cancelRequest = queue.request(need, () => {
          close({ kind: 'replaced' });
        });
      }
    };
    const watch = () =>
      clock.schedule(isLast ? restSilenceMs : this.#patience, () => {
        if (requested !== undefined) return;
        if (isLast) close({ kind: 'failed', reason: 'the engine fell silent' });
        else request('silent');
      });
    let endWatch = () => {};
    this.#notify = (need) => {
      if (need === undefined) close({ kind: 'closed' });
      else request(need);
    };
    const frames = new TaskFrames();
    let hasLines = false;
    try {
      const body = await (isLast ? openRest : open)(this.#cursor.restart(), closed.signal);
      endWatch = watch();
      for await (const chunk of body as AsyncIterable<Buffer>) {
        endWatch();
        if (requested === 'silent') request(undefined);
        for (const frame of frames.push(chunk)) {
          const lines = this.#cursor.push(frame);
          if (this.isStopped) return { kind: 'closed' };
          if (lines.length === 0) continue;
          hasLines = true;
          await this.#parts.onLines(frame.stream, lines);
        }
        // A log that stores slowly is no silence of the engine.
        endWatch = watch();
      }
      return { kind: isLast ? 'complete' : 'ended' };
    } catch (error) {
      if (closed.signal.aborted) return end;
      if (engineStatus(error) === 404) {
        return { kind: 'forgotten', reason: 'the engine has forgotten it' };
      }
      return { kind: 'failed', reason: engineReason(error) };
    } finally {
      endWatch();
      cancelRequest();
      this.#notify = () => undefined;
      this.#patience = hasLines ? silenceMs : Math.min(maxSilenceMs, this.#patience * 2);
      if (hasLines) this.#pauseMs = pauseMs;
    }
  }

  /**
   * Counts a failed read of an ended task, unless the engine has answered nothing else since the one
   * before. Returns true when there were too many.
   */
  #isLastAttempt(): boolean {
    const answers = this.#parts.engineAnswers();
    if (answers !== this.#answers) this.#lastReads += 1;
    this.#answers = answers;
    return this.#lastReads >= maxLastReads;
  }

  /** Resolves with true when a follow may be opened, with false when something has changed before. */
  async #mayOpen(need: FollowNeed): Promise<boolean> {
    return await new Promise((resolve) => {
      let cancel = () => {};
      this.#notify = () => {
        cancel();
        resolve(false);
      };
      cancel = this.#parts.queue.request(need, () => {
        resolve(true);
      });
    });
  }

  /** Resolves when the task is to be read again, has ended, or the reader is stopped. */
  async #changed(): Promise<void> {
    await new Promise<void>((resolve) => {
      this.#notify = () => {
        resolve();
      };
    });
  }

  /** Waits longer each time, unless the task has ended meanwhile. */
  async #pause(wasLast: boolean): Promise<void> {
    if (this.#hasEnded !== wasLast || this.#isSuspended || this.isStopped) return;
    const ms = this.#pauseMs;
    this.#pauseMs = Math.min(maxPauseMs, ms * 2);
    await new Promise<void>((resolve) => {
      const cancel = this.#parts.clock.schedule(ms, resolve);
      this.#notify = () => {
        cancel();
        resolve();
      };
    });
  }
}

type Stream = TaskFrame['stream'];

/** Newest time of the stored lines of each stream. */
type TaskCursors = Partial<Readonly<Record<Stream, string>>>;

/** Milliseconds by which the order of two streams of a task may differ, and more. */
const overlapMs = 1000;

/**
 * The place of a reader in the output of a task. Within a stream the times of lines only grow, so a
 * reader that begins anew drops what is not later than its last line; between streams they differ by
 * some milliseconds, so it begins a second before.
 */
export class TaskCursor {
  readonly #ends: Record<Stream, string>;
  readonly #splitters: Record<Stream, LineSplitter>;
  /** Times of lines whose ends have not come yet. */
  readonly #unfinished: Partial<Record<Stream, string>> = {};

  constructor({ stdout = '', stderr = '' }: TaskCursors = {}) {
    this.#ends = { stdout, stderr };
    this.#splitters = { stdout: new LineSplitter(), stderr: new LineSplitter() };
  }

  /** Returns the time of the newest line that was read to its end; undefined for none. */
  newest(): string | undefined {
    const newest = [this.#ends.stdout, this.#ends.stderr].toSorted()[1] ?? '';
    return newest === '' ? undefined : newest;
  }

  /** Begins anew, and returns the time from which to read, in seconds; undefined for the beginning. */
  restart(): string | undefined {
    const unfinished = Object.values(this.#unfinished).toSorted()[0];
    for (const stream of ['stdout', 'stderr'] as const) {
      this.#splitters[stream] = new LineSplitter();
      delete this.#unfinished[stream];
    }
    const newest = this.newest();
    if (newest === undefined) return undefined;
    const since = secondsBefore(newest);
    return unfinished === undefined ? since : earlier(since, secondsOf(unfinished));
  }

  /** Returns the lines that a frame completes. */
  push({ stream, at, data }: TaskFrame): readonly TimedLine[] {
    if (at <= this.#ends[stream]) return [];
    const lines = this.#splitters[stream].push(data);
    const isComplete = data.at(-1) === newline;
    if (isComplete) {
      this.#ends[stream] = at;
      delete this.#unfinished[stream];
    } else {
      this.#unfinished[stream] = at;
    }
    return lines.map((line) => ({ line, at }));
  }

  /** Returns the last line of a task that has ended, when it has no line break. */
  end(stream: Stream): readonly TimedLine[] {
    const at = this.#unfinished[stream];
    const lines = this.#splitters[stream].end();
    if (at === undefined) return [];
    this.#ends[stream] = at;
    delete this.#unfinished[stream];
    return lines.map((line) => ({ line, at }));
  }
}

const newline = 0x0a;

/** Returns a time as the seconds since the epoch, with nanoseconds. */
function secondsOf(at: string): string {
  return `${Math.floor(Date.parse(at) / 1000)}.${at.slice(20, 29)}`;
}

function secondsBefore(at: string): string {
  return secondsOf(
    `${new Date(Date.parse(at) - overlapMs).toISOString().slice(0, 19)}${at.slice(19)}`,
  );
}

function earlier(one: string, other: string): string {
  return one < other ? one : other;
}

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
