import type { TaskFrame } from '../../engine/task-frames.ts';
import type { TimedLine } from '../../logs/run.ts';
import { LineSplitter } from '../../logs/splitter.ts';

type Stream = TaskFrame['stream'];

/** Newest time of the stored lines of each stream. */
export type TaskCursors = Partial<Readonly<Record<Stream, string>>>;

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
