import type { LogsClient } from '../../../client/logs.ts';
import type { LogFrames, LogLine } from '../../../contract/logs.ts';
import { type LogRow, toRow } from '../../../tail/arena/row.ts';
import { RunReader } from '../../../tail/arena/run-reader.ts';
import type { Sequence } from '../../../tail/arena/sequence.ts';
import type { LogPages } from './log-pages.ts';

/**
 * Returns a test for live lines that matches the query of the history: the stream carries every
 * line of the deployment. Text matches in any case, as it does on our own host.
 */
export function createLineFilter(
  service: string | undefined,
  search: string | undefined,
): ((line: LogLine) => boolean) | undefined {
  if (service === undefined && search === undefined) return undefined;
  const text = search?.toLowerCase();
  return ({ serviceName, logLine }) =>
    (service === undefined || serviceName === service) &&
    (text === undefined || logLine.toLowerCase().includes(text));
}

/** Counts of the messages that were ingested. */
export interface IngestCounts {
  readonly lines: number;
  /** Messages that may have held lines. */
  readonly unreadable: number;
  /** Messages of other types than lines, without those that keep the connection open. */
  readonly others: number;
}

export interface LogIngestOptions {
  readonly decode: LogsClient['decode'];
  readonly services: Sequence<LogLine>['services'];
  readonly accepts: ((line: LogLine) => boolean) | undefined;
  readonly pages: Pick<LogPages, 'log' | 'append' | 'run'>;
}

const utf8 = new TextDecoder();

/**
 * Adds messages of the stream to the log. Messages that continue the log are stored without being
 * decoded; all others are decoded, and so is every message when only some lines are wanted.
 */
export class LogIngest {
  readonly #options: LogIngestOptions;
  readonly #runs: RunReader;
  #unreadable = 0;
  #others = 0;

  constructor(options: LogIngestOptions) {
    this.#options = options;
    this.#runs = new RunReader(options.services, (...message) => this.#decode(...message));
  }

  ingest(frames: LogFrames): IngestCounts {
    [this.#unreadable, this.#others] = [0, 0];
    const lines = this.#ingestRun(frames) ?? this.#ingestLines(frames);
    if (this.#unreadable > 0) this.#options.pages.run((log) => log.unreadable());
    return { lines, unreadable: this.#unreadable, others: this.#others };
  }

  #decode(bytes: Uint8Array, start: number, end: number): LogLine | undefined {
    const frame = this.#options.decode(bytes, start, end);
    if (frame.kind === 'unreadable') this.#unreadable += 1;
    if (frame.kind === 'other') this.#others += 1;
    return frame.kind === 'line' ? frame.line : undefined;
  }

  /** Returns the number of lines; undefined when they must be added one by one. */
  #ingestRun(frames: LogFrames): number | undefined {
    const { accepts, pages } = this.#options;
    if (accepts !== undefined || !pages.log.isById) return undefined;
    const run = this.#runs.read(frames);
    return run !== undefined && (run.count === 0 || pages.append(run)) ? run.count : undefined;
  }

  #ingestLines({ bytes, count, starts, ends }: LogFrames): number {
    const { accepts, pages } = this.#options;
    const rows: LogRow<LogLine>[] = [];
    let lines = 0;
    [this.#unreadable, this.#others] = [0, 0];
    for (let index = 0; index < count; index += 1) {
      const start = starts[index] ?? 0;
      const end = ends[index] ?? 0;
      const line = this.#decode(bytes, start, end);
      if (line === undefined) continue;
      lines += 1;
      if (accepts?.(line) !== false) {
        rows.push({ ...toRow(line), message: bytes.subarray(start, end) });
      }
    }
    const last = rows.at(-1)?.message;
    if (last !== undefined && accepts === undefined) this.#runs.learnShape(utf8.decode(last));
    if (rows.length > 0) pages.run((log) => log.lines(rows));
    return lines;
  }
}
