import type { LogStream, LogStreamHandlers } from '../../source/client/stream/log-stream.ts';
import type { LogsClient } from '../../source/client/logs.ts';
import { decodeFrameAt } from '../../source/client/decode/logs.ts';
import type { ErrorCode, ServiceError } from '../../source/client/http/errors.ts';
import type { LogLine, LogQuery } from '../../source/contract/logs.ts';
import { framesOf, framesOfLines } from './log-frames.ts';
import { LogRecord, type RecordOptions } from './log-record.ts';

/** Builds an error like the client's. */
export function failure(code: ErrorCode, status?: number): ServiceError {
  return {
    code,
    operation: 'fetch logs',
    status,
    sentence: `It failed: ${code}.`,
    next: 'Try again.',
    unknownOutcome: false,
  };
}

/** Returns the client of a service with several deployments, by their ids. */
export function clientOf(models: Readonly<Record<string, LogModel>>): LogsClient {
  const of = (id: string): LogModel => {
    const model = models[id];
    if (model === undefined) throw new Error(`no deployment ${id}`);
    return model;
  };
  const [any] = Object.values(models);
  return Object.assign(Object.create(any ?? null) as LogModel, {
    fetch: (...[id, ...rest]: Parameters<LogsClient['fetch']>) => of(id).fetch(id, ...rest),
    stream: (...[id, handlers]: Parameters<LogsClient['stream']>) => of(id).stream(id, handlers),
  });
}

interface OpenStream {
  readonly handlers: LogStreamHandlers;
  paused: boolean;
  readonly queue: LogLine[];
}

/** The logs of a service in memory, with the interface of the client. */
export class LogModel implements LogsClient {
  record: LogRecord;
  readonly decode = decodeFrameAt;
  readonly queries: LogQuery[] = [];
  /** Number of requested streams, including refused ones. */
  attempts = 0;
  /** Error of every HTTP request. */
  httpFails: ServiceError | undefined;
  /** Error of every new stream. */
  streamFails: ServiceError | undefined;
  /** Largest accepted limit of a query. */
  largestLimit = Number.MAX_SAFE_INTEGER;
  /** True when the deployment is closed. */
  isClosed = false;
  /** Number of questions whether it is. */
  endChecks = 0;
  /** True when lines reach the record but no stream. */
  silent = false;
  #streams: OpenStream[] = [];
  /** Time of the first line, ms since the epoch; each line is a second later. */
  #began = 1_700_000_000_000;

  constructor(options: Partial<RecordOptions> = {}) {
    this.record = new LogRecord({
      offsets: 'newest',
      rows: 'newest',
      maxPage: 1000,
      retention: Number.MAX_SAFE_INTEGER,
      overHttp: (line) => line,
      overStream: (line) => line,
      ...options,
    });
  }

  get streams(): number {
    return this.#streams.length;
  }

  /** Number of lines that wait because a stream is paused. */
  get pausedLines(): number {
    return this.#streams.reduce((sum, { queue }) => sum + queue.length, 0);
  }

  /** Writes lines to the record and to every open stream. */
  append(...texts: readonly string[]): void {
    for (const logLine of texts) this.write({ logLine });
  }

  write(line: Partial<LogLine> & { readonly logLine: string }): void {
    const number = this.record.all.length;
    this.record.append({
      id: number + 1,
      deploymentId: 'd',
      serviceName: 'web',
      timestamp: new Date(this.#began + number * 1000).toISOString(),
      stream: 'stdout',
      ...line,
    });
    if (this.silent) return;
    for (const stream of this.#streams) {
      stream.queue.push(this.record.streamed(number));
      this.#flush(stream);
    }
  }

  /** Sends a line of the record over the streams again, or out of order. */
  resend(number: number): void {
    for (const { handlers } of this.#streams)
      handlers.onFrames(framesOfLines([this.record.streamed(number)]));
  }

  /** Sends messages as they are over the open streams. */
  send(...messages: readonly (string | Uint8Array)[]): void {
    for (const { handlers } of this.#streams) handlers.onFrames(framesOf(messages));
  }

  isEnded(): ReturnType<LogsClient['isEnded']> {
    this.endChecks += 1;
    if (this.httpFails !== undefined) return Promise.resolve({ ok: false, error: this.httpFails });
    return Promise.resolve({ ok: true, value: this.isClosed });
  }

  /** Drops all lines and restarts the numbers, like a restored backup. */
  loseLog(): void {
    this.#began += 86_400_000;
    this.record = new LogRecord(this.record.options);
  }

  /** Breaks all streams; they lose the lines that were not delivered. */
  cut(error: ServiceError = failure('disconnected')): void {
    const cut = this.#streams;
    this.#streams = [];
    for (const { handlers } of cut) handlers.onClose(error);
  }

  fetch(_id: string, query: LogQuery, signal?: AbortSignal): ReturnType<LogsClient['fetch']> {
    this.queries.push(query);
    if (signal?.aborted === true) return Promise.resolve({ ok: false, error: failure('aborted') });
    if (this.httpFails !== undefined) return Promise.resolve({ ok: false, error: this.httpFails });
    if ((query.limit ?? 0) > this.largestLimit) {
      return Promise.resolve({ ok: false, error: failure('invalid', 422) });
    }
    const lines = this.record.page(query).map((value) => ({ value, unknown: {} }));
    return Promise.resolve({ ok: true, value: { lines } });
  }

  stream(_id: string, handlers: LogStreamHandlers): LogStream {
    this.attempts += 1;
    const stream: OpenStream = { handlers, paused: false, queue: [] };
    const refusal = this.streamFails;
    let isClosed = false;
    queueMicrotask(() => {
      if (isClosed) return;
      if (refusal !== undefined) {
        handlers.onClose(refusal);
        return;
      }
      this.#streams.push(stream);
      handlers.onOpen();
    });
    return {
      pause() {
        stream.paused = true;
      },
      resume: () => {
        stream.paused = false;
        this.#flush(stream);
      },
      close: () => {
        isClosed = true;
        this.#streams = this.#streams.filter((other) => other !== stream);
      },
    };
  }

  #flush(stream: OpenStream): void {
    while (!stream.paused) {
      const line = stream.queue.shift();
      if (line === undefined) return;
      stream.handlers.onFrames(framesOfLines([line]));
    }
  }
}
