import type { Writable } from 'node:stream';
import type { Client } from '../../client/client.ts';
import { defaultLogLimit } from '../../contract/logs.ts';
import { createBell } from './bell.ts';
import type { CommandProblem } from '../command-problem.ts';
import { openingProblem, tooSlowProblem } from './opening-problem.ts';
import { createLineCollector, type LineCollector } from './collect-lines.ts';
import type { LineFormat } from './line-format.ts';
import { createHistoryReach, type HistoryReach } from './history-reach.ts';
import {
  createLineSelector,
  type LineCriteria,
  type LineSelector,
  noCriteria,
} from './line-selector.ts';
import { type ExitCode, exitCodeOf, exitCodes } from '../exit-codes.ts';
import { createLinesBatch } from './lines-batch.ts';
import {
  createLinesWriter,
  type LinesWriter,
  type WholeLines,
  type Written,
} from './lines-writer.ts';
import {
  type ConnectionNotes,
  createConnectionNotes,
  createHistoryNotes,
  type HistoryNotes,
  type Say,
} from './log-notes.ts';
import { type Clock, unbounded } from '../../store/time/clock.ts';
import { createLogs } from '../../store/log/feed/logs.ts';
import { type LogMemory, type Logs, unusableIdsSentence } from '../../store/log/feed/log-source.ts';
import type { LogConnectionState } from '../../store/log/feed/connection.ts';
import { createLogReader, type LogReader } from '../../store/log/feed/reader.ts';

/** Options of a log that is written out. */
export interface LogsRun {
  readonly client: Pick<Client, 'logs'>;
  readonly clock: Clock;
  /** In [0, 1). */
  readonly random: () => number;
  /** Id of the deployment. */
  readonly id: string;
  readonly service?: string | undefined;
  readonly search?: string | undefined;
  /** Bounds of the log in memory; at least the lines that a slow reader may leave unread. */
  readonly memory?: LogMemory | undefined;
  /** Selected lines of history to write first; may be infinite. */
  readonly limit?: number | undefined;
  /** Lines that are searched for them; all by default. */
  readonly mostSearched?: number | undefined;
  /** The lines to write; all by default. */
  readonly criteria?: LineCriteria | undefined;
  readonly follow: boolean;
  /**
   * Milliseconds that live lines wait for history, at the opening and after a drop. Default: 1000, and
   * at the opening without a limit where history has to be searched.
   */
  readonly historyTimeout?: number | undefined;
  /** Whether to write lines of history that come after that; otherwise they are counted. */
  readonly backfill?: boolean | undefined;
  readonly format: LineFormat;
  readonly stdout: Writable;
  /** Tells about gaps and about the connection. */
  readonly note: Say;
  /** Tells a problem. Returns its exit code. */
  readonly fail: (problem: CommandProblem) => ExitCode;
  /** Aborted by SIGINT and SIGTERM. */
  readonly signal: AbortSignal;
}

/** Attempts to fill a gap. More than on a screen, because written output can't be filled in later. */
const patience = 12;

/** Milliseconds. */
const defaultHistoryTimeout = 1000;

/** Lines read at a time, and bytes of their messages. */
const readAtOnce = 500;
const bytesAtOnce = 64 * 1024;
const roomAtOnce = bytesAtOnce + 4096;

/** Unread lines at which reading from the service pauses, and at which it resumes. */
const mostWaiting = 10_000;
const fewWaiting = 2000;
const fewLong = 50;

/** Memory that holds the lines that arrive before reading pauses. */
const leastLines = 2 * mostWaiting;
const leastBytes = 16 * 2 ** 20;

/** Milliseconds that an interrupted command waits to complete a line longer than PIPE_BUF. */
const lastWrite = 1000;

/** Lines of history to begin with where they are searched. */
const searchedFirst = 500;

/**
 * Writes the last `limit` lines of a deployment's log and then live lines, across lost connections.
 * Stdout gets complete log lines only; stderr tells about gaps and about the connection.
 * @returns the exit code; 0 also when the reader closed the pipe, 130 for every signal.
 */
export async function runLogs(run: LogsRun): Promise<ExitCode> {
  const { client, clock, random, id, service, search, follow, note } = run;
  const { limit = defaultLogLimit, criteria = noCriteria } = run;
  const selector = createLineSelector(criteria, clock.guard ?? unbounded);
  const reach = createHistoryReach(selector, limit, run.mostSearched);
  const isSearched = selector.hasCriteria || !Number.isFinite(limit);
  const logs = createLogs({
    client: client.logs,
    deploymentId: id,
    clock,
    random,
    service,
    search,
    initialLines: isSearched ? Math.min(limit, searchedFirst) : limit,
    reachesBack: isSearched ? (entries, end) => reach.isReached(entries, end) : undefined,
    isAppendOnly: true,
    follow,
    maxAttempts: patience,
    publishInterval: 0,
    ...atLeast(run.memory),
  });
  const historyTimeout = run.historyTimeout ?? defaultHistoryTimeout;
  const openingTimeout = isSearched ? Number.POSITIVE_INFINITY : defaultHistoryTimeout;
  const reader = createLogReader(logs, clock, {
    before: () => logs.firstLive() - reach.firstIndex(logs.entries, logs.firstLive()),
    openingTimeout: run.historyTimeout ?? openingTimeout,
    historyTimeout,
  });
  const writer = createLinesWriter(run.stdout);
  const batch = createLinesBatch(roomAtOnce);
  try {
    const history = createHistoryNotes(note, historyTimeout);
    const collector = createLineCollector({ ...run, selector, logs, batch, history });
    return await copy({
      ...run,
      selector,
      reach,
      isSearched,
      logs,
      reader,
      writer,
      collector,
      history,
    });
  } finally {
    reader.stop();
    writer.stop();
    logs.stop();
  }
}

