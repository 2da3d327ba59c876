/** Writes logs to stdout until they end: the log of one deployment, or several as one. */
import type { Writable } from 'node:stream';
import { defaultLogLimit } from '../../contract/logs.ts';
import { defaultLogMemory, type LogMemory } from '../../store/log/feed/log-source.ts';
import { type Clock, turnOf } from '../../store/time/clock.ts';
import type { CommandProblem } from '../command-problem.ts';
import { type ExitCode, exitCodes, worstExitCode } from '../exit-codes.ts';
import type { LineFormat } from './line-format.ts';
import { hasCriteria, type LineCriteria, noCriteria } from './line-selector.ts';
import {
  bytesAtOnce,
  type FeedStep,
  isSearchedFor,
  type LogFeed,
  type LogFeedOptions,
  openLogFeed,
} from './log-feed.ts';
import type { Say } from './log-notes.ts';
import type { PreviousRun } from './previous-run.ts';

/** A log to write. */
export interface LogTarget {
  /** Id of the deployment. */
  readonly id: string;
  readonly format: LineFormat;
  /** Name for notes, where several logs are written. */
  readonly label?: string | undefined;
  /** The runs whose lines alone are written; undefined for all lines. */
  readonly previousRun?: PreviousRun | undefined;
  /** Whether the deployment is closed, so that no live lines come. */
  readonly isEnded?: boolean | undefined;
}

type SharedOptions = Pick<
  LogFeedOptions,
  'client' | 'random' | 'service' | 'search' | 'memory' | 'mostSearched' | 'follow' | 'backfill'
>;

/** Options of logs that are written out. */
export interface LogsRun extends SharedOptions {
  readonly clock: Clock;
  readonly targets: readonly LogTarget[];
  /** Selected lines of history to write first; may be infinite. Default: that of the contract. */
  readonly limit?: number | undefined;
  /** The lines to write; all by default. */
  readonly criteria?: LineCriteria | undefined;
  /**
   * Milliseconds that live lines wait for history, at the opening and after a drop. Default: 1000, and
   * at the opening without a limit where history has to be searched.
   */
  readonly historyTimeout?: number | undefined;
  readonly stdout: Writable;
  /** Tells about gaps and about the connection. */
  readonly note: Say;
  /** Tells a problem. Returns its exit code. */
  readonly fail: (problem: CommandProblem) => ExitCode;
  /** Aborted by SIGINT and SIGTERM. */
  readonly signal: AbortSignal;
}

/** Milliseconds. */
const defaultHistoryTimeout = 1000;

/** Milliseconds that the lines of other logs wait for a history that has to be searched. */
const longestHold = 10_000;

/** Milliseconds that an interrupted command waits to complete a line longer than PIPE_BUF. */
const lastWrite = 1000;

/**
 * Writes the last `limit` lines of each log and then live lines, across lost connections. The lines of
 * several logs are in the order of their times, as far as they are there at the same time.
 * Stdout gets complete log lines only; stderr tells about gaps and about the connection.
 * @returns the exit code; 0 also when the reader closed the pipe, 130 for every signal.
 */
