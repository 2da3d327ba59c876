import type { Writable } from 'node:stream';
import type { Client } from '../../client/client.ts';
import type { ServiceError } from '../../client/http/errors.ts';
import type { Deployment } from '../../contract/deployments.ts';
import { defaultLogLimit } from '../../contract/logs.ts';
import { createBell } from './bell.ts';
import { type CollectOptions, collectLines } from './collect-lines.ts';
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
  type Say,
} from './log-notes.ts';
import type { Clock } from '../../store/time/clock.ts';
import { requestDeployment } from '../../store/deployments/reference.ts';
import { createLogs } from '../../store/log/feed/logs.ts';
import { type LogMemory, type Logs, unusableIdsSentence } from '../../store/log/feed/log-source.ts';
import type { LogConnectionState } from '../../store/log/feed/connection.ts';
import { createLogReader, type LogReader } from '../../store/log/feed/reader.ts';
import { sanitize } from '../../terminal/screen/sanitize.ts';

/** Options of `hostdeck logs DEPLOYMENT` into a pipe or a file. */
export interface LogsCommand {
  readonly client: Pick<Client, 'host' | 'deployments' | 'logs'>;
  readonly clock: Clock;
  /** In [0, 1). */
  readonly random: () => number;
  /** Id, name or prefix of an id. */
  readonly deployment: string;
  readonly service?: string | undefined;
  readonly search?: string | undefined;
  /** Bounds of the log in memory; at least the lines that a slow reader may leave unread. */
  readonly memory?: LogMemory | undefined;
  /** Lines of history to write first. */
  readonly limit?: number | undefined;
  readonly follow: boolean;
  /** Milliseconds that live lines wait for history, at the opening and after a drop; default 1000. */
  readonly historyTimeout?: number | undefined;
  /** Whether to write lines of history that come after that; otherwise they are counted. */
  readonly backfill?: boolean | undefined;
  /** Whether to write one message of the contract a line, instead of text. */
  readonly json: boolean;
  readonly stdout: Writable;
  readonly stderr: Writable;
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

/**
 * Writes the last `limit` lines of a deployment's log and then live lines, across lost connections.
 * Stdout gets complete log lines only; stderr tells about gaps and about the connection.
 * @returns the exit code; 0 also when the reader closed the pipe, 130 for every signal.
 */
export async function runLogs(command: LogsCommand): Promise<ExitCode> {
  const { client, clock, random, service, search, follow, signal } = command;
  const limit = command.limit ?? defaultLogLimit;
  const say: Say = (sentence) => {
    command.stderr.write(`${sanitize(sentence)}\n`);
  };
  if (!Number.isSafeInteger(limit) || limit < 0) {
    say('--limit must be a whole number of lines.');
    return exitCodes.usage;
  }
  const found = await resolve(command, say);
  if (signal.aborted) return exitCodes.interrupted;
  if ('exit' in found) return found.exit;
  const logs = createLogs({
    client: client.logs,
    deploymentId: found.id,
    clock,
    random,
    service,
    search,
    initialLines: limit,
    isAppendOnly: true,
    follow,
    maxAttempts: patience,
    publishInterval: 0,
    ...atLeast(command.memory),
  });
  const historyTimeout = command.historyTimeout ?? defaultHistoryTimeout;
  const reader = createLogReader(logs, clock, limit, historyTimeout);
  const writer = createLinesWriter(command.stdout);
  const batch = createLinesBatch(roomAtOnce);
  try {
    const history = createHistoryNotes(say, historyTimeout);
    return await copy({ ...command, id: found.id, logs, reader, writer, batch, say, history });
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

/** Resolves with the id of the deployment, or with the exit code where there is no single match. */
async function resolve(
  { client, deployment, service, signal }: LogsCommand,
  say: Say,
): Promise<{ readonly id: string } | { readonly exit: ExitCode }> {
  const found = await requestDeployment(client.deployments, deployment, signal);
  if (!found.ok) {
    // A full id is enough where the list is refused or can't be read.
    if (found.error.status !== undefined && wholeId.test(deployment)) return { id: deployment };
    if (!signal.aborted) sayError(found.error, say);
    return { exit: exitCodeOf(found.error) };
  }
  const reference = found.value;
  if (reference.kind === 'one') {
    sayUnknownService(reference.deployment, service, say);
    return { id: reference.deployment.id };
  }
  if (reference.kind === 'none') {
    say(`No deployment on ${client.host} has the name, id or id prefix ${deployment}.`);
    return { exit: exitCodes.notFound };
  }
  say(`${deployment} matches several deployments. Use one of these ids:`);
  for (const { id, name } of reference.deployments) say(`  ${id}  ${name ?? ''}`.trimEnd());
  return { exit: exitCodes.usage };
}

/** Warns of an unknown service, which would look like a silent one; the list may be incomplete. */
function sayUnknownService({ services }: Deployment, service: string | undefined, say: Say): void {
  const names = services.map(({ name }) => name);
  if (service === undefined || names.length === 0 || names.includes(service)) return;
  say(`No service is named ${service}. The services are ${names.join(', ')}.`);
}

/** Form of an id in the contract's examples: a UUID, a hyphen and digits. */
const wholeId = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}-\d+$/i;

interface Copying extends LogsCommand, CollectOptions {
  readonly logs: Logs;
  readonly reader: LogReader;
  readonly writer: LinesWriter;
}

/** Copies lines from the log to stdout until the log ends. Resolves with the exit code. */
async function copy(copying: Copying): Promise<ExitCode> {
  const { logs, reader, clock, signal, say, history } = copying;
  const bell = createBell(signal);
  const holdBack = (): void => {
    // A few very long lines fill the memory.
    const most = Math.min(mostWaiting, Math.max(fewLong, logs.entries.length / 2));
    if (reader.unreadCount() > most) logs.setPaused(true);
    bell.ring();
  };
  const stopListening = [logs.onInserted(holdBack), logs.state.subscribe(bell.ring)];
  const connection = createConnectionNotes(say);
  let saysTimes = false;
  try {
    for (;;) {
      if (signal.aborted) return exitCodes.interrupted;
      const state = logs.state.getState();
      connection.note(state.connection);
      if (state.hasUnusableIds && !saysTimes) say(unusableIdsSentence);
      saysTimes = state.hasUnusableIds;
      const reading = reader.read(readAtOnce, bytesAtOnce);
      const { entries, hasLostLines, retryIn } = reading;
      if (hasLostLines) say('Lines were lost: they arrived faster than they were read.');
      const lines = collectLines(reading, copying);
      if (logs.ready() && logs.settled() === logs.entries.length) history.settled();
      if (lines.ends.length > 0) {
        const exit = await write(lines, copying);
        if (exit !== undefined) return exit;
      } else if (entries.length === 0) {
        // Lines that are held for a moment are written before the command ends.
        const wait = Number.isFinite(retryIn) ? retryIn : undefined;
        const ended = wait === undefined ? endOf(state.connection, logs, connection) : undefined;
        if (ended !== undefined) return ended;
        logs.setPaused(false);
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
  { writer, reader, logs, clock, signal, say }: Copying,
): Promise<ExitCode | undefined> {
  const written = await untilAborted(writer.write(lines), writer, signal, clock);
  if (written === undefined) return exitCodes.interrupted;
  if (reader.unreadCount() < Math.min(fewWaiting, logs.entries.length / 4)) logs.setPaused(false);
  if (written.kind === 'gone') return exitCodes.done;
  if (written.kind === 'done') return undefined;
  say(`Can't write the output: ${written.message}.`);
  return exitCodes.failed;
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

function sayError({ sentence, next }: ServiceError, say: Say): void {
  say(`${sentence} ${next}`.trimEnd());
}
