import type { LogsClient } from '../../../client/logs.ts';
import type { ServiceError } from '../../../client/http/errors.ts';
import type { LogLine } from '../../../contract/logs.ts';
import type { ChangeListener, Entries } from '../../../tail/arena/entries.ts';
import { encodeFrame } from '../../../tail/arena/frame.ts';
import { toRow } from '../../../tail/arena/row.ts';
import { Sequence } from '../../../tail/arena/sequence.ts';
import type { Clock } from '../../time/clock.ts';
import { createLineFilter, createLogIngest } from './ingest.ts';
import { createStallDetector } from './stall-detector.ts';
import { createLogConnection } from './connection.ts';
import { defaultLogMemory, type LogMemory, type Logs } from './log-source.ts';
import { createOlderLines } from './older-lines.ts';
import { PastLines } from './past-lines.ts';
import { createLogPublishing } from './publishing.ts';
import { createLogHistory } from './history.ts';

/** Tells how far the first history reaches back. */
export interface WantedHistory {
  /** Returns whether the entries before the index `end` reach back far enough. */
  readonly isReached: (entries: Entries<LogLine>, end: number) => boolean;
  /** Returns the number of lines read last that all lie before the wanted ones. */
  readonly linesBefore?: () => number;
  /**
   * Returns whether lines farther back are wanted, too: once the first history reaches back far enough,
   * pages at doubling distances are looked at, and one that fits is read up to.
   */
  readonly fits?: ((lines: readonly LogLine[]) => boolean) | undefined;
  /** The end of the wanted times, ms since the epoch: what lies behind it is not read. */
  readonly until?: number | undefined;
}

export interface LogsOptions extends LogMemory {
  readonly client: LogsClient;
  readonly deploymentId: string;
  readonly clock: Clock;
  /** Returns a number in [0, 1) that spreads the reconnects of many consoles. */
  readonly random: () => number;
  /** Restricts the log to lines of this service. */
  readonly service?: string | undefined;
  /** Restricts the log to lines that contain this text, in any case. */
  readonly search?: string | undefined;
  /** Lines of history to load first. Default: 1000. */
  readonly initialLines?: number | undefined;
  /** The lines that the first history has to hold, before the log is ready. Default: any. */
  readonly reach?: WantedHistory | undefined;
  /** False to stop when the first history is loaded. */
  readonly follow?: boolean | undefined;
  /** True when the lines are written out, and can't be moved after that. */
  readonly isAppendOnly?: boolean | undefined;
  /** Attempts with backoff before a gap is given up. Default: 6, about 15 s. */
  readonly maxAttempts?: number | undefined;
  /**
   * Milliseconds between two notifications, more while lines rush by; 0 publishes every change at
   * once. Default: 33.
   */
  readonly publishInterval?: number | undefined;
}

/** Milliseconds between two checks of live lines against history. */
const checkInterval = 5000;

/** Most lines that a page requests. */
const pageSize = 500;