export async function runLogs(run: LogsRun): Promise<ExitCode> {
  const { targets, clock, note, signal, limit = defaultLogLimit, criteria = noCriteria } = run;
  const { historyTimeout = defaultHistoryTimeout } = run;
  const isSearched = isSearchedFor({ limit }, hasCriteria(criteria));
  const openingTimeout = isSearched ? Number.POSITIVE_INFINITY : defaultHistoryTimeout;
  const bell = createBell(signal);
  const batch = createLinesBatch(bytesAtOnce + 4096);
  const join = targets.length > 1 ? createLineJoin(targets.length) : undefined;
  const memory = sharedMemory(run.memory, targets.length);
  const feeds = targets.map(({ id, format, label, previousRun, isEnded = false }, member) =>
    openLogFeed({
      ...run,
      id,
      format,
      previousRun,
      limit,
      criteria,
      memory,
      follow: run.follow && !isEnded,
      historyTimeout,
      openingTimeout: run.historyTimeout ?? openingTimeout,
      sink: join === undefined ? batch : { text: (text, time) => join.add(member, time, text) },
      note: label === undefined ? note : (sentence) => note(`${label}: ${sentence}`),
      onChange: bell.ring,
    }),
  );
  const writer = createLinesWriter(run.stdout);
  let isHoldOver = false;
  const endHold = (): void => {
    isHoldOver = true;
    bell.ring();
  };
  const hold = run.historyTimeout ?? (isSearched ? longestHold : defaultHistoryTimeout);
  const cancelHold = run.follow && join !== undefined ? clock.after(hold, endHold) : () => {};
  const steps: (FeedStep | undefined)[] = feeds.map(() => undefined);
  const isQuiet = (member: number): boolean => {
    const step = steps[member];
    return step?.kind === 'ended' || (step?.kind === 'waiting' && (step.isOpened || isHoldOver));
  };
  try {
    for (;;) {
      if (signal.aborted) return exitCodes.interrupted;
      batch.clear();
      const problem = readAll(feeds, steps, (member) => join?.isEmpty(member) ?? true);
      if (problem !== undefined) return run.fail(problem);
      for (const text of join?.take(isQuiet) ?? []) batch.text(text);
      const lines = batch.lines();
      if (lines.ends.length > 0) {
        const exit = await write(lines, writer, run);
        if (exit !== undefined) return exit;
        for (const feed of feeds) feed.resume();
      } else if (steps.some((step) => step?.kind === 'read')) {
        // No line was selected; a signal is handled before more are read.
        await turnOf(clock);
      } else {
        const exits = steps.flatMap((step) => (step?.kind === 'ended' ? [step.exit] : []));
        if (exits.length === feeds.length) return worstExitCode(exits);
        await change(steps, bell, clock);
      }
    }
  } finally {
    cancelHold();
    for (const feed of feeds) feed.stop();
    writer.stop();
    bell.stop();
  }
}

/** Returns the limits of each of several logs, which share the memory. */
function sharedMemory({ maxLines, maxBytes }: LogMemory = {}, logs: number): LogMemory {
  if (logs === 1) return { maxLines, maxBytes };
  const { maxLines: lines, maxBytes: bytes } = defaultLogMemory;
  return {
    maxLines: Math.floor((maxLines ?? lines) / logs),
    maxBytes: Math.floor((maxBytes ?? bytes) / logs),
  };
}

/** Reads from each log whose lines are all written, and notes what came of it. */
function readAll(
  feeds: readonly LogFeed[],
  steps: (FeedStep | undefined)[],
  isWritten: (member: number) => boolean,
): CommandProblem | undefined {
  for (const [member, feed] of feeds.entries()) {
    if (steps[member]?.kind === 'ended') continue;
    if (!isWritten(member)) {
      // Its lines wait for those of another log.
      steps[member] = undefined;
      continue;
    }
    const step = feed.read();
    if (step.kind === 'failed') return step.problem;
    steps[member] = step;
  }
  return undefined;
}

/** Resolves when there may be more to read. */
async function change(
  steps: readonly (FeedStep | undefined)[],
  { ring, rung }: ReturnType<typeof createBell>,
  clock: Clock,
): Promise<void> {
  const waits = steps.flatMap((step) => (step?.kind === 'waiting' ? (step.retryIn ?? []) : []));
  const cancel = waits.length === 0 ? undefined : clock.after(Math.min(...waits), ring);
  await rung();
  cancel?.();
}

async function write(
  lines: WholeLines,
  writer: LinesWriter,
  { clock, signal }: LogsRun,
): Promise<ExitCode | undefined> {
  const written = await untilAborted(writer.write(lines), writer, signal, clock);
  if (written === undefined) return exitCodes.interrupted;
  if (written.kind === 'gone') return exitCodes.done;
  return written.kind === 'done' ? undefined : exitCodes.failed;
}

