import type { LogsClient } from '../../source/client/logs.ts';
import { decodeFrameAt } from '../../source/client/decode/logs.ts';
import type { LogStream, LogStreamHandlers } from '../../source/client/stream/log-stream.ts';
import type { LogLine, LogQuery } from '../../source/contract/logs.ts';
import type { Clock } from '../../source/store/time/clock.ts';
import { failure } from './log-model.ts';

export interface ComputedLogOptions {
  readonly clock: Clock;
  /** Lines of the log; none is added. */
  readonly lines: number;
  /** Returns the time of a line, ms since the epoch, by its number from the oldest on. */
  readonly timeOf: (number: number) => number;
  readonly serviceOf?: (number: number) => string;
  /** End of the log at which offset 0 lies. */
  readonly offsets: 'newest' | 'oldest';
  /** Most lines of a page. */
  readonly maxPage?: number;
  /** Milliseconds until an answer. */
  readonly latency?: number;
  /** Offsets from this one on are refused. */
  readonly refusedFrom?: number;
  /** Requests for more lines than this are refused. */
  readonly refusedAbove?: number;
  /** Requests for offsets from this one on fail. */
  readonly failedFrom?: number;
}

/** A log of any length whose lines are computed when a page has them, with the interface of the client. */
export class ComputedLog implements LogsClient {
  readonly decode = decodeFrameAt;
  readonly queries: LogQuery[] = [];
  readonly options: ComputedLogOptions;

  constructor(options: ComputedLogOptions) {
    this.options = options;
  }

  lineAt(number: number): LogLine {
    const { timeOf, serviceOf = () => 'web' } = this.options;
    return {
      id: number + 1,
      deploymentId: 'd',
      serviceName: serviceOf(number),
      timestamp: new Date(timeOf(number)).toISOString(),
      logLine: `line ${number}`,
      stream: 'stdout',
    };
  }

  async fetch(_id: string, query: LogQuery, signal?: AbortSignal): ReturnType<LogsClient['fetch']> {
    this.queries.push(query);
    const { clock, latency = 50 } = this.options;
    const { refusedFrom = Number.POSITIVE_INFINITY, failedFrom = refusedFrom } = this.options;
    const { refusedAbove = Number.POSITIVE_INFINITY } = this.options;
    await new Promise<void>((resolve) => void clock.after(latency, resolve));
    if (signal?.aborted === true) return { ok: false, error: failure('aborted') };
    if ((query.offset ?? 0) >= refusedFrom || (query.limit ?? 0) > refusedAbove)
      return { ok: false, error: failure('bad-request', 400) };
    if ((query.offset ?? 0) >= failedFrom)
      return { ok: false, error: failure('service-error', 503) };
    const lines = this.#numbers(query).map((number) => ({
      value: this.lineAt(number),
      unknown: {},
    }));
    return { ok: true, value: { lines } };
  }

  #numbers({ limit = 100, offset = 0 }: LogQuery): readonly number[] {
    const { lines, offsets, maxPage = 100 } = this.options;
    const size = Math.max(0, Math.min(limit, maxPage, lines - offset));
    const isOldest = offsets === 'oldest';
    return Array.from({ length: size }, (_, row) =>
      isOldest ? offset + row : lines - 1 - offset - row,
    );
  }

  isEnded(): ReturnType<LogsClient['isEnded']> {
    return Promise.resolve({ ok: true, value: false });
  }

  stream(_id: string, handlers: LogStreamHandlers): LogStream {
    let isClosed = false;
    queueMicrotask(() => {
      if (!isClosed) handlers.onOpen();
    });
    return {
      pause() {},
      resume() {},
      close() {
        isClosed = true;
      },
    };
  }
}
