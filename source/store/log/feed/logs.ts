import { createStore, type StoreApi } from 'zustand/vanilla';
import type { LogsClient } from '../../../client/client.ts';
import type { ServiceError } from '../../../client/http/errors.ts';
import type { LogLine } from '../../../contract/logs.ts';
import type { Entries, GapEntry, Inserted, LineMessage } from '../../../tail/arena/entries.ts';
import { frameOf } from '../../../tail/arena/frame.ts';
import { rowOf } from '../../../tail/arena/row.ts';
import { Sequence } from '../../../tail/arena/sequence.ts';
import type { Clock } from '../../time/clock.ts';
import { createLineFilter, createLogIngest } from './ingest.ts';
import { createStallDetector } from './stall-detector.ts';
import { createLogConnection, type LogConnectionState } from './connection.ts';
import { createPublishThrottle } from './publish-throttle.ts';
import { createLogHistory } from './history.ts';

/** Bounds of what is kept in memory of a log; 2 million lines, 256 MiB. */
export interface LogMemory {
  readonly maxLines?: number | undefined;
  readonly maxBytes?: number | undefined;
}

export interface LogsOptions extends LogMemory {
  readonly client: LogsClient;
  readonly deploymentId: string;
  readonly clock: Clock;
  /** In [0, 1): spreads the reconnects of many consoles. */
  readonly random: () => number;
  /** Only lines of this service. */
  readonly service?: string | undefined;
  /** Only lines that contain this text, in any case. */
  readonly search?: string | undefined;
  /** Lines of history to begin with; 1000. */
  readonly history?: number | undefined;
  /** False to end when the first history is there. */
  readonly follow?: boolean | undefined;
  /** Tries, each after a longer wait, before a gap is given up; 6, which are some 15 s. */
  readonly patience?: number | undefined;
  /**
   * Milliseconds between two notifications, more while lines rush by; 33, and 0 for each change at
   * once.
   */
  readonly frame?: number | undefined;
}

/** What there is to say about a log beside its lines. Published at most once a frame. */
export interface LogsState {
  /** Grows whenever an entry came, went or changed. */
  readonly version: number;
  readonly connection: LogConnectionState;
  /** Whether the history to begin with is there, or given up with a gap. */
  readonly ready: boolean;
  /** Whether there are lines before the oldest one: `full` when memory has no room for them. */
  readonly older: 'more' | 'loading' | 'none' | 'full';
  /** Lines that came over the stream. */
  readonly received: number;
  /** Frames that were no log lines. */
  readonly others: number;
  /** Lines a second over the stream, in the last second. */
  readonly rate: number;
}

/** A log as it is read and kept going: that of one deployment, or several joined. */
export interface LogSource {
  readonly entries: Entries<LogLine>;
  readonly state: StoreApi<LogsState>;
  /** Names of the services of which a line was seen. */
  services(): readonly string[];
  /** Called at once with all lines that are put in, also in the middle; with none when others go. */
  onInserted(listener: (runs: readonly Inserted[]) => void): () => void;
  /** Pages so many lines in before the oldest one. False when that is not possible now. */
  olderWanted(lines: number): boolean;
  /** Tries all gaps again that were given up. */
  retryGaps(): void;
  /** Connects at once instead of waiting. */
  retry(): void;
  stop(): void;
}

/** The log of one deployment, followed: history, live lines and what comes after a drop, as one. */
export interface Logs extends LogSource {
  readonly deploymentId: string;
  /** Whether the history to begin with is there, or given up with a gap. */
  ready(): boolean;
  /** Number of entries, from the oldest on, among which nothing is being fetched any more. */
  settled(): number;
  /** Index of the first entry that came live; the number of entries while there is none. */
  firstLive(): number;
  /** An entry, a line as it came. */
  messageAt(index: number): LineMessage | GapEntry<LogLine> | undefined;
  read(message: LineMessage): LogLine;
  /** Stops reading from the stream so that TCP pushes back, and starts again. */
  hold(held: boolean): void;
}

/** Most lines asked for at once. */
const pageSize = 500;