/** Resolves with the outcome of a write; undefined when the command is interrupted before it ends. */
function untilAborted(
  writing: Promise<Written>,
  writer: LinesWriter,
  signal: AbortSignal,
  clock: Clock,
): Promise<Written | undefined> {
  return new Promise((resolve) => {
    const end = (): void => {
      if (writer.isWhole()) resolve(undefined);
      else clock.after(lastWrite, () => resolve(undefined));
    };
    signal.addEventListener('abort', end);
    void writing.then(resolve).finally(() => signal.removeEventListener('abort', end));
  });
}

/** A signal that there may be more to do, for one waiter at a time. */
interface Bell {
  readonly ring: () => void;
  /** Resolves at the next ring, or at once when the bell has rung since the last call. */
  readonly rung: () => Promise<void>;
  readonly stop: () => void;
}

/** Returns a bell that also rings when `signal` is aborted. */
function createBell(signal: AbortSignal): Bell {
  let isRung = false;
  let wake = (): void => {};
  const ring = (): void => {
    isRung = true;
    wake();
  };
  signal.addEventListener('abort', ring);
  return {
    ring,
    async rung() {
      if (!isRung) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
      isRung = false;
    },
    stop: () => signal.removeEventListener('abort', ring),
  };
}

/** Collects lines for one write. */
interface LinesBatch {
  /** Appends a copy of a line without line break, and a line break. */
  copy(bytes: Uint8Array, start: number, end: number): void;
  /** Appends a line that has its line break. */
  text(line: string): void;
  /** Returns all lines so far; valid until `clear`. */
  lines(): WholeLines;
  /** Reuses the memory: the lines must have been written. */
  clear(): void;
}

/** A buffer that one very long line has grown to more than this multiple of `size` is released. */
const largestGrowth = 8;

/**
 * Returns an empty batch.
 * @param size first capacity, in bytes.
 */
export function createLinesBatch(size: number): LinesBatch {
  let bytes = Buffer.allocUnsafeSlow(size);
  let used = 0;
  let ends: number[] = [];

  const makeRoom = (length: number): void => {
    if (used + length <= bytes.length) return;
    const larger = Buffer.allocUnsafeSlow(Math.max(bytes.length * 2, used + length));
    bytes.copy(larger, 0, 0, used);
    bytes = larger;
  };

  return {
    copy(from, start, end) {
      makeRoom(end - start + 1);
      bytes.set(from.subarray(start, end), used);
      used += end - start + 1;
      bytes[used - 1] = lineBreak;
      ends.push(used);
    },
    text(line) {
      makeRoom(Buffer.byteLength(line));
      used += bytes.write(line, used);
      ends.push(used);
    },
    lines: () => ({ bytes: bytes.subarray(0, used), ends }),
    clear() {
      if (bytes.length > size * largestGrowth) bytes = Buffer.allocUnsafeSlow(size);
      used = 0;
      ends = [];
    },
  };
}

const lineBreak = 0x0a;

/** Outcome of a write. `gone`: the reader has closed the pipe. */
type Written = { readonly kind: 'done' } | { readonly kind: 'gone' } | { readonly kind: 'failed' };

/** Lines, each with its line break. Their memory must not change until they are written. */
interface WholeLines {
  readonly bytes: Buffer;
  /** Offset behind each line. */
  readonly ends: readonly number[];
}

/** Writes complete lines, and waits for the reader. */
interface LinesWriter {
  write(lines: WholeLines): Promise<Written>;
  /** Whether no write is running that could stop in the middle of a line. */
  isWhole(): boolean;
  stop(): void;
}

/** Bytes that a pipe takes in one piece or not at all (POSIX, PIPE_BUF on Linux). */
const atomic = 4096;

/**
 * Returns a writer that writes lines in pieces of at most PIPE_BUF bytes, one after the other, so that
 * even a killed process leaves no half line. Only a line longer than that can be cut.
 */