function atLeast({ maxLines, maxBytes }: LogMemory = {}): LogMemory {
  return {
    maxLines: maxLines && Math.max(leastLines, maxLines),
    maxBytes: maxBytes && Math.max(leastBytes, maxBytes),
  };
}

interface Copying extends LogsRun {
  readonly selector: LineSelector;
  readonly reach: HistoryReach;
  /** Whether the history is searched, rather than counted off. */
  readonly isSearched: boolean;
  readonly logs: Logs;
  readonly reader: LogReader;
  readonly writer: LinesWriter;
  readonly collector: LineCollector;
  readonly history: HistoryNotes;
}

/** Copies lines from the log to stdout until the log ends. Resolves with the exit code. */
async function copy(copying: Copying): Promise<ExitCode> {
  const { logs, reader, collector, clock, signal, note, history } = copying;
  const bell = createBell(signal);
  const holdBack = (): void => {
    // A few very long lines fill the memory.
    const most = Math.min(mostWaiting, Math.max(fewLong, logs.entries.length / 2));
    if (reader.unreadCount() > most) logs.setPaused(true);
    bell.ring();
  };
  const stopListening = [logs.onInserted(holdBack), logs.state.subscribe(bell.ring)];
  const connection = createConnectionNotes(note);
  let saysTimes = false;
  let isOpened = false;
  let saysStreams = false;
  const noteStreams = (): void => {
    const { streams = [] } = copying.criteria ?? {};
    if (streams.length === 0 || saysStreams || !collector.lacksStreams()) return;
    saysStreams = true;
    note('The lines of this log tell no stream; --stream leaves them out.');
  };
  try {
    for (;;) {
      if (signal.aborted) return exitCodes.interrupted;
      const state = logs.state.getState();
      connection.note(state.connection);
      if (state.hasUnusableIds && !saysTimes) note(unusableIdsSentence);
      saysTimes = state.hasUnusableIds;
      if (!isOpened && logs.ready()) {
        isOpened = true;
        const problem = openingProblem(copying);
        if (problem !== undefined) return copying.fail(problem);
      }
      const reading = reader.read(readAtOnce, bytesAtOnce);
      const { entries, hasLostLines, retryIn } = reading;
      if (hasLostLines) note('Lines were lost: they arrived faster than they were read.');
      const lines = collector.collect(reading);
      if (lines === undefined) return copying.fail(tooSlowProblem);
      if (logs.ready() && logs.settled() === logs.entries.length) history.settled();
      if (lines.ends.length > 0) {
        const exit = await write(lines, copying);
        if (exit !== undefined) return exit;
      } else if (entries.length === 0) {
        // Lines that are held for a moment are written before the command ends.
        const wait = Number.isFinite(retryIn) ? retryIn : undefined;
        noteStreams();
        const ended = wait === undefined ? endOf(state.connection, logs, connection) : undefined;
        if (ended !== undefined) return ended;
        // Live lines wait on the service while the history before them is searched.
        const live = logs.entries.length - logs.firstLive();
        if (isOpened || live <= mostWaiting) logs.setPaused(false);
        const cancel = wait === undefined ? undefined : clock.after(wait, bell.ring);
        await bell.rung();
        cancel?.();
      }
    }
  } finally {
    history.settled();
    for (const stop of stopListening) stop();
    bell.stop();
  }
}

/** Returns the exit code when no more lines will arrive; undefined when more may. */
function endOf(
  connection: LogConnectionState,
  logs: Logs,
  notes: ConnectionNotes,
): ExitCode | undefined {
  if (connection.kind === 'stopped') {
    const { error } = connection;
    return error === undefined || error.code === 'ended' ? exitCodes.done : exitCodeOf(error);
  }
  const isRefused =
    connection.kind === 'retrying' &&
    (connection.error.code === 'unauthorized' || connection.error.code === 'forbidden');
  const hasNothing = logs.ready() && !notes.wasConnected() && logs.entries.length === 0;
  return isRefused && hasNothing ? exitCodes.notAllowed : undefined;
}

async function write(
  lines: WholeLines,
  { writer, reader, logs, clock, signal }: Copying,
): Promise<ExitCode | undefined> {
  const written = await untilAborted(writer.write(lines), writer, signal, clock);
  if (written === undefined) return exitCodes.interrupted;
  if (reader.unreadCount() < Math.min(fewWaiting, logs.entries.length / 4)) logs.setPaused(false);
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