export function createLogs(options: LogsOptions): Logs {
  const { client, deploymentId, clock, random, service, search, follow = true } = options;
  const { initialLines = 1000, maxAttempts = 6, publishInterval = 33 } = options;
  const { maxLines = defaultLogMemory.maxLines, maxBytes = defaultLogMemory.maxBytes } = options;
  const sequence = new Sequence<LogLine>({
    row: toRow,
    encode: encodeFrame,
    decode(bytes, start, end) {
      const frame = client.decode(bytes, start, end);
      return frame.kind === 'line' ? frame.line : undefined;
    },
    plain: (logLine) => ({ logLine }),
    maxLines,
    maxBytes,
  });
  const listeners = new Set<ChangeListener>();
  let insertedLines = 0;
  const isFiltered = service !== undefined || search !== undefined;
  let stopped = false;
  /** The error that ended the stream of a closed deployment. */
  let completionError: ServiceError | undefined;
  /** True when the page in flight was requested before the stream completed. It may lack the end. */
  let isPageStale = false;
  const requestRest = (): void => {
    isPageStale = logHistory.log.asking !== undefined;
    if (!isPageStale) logHistory.run((log) => log.poll());
  };

  const logHistory = createLogHistory({
    client,
    deploymentId,
    query: { service, search },
    clock,
    random,
    sequence,
    history: initialLines,
    pageSize,
    patience: maxAttempts,
    isAppendOnly: options.isAppendOnly,
    onChange(inserted, dropped) {
      counts.version += 1;
      for (const { count } of inserted) insertedLines += count;
      for (const listener of listeners) listener(inserted, dropped);
      publishing.publishSoon();
    },
    onAnswer(error, request) {
      older.noteAnswer(error, request);
      reachBack(error);
      publishing.publishSoon();
      connection.reportAnswer(error);
      if (completionError !== undefined) {
        // The next stream ends in the same way, and the rest is requested then.
        if (error !== undefined) connection.retryAfterError(error);
        else if (isPageStale) requestRest();
        else if (logHistory.log.asking === undefined) connection.stop(completionError);
      } else if (!follow && (error !== undefined || isReady())) connection.stop(error);
    },
    onStreamBehind: () => stallDetector.reportBehind(),
  });

  const older = createOlderLines(logHistory, sequence);
  const closing = new AbortController();
  const pastLines = new PastLines({
    client,
    deploymentId,
    query: { service, search },
    clock,
    random,
    history: logHistory,
    sequence,
    received: () => counts.received,
    closed: closing.signal,
  });

  const firstLive = (): number => {
    const { start } = logHistory.log;
    return start === undefined ? sequence.length : sequence.indexOfLine(start);
  };

  const { reach } = options;
  let hasReachedBack = reach === undefined;
  let hasReadEnd = reach?.until === undefined;
  const isReady = (): boolean => logHistory.log.isReady && hasReachedBack;
  /** Lines that are read for a page farther back that fits. */
  let wantedLines = 0;
  let isReading = false;
  /** Requests older lines until the first history reaches back far enough. */
  const reachBack = (error: ServiceError | undefined): void => {
    const { log } = logHistory;
    if (reach === undefined || hasReachedBack || isReading) return;
    if (!log.isReady || log.asking !== undefined) return;
    const hasNoOlder = log.isComplete || sequence.isFull || sequence.length === 0;
    const isFarEnough = sequence.lines >= wantedLines && reach.isReached(sequence, firstLive());
    if (error !== undefined || hasNoOlder || (isFarEnough && reach.fits === undefined))
      hasReachedBack = true;
    else if (!hasReadEnd) void readEnd(reach);
    else if (isFarEnough) void probe(reach);
    else older.wanted(pageSize);
  };
  const readEnd = async ({ until = Number.POSITIVE_INFINITY }: WantedHistory): Promise<void> => {
    isReading = true;
    hasReadEnd = true;
    await pastLines.readEnd(until);
    isReading = false;
    if (!stopped) reachBack(undefined);
  };
  const probe = async ({ fits, linesBefore }: WantedHistory): Promise<void> => {
    isReading = true;
    const lines = await pastLines.probe((page) => fits?.(page) === true, linesBefore?.() ?? 0);
    isReading = false;
    if (stopped || hasReachedBack) return;
    if (lines === undefined) {
      hasReachedBack = true;
      for (const listener of listeners) listener([]);
      publishing.publishSoon();
      if (!follow) connection.stop();
    } else {
      wantedLines = sequence.lines + lines;
      older.wanted(pageSize);
    }
  };

  const ingest = createLogIngest({
    decode: (...message) => client.decode(...message),
    services: sequence.services,
    accepts: createLineFilter(service, search),
    history: logHistory,
  });

  const connection = createLogConnection({
    client,
    deploymentId,
    clock,
    random,
    onOpened() {
      completionError = undefined;
      logHistory.run((log) => log.opened());
      stallDetector.start();
      cancelCheck();
      cancelCheck = clock.after(checkInterval, check);
    },
    onFrames(frames) {
      const before = insertedLines;
      const { lines, unreadable, others } = ingest.ingest(frames);
      counts.received += lines;
      counts.unreadable += unreadable;
      counts.others += others;
      publishing.publishSoon();
      // Nobody knows whether lines that a filter leaves out are new.
      return insertedLines > before || (isFiltered && lines > 0);
    },
    onClosed() {
      stallDetector.stop();
      cancelCheck();
      logHistory.run((log) => log.closed());
    },
    onCompleted(error) {
      completionError = error;
      requestRest();
    },
    onPoll: () => logHistory.run((log) => log.poll()),
    onState: () => publishing.publishSoon(),
  });

  let isPaused = false;
  const stallDetector = createStallDetector({
    clock,
    receivedLines: () => counts.received,
    onQuiet() {
      if (!isPaused) logHistory.run((log) => log.audit());
    },
    onStalled() {
      if (!isPaused && connection.state().kind === 'live') connection.reportStall();
    },
  });

  /** Lets history confirm lines that the stream leaves open. */
  const check = (): void => {
    cancelCheck = clock.after(checkInterval, check);
    if (!isPaused) logHistory.run((log) => log.tick());
  };
  let cancelCheck = (): void => {};

  const publishing = createLogPublishing(clock, publishInterval, () => ({
    connection: connection.state(),
    ready: logHistory.log.isReady,
    labels: logHistory.log.labels,
    ...older.state(),
  }));
  const { counts } = publishing;

  if (follow) connection.connect();
  else logHistory.run((log) => log.poll());

  return {
    deploymentId,
    entries: sequence,
    state: publishing.state,
    received: () => counts.received,
    services: () => sequence.services.names,
    show(shown) {
      sequence.shown = shown;
    },
    ready: () => isReady() || connection.state().kind === 'stopped',
    settled: () => (connection.state().kind === 'stopped' ? sequence.length : sequence.settled),
    firstLive,
    isById: () => logHistory.log.isById,
    messageAt: (index) => sequence.messageAt(index),
    decode: (message) => sequence.read(message),
    onInserted(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    olderWanted: (lines) => older.wanted(lines),
    async readTime(search) {
      const result = await pastLines.readTime(search);
      return result === undefined ? [] : [result];
    },
    readBeside: (gap, side) => pastLines.readBeside(gap, side),
    walk: (start) => pastLines.walk(start),
    hintedTime: (search) => pastLines.hintedTime(search),
    retryGaps() {
      logHistory.run((log) => log.retry());
      older.retry(initialLines);
      logHistory.hasten();
    },
    reconnect: () => connection.reconnect(),
    complete(error) {
      if (stopped || connection.state().kind === 'stopped') return;
      completionError = error;
      requestRest();
    },
    setPaused(next) {
      isPaused = next;
      connection.setPaused(next);
    },
    stop() {
      if (stopped) return;
      connection.stop();
      logHistory.stop();
      closing.abort();
      stallDetector.stop();
      cancelCheck();
      publishing.stop();
      stopped = true;
    },
  };
}