export function createLinesWriter(output: Writable): LinesWriter {
  let unsafe = false;
  let failure: Written | undefined;
  const onError = (error: NodeJS.ErrnoException): void => {
    failure ??= outcome(error);
  };
  output.on('error', onError);

  const writePiece = (piece: Buffer): Promise<Written> =>
    new Promise((resolve) => {
      unsafe = piece.length > atomic;
      output.write(piece, (error) => {
        unsafe = false;
        // A write to a stream that failed before reports only that; `errored` has the cause.
        resolve(error ? outcome(output.errored ?? error) : { kind: 'done' });
      });
    });

  return {
    async write(lines) {
      let written: Written = { kind: 'done' };
      for (const piece of pieces(lines)) {
        written = failure ?? (await writePiece(piece));
        if (written.kind !== 'done') break;
      }
      return written;
    },
    isWhole: () => !unsafe,
    stop: () => output.off('error', onError),
  };
}

function outcome({ code }: NodeJS.ErrnoException): Written {
  const isGone = code === 'EPIPE' || code === 'ERR_STREAM_DESTROYED' || code === 'ECONNRESET';
  return isGone ? { kind: 'gone' } : { kind: 'failed' };
}

function* pieces({ bytes, ends }: WholeLines): Generator<Buffer> {
  let start = 0;
  let last = 0;
  for (const end of ends) {
    if (last > start && end - start > atomic) {
      yield bytes.subarray(start, last);
      start = last;
    }
    last = end;
  }
  if (last > start) yield bytes.subarray(start, last);
}

/** Joins the lines of several logs into one order, by their times. Pure. */

/** Lines that are ready to be written, of several members in the order of each. */
interface LineJoin {
  /** Adds a line behind the others of its member; a line without a time belongs to the one before. */
  add(member: number, time: number | undefined, text: string): void;
  /** Returns whether no line of a member waits. */
  isEmpty(member: number): boolean;
  /**
   * Removes and returns the lines that may be written, oldest first: until a member has no more,
   * unless nothing is expected of it.
   * @param isQuiet whether a member without lines is not waited for.
   */
  take(isQuiet: (member: number) => boolean): readonly string[];
}

interface TimedText {
  readonly time: number;
  readonly text: string;
}

interface Queue {
  readonly lines: TimedText[];
  /** Index of the first line that waits. */
  next: number;
  lastTime: number;
}

export function createLineJoin(members: number): LineJoin {
  const queues = Array.from(
    { length: members },
    (): Queue => ({ lines: [], next: 0, lastTime: Number.NEGATIVE_INFINITY }),
  );
  const first = ({ lines, next }: Queue): TimedText | undefined => lines[next];

  /** Returns the queue whose first line is the oldest; the earlier member comes first. */
  const oldest = (): Queue | undefined => {
    let found: Queue | undefined;
    for (const queue of queues) {
      const line = first(queue);
      const best = found && first(found);
      if (line !== undefined && (best === undefined || line.time < best.time)) found = queue;
    }
    return found;
  };

  return {
    add(member, time, text) {
      const queue = queues[member];
      if (queue === undefined) return;
      // A line that is out of order in its own log does not overtake the lines before it.
      queue.lastTime = Math.max(queue.lastTime, time ?? queue.lastTime);
      queue.lines.push({ time: queue.lastTime, text });
    },
    isEmpty: (member) => queues[member] === undefined || first(queues[member]) === undefined,
    take(isQuiet) {
      const taken: string[] = [];
      const isBlocked = () =>
        queues.some((queue, member) => first(queue) === undefined && !isQuiet(member));
      while (!isBlocked()) {
        const queue = oldest();
        const line = queue && first(queue);
        if (queue === undefined || line === undefined) break;
        taken.push(line.text);
        queue.next += 1;
        if (queue.next === queue.lines.length) {
          queue.lines.length = 0;
          queue.next = 0;
        }
      }
      return taken;
    },
  };
}