export function createLogs(options: LogsOptions): Logs {
  const { client, deploymentId, clock, random, service, search, follow = true } = options;
  const { history = 1000, patience = 6, frame = 33 } = options;
  const { maxLines = 2_000_000, maxBytes = 256 * 1024 * 1024 } = options;
  const sequence = new Sequence<LogLine>({
    row: rowOf,
    encode: frameOf,
    decode(bytes, start, end) {
      const frame = client.decode(bytes, start, end);
      return frame.kind === 'line' ? frame.line : undefined;
    },
    plain: (logLine) => ({ logLine }),
    maxLines,
    maxBytes,
  });
  const listeners = new Set<(runs: readonly Inserted[]) => void>();
  const counts = { version: 0, received: 0, others: 0, rate: 0 };
  let stopped = false;
  /** The end of a stream that the service completed. */
  let completed: ServiceError | undefined;
  /** The page in flight was asked for before the stream was complete: it may lack its last lines. */
  let isAnswerOld = false;
  const askForRest = (): void => {
    isAnswerOld = past.merge().asking !== undefined;
    if (!isAnswerOld) past.send({ kind: 'poll' });
  };

  const past = createLogHistory({
    client,
    deploymentId,
    query: { service, search },
    clock,
    random,
    sequence,
    history,
    pageSize,
    patience,
    onChange(inserted) {
      counts.version += 1;
      for (const listener of listeners) listener(inserted);
      publishSoon();
    },
    onAnswer(error) {
      connection.answered(error);
      if (completed !== undefined) {
        // The stream will end like that again, and the rest is asked for then.
        if (error !== undefined) connection.lost(error);
        else if (isAnswerOld) askForRest();
        else if (past.merge().asking === undefined) connection.stop(completed);
      } else if (!follow && (error !== undefined || past.merge().ready)) connection.stop(error);
    },
    onBehind: () => audit.behind(),
  });

  const arrival = createLogIngest({
    sequence,
    accepts: createLineFilter(service, search),
    history: past,
  });

  const connection = createLogConnection({
    client,
    deploymentId,
    clock,
    random,
    onOpened() {
      completed = undefined;
      past.send({ kind: 'opened' });
      audit.start();
    },
    onFrames(frames) {
      const { lines, others } = arrival.take(frames);
      counts.received += lines;
      counts.others += others;
      publishSoon();
      return lines;
    },
    onOther() {
      counts.others += 1;
      publishSoon();
    },
    onClosed() {
      audit.stop();
      past.send({ kind: 'closed' });
    },
    onEnded(error) {
      completed = error;
      askForRest();
    },
    onPoll: () => past.send({ kind: 'poll' }),
    onState: () => publishSoon(),
  });

  let held = false;
  const audit = createStallDetector({
    clock,
    received: () => counts.received,
    onQuiet() {
      if (!held) past.send({ kind: 'audit' });
    },
    onStalled() {
      if (!held && connection.state().kind === 'live') connection.stalled();
    },
  });

  const stateNow = (): LogsState => ({
    ...counts,
    connection: connection.state(),
    ready: past.merge().ready,
    older: olderOf(past.merge().bottom, sequence.isFull, loadingOlder()),
  });
  const loadingOlder = (): boolean => past.merge().asking?.target === 'older';
  const state = createStore<LogsState>(stateNow);

  const pace = createPublishThrottle(frame);
  let cancelPublish: (() => void) | undefined;
  const publishSoon = (): void => {
    if (stopped) return;
    if (frame === 0) publish();
    else cancelPublish ??= clock.after(pace.wait(), publish);
  };
  const publish = (): void => {
    cancelPublish?.();
    cancelPublish = undefined;
    pace.told(counts.received, clock.now());
    state.setState(stateNow(), true);
  };

  let countedAt = 0;
  const countRate = (): void => {
    const rate = counts.received - countedAt;
    countedAt = counts.received;
    if (rate !== counts.rate) {
      counts.rate = rate;
      publishSoon();
    }
    cancelRate = clock.after(1000, countRate);
  };
  let cancelRate = clock.after(1000, countRate);

  if (follow) connection.connect();
  else past.send({ kind: 'poll' });

  return {
    deploymentId,
    entries: sequence,
    state,
    services: () => sequence.services.names,
    ready: () => past.merge().ready || connection.state().kind === 'stopped',
    settled: () => (connection.state().kind === 'stopped' ? sequence.length : sequence.settled),
    firstLive() {
      const { start } = past.merge();
      return start === undefined ? sequence.length : sequence.indexOfLine(start);
    },
    messageAt: (index) => sequence.messageAt(index),
    read: (message) => sequence.read(message),
    onInserted(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    olderWanted(lines) {
      if (past.merge().bottom || sequence.isFull || loadingOlder()) return false;
      past.send({ kind: 'older', lines });
      return true;
    },
    retryGaps: () => past.send({ kind: 'retry' }),
    retry: () => connection.retry(),
    hold(next) {
      held = next;
      connection.hold(next);
    },
    stop() {
      if (stopped) return;
      connection.stop();
      past.stop();
      audit.stop();
      cancelRate();
      publish();
      stopped = true;
    },
  };
}

function olderOf(bottom: boolean, full: boolean, loading: boolean): LogsState['older'] {
  if (loading) return 'loading';
  if (bottom) return 'none';
  return full ? 'full' : 'more';
}
