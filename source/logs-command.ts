import { once } from 'node:events';
import type { LogsClient } from './client/client.ts';
import type { Clock } from './store/clock.ts';
import { gapSentence, type LogLine } from './store/log-view.ts';
import { createLogs, type Logs } from './store/logs.ts';

export interface LogsCommandOptions {
  readonly client: LogsClient;
  readonly clock: Clock;
  readonly deploymentId: string;
  readonly service: string | undefined;
  readonly search: string | undefined;
  readonly limit: number;
  readonly follow: boolean;
  readonly json: boolean;
  readonly stdout: NodeJS.WritableStream;
  /** Takes sentences for the person: gaps, lost connections. */
  readonly note: (sentence: string) => void;
  /** Ends the command; what has begun is written whole. */
  readonly signal: AbortSignal;
}

/** Lines that may wait for a slow reader before the stream is no longer read. */
const mostWaiting = 10_000;
/** Lines written with one call. */
const batch = 1000;

/**
 * Writes the last `limit` lines of a log and, following, those that come. Gives the exit code: 0 at
 * the end or when nobody reads any more, 1 when the log cannot be had. Lines are written in order,
 * each once; one that may still be preceded by another waits for it.
 */
export async function runLogs(options: LogsCommandOptions): Promise<number> {
  const { stdout, note, signal } = options;
  const waker = createWaker();
  const { client, clock, deploymentId, service, search, limit: history, follow } = options;
  const log = createLogs({
    client,
    clock,
    deploymentId,
    service,
    search,
    history,
    follow,
    random: Math.random,
  });
  log.onInserted(waker.wake);
  const writer = createWriter(log, options);
  let closed = false;
  const end = () => {
    closed = true;
    waker.wake();
  };
  stdout.on('error', end);
  signal.addEventListener('abort', waker.wake);
  const unsubscribe = log.state.subscribe(({ connection }, before) => {
    if (connection.kind === 'retrying' && before.connection.kind !== 'retrying') {
      note(`${connection.error.sentence} Trying again.`);
    }
    waker.wake();
  });
  try {
    for (;;) {
      const wrote = await writer.write();
      if (closed || signal.aborted) return 0;
      const { connection } = log.state.getState();
      if (connection.kind === 'stopped' && !wrote) {
        if (connection.error === undefined) return 0;
        note(`${connection.error.sentence} ${connection.error.next}`);
        return 1;
      }
      if (!wrote) await waker.woken();
    }
  } finally {
    unsubscribe();
    log.stop();
    signal.removeEventListener('abort', waker.wake);
  }
}

/** Lets one loop sleep until something happened; what happens while it works is not lost. */
function createWaker(): { readonly wake: () => void; woken(): Promise<void> } {
  let { promise, resolve } = Promise.withResolvers<void>();
  return {
    wake: () => {
      resolve();
    },
    async woken() {
      await promise;
      ({ promise, resolve } = Promise.withResolvers<void>());
    },
  };
}

function createWriter(log: Logs, options: LogsCommandOptions) {
  const { stdout, note, signal } = options;
  /** `seq` of the entry written last. */
  let last: number | undefined;

  /** Index of the next entry to write. */
  function next(): number {
    if (last === undefined) return Math.max(0, log.firstLive() - options.limit);
    const index = log.entries.indexOf(last);
    return log.entries.at(index)?.seq === last ? index + 1 : index;
  }

  return {
    /** Writes a batch of what is settled; false when there was nothing. */
    async write(): Promise<boolean> {
      const from = next();
      const to = Math.min(log.settled(), from + batch);
      if (to <= from) return false;
      log.hold(log.entries.length - from > mostWaiting);
      let text = '';
      for (const entry of log.entries.slice(from, to)) {
        last = entry.seq;
        if (entry.kind === 'gap') note(gapSentence(entry));
        else
          text += `${options.json ? asMessage(entry.line, options.deploymentId) : asText(entry.line)}\n`;
      }
      if (!stdout.write(text)) await once(stdout, 'drain', { signal }).catch(() => {});
      return true;
    },
  };
}

/** A line for people and for grep: time, service, text as it came. */
function asText(line: LogLine): string {
  const head = [line.timestamp, line.serviceName].filter(
    (part) => part !== undefined && part !== '',
  );
  return head.length === 0 ? line.logLine : `${head.join(' ')} ${line.logLine}`;
}

/**
 * The line as a message of the log stream (contract, part 2). Fields that the service does not give
 * are left out; ids above 2^53 keep their digits.
 */
function asMessage(line: LogLine, deploymentId: string): string {
  const { id, serviceName, timestamp, logLine, stream } = line;
  const rest = JSON.stringify({
    deploymentId: line.deploymentId ?? deploymentId,
    serviceName,
    timestamp,
    logLine,
    stream,
  });
  return `{"type":"log",${id === undefined ? '' : `"id":${id},`}${rest.slice(1)}`;
}
