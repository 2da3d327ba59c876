import type { LogsClient } from '../../../client/logs.ts';
import type { LogFrames, LogLine } from '../../../contract/logs.ts';
import { type LogRow, toRow } from '../../../tail/arena/row.ts';
import { RunReader } from '../../../tail/arena/run-reader.ts';
import type { Sequence } from '../../../tail/arena/sequence.ts';
import type { LogHistory } from './history.ts';

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

export interface LogIngest {
  ingest(frames: LogFrames): IngestCounts;
}

export interface LogIngestOptions {
  readonly decode: LogsClient['decode'];
  readonly services: Sequence<LogLine>['services'];
  readonly accepts: ((line: LogLine) => boolean) | undefined;
  readonly history: Pick<LogHistory, 'log' | 'append' | 'run'>;
}

const utf8 = new TextDecoder();

/**
 * Adds messages of the stream to the log. Messages that continue the log are stored without being
 * decoded; all others are decoded, and so is every message when only some lines are wanted.
 */
export function createLogIngest(options: LogIngestOptions): LogIngest {
  const { services, accepts, history } = options;
  let unreadable = 0;
  let others = 0;
  const decode = (bytes: Uint8Array, start: number, end: number): LogLine | undefined => {
    const frame = options.decode(bytes, start, end);
    if (frame.kind === 'unreadable') unreadable += 1;
    if (frame.kind === 'other') others += 1;
    return frame.kind === 'line' ? frame.line : undefined;
  };
  const runs = new RunReader(services, decode);

  const ingestRun = (frames: LogFrames): IngestCounts | undefined => {
    [unreadable, others] = [0, 0];
    if (accepts !== undefined || !history.log.isById) return undefined;
    const run = runs.read(frames);
    if (run === undefined) return undefined;
    if (run.count > 0 && !history.append(run)) return undefined;
    if (unreadable > 0) history.run((log) => log.unreadable());
    return { lines: run.count, unreadable, others };
  };

  const ingestLines = ({ bytes, count, starts, ends }: LogFrames): IngestCounts => {
    const rows: LogRow<LogLine>[] = [];
    let lines = 0;
    [unreadable, others] = [0, 0];
    for (let index = 0; index < count; index += 1) {
      const start = starts[index] ?? 0;
      const end = ends[index] ?? 0;
      const line = decode(bytes, start, end);
      if (line === undefined) continue;
      lines += 1;
      if (accepts?.(line) !== false) {
        rows.push({ ...toRow(line), message: bytes.subarray(start, end) });
      }
    }
    const last = rows.at(-1)?.message;
    if (last !== undefined && accepts === undefined) runs.learnShape(utf8.decode(last));
    if (rows.length > 0) history.run((log) => log.lines(rows));
    if (unreadable > 0) history.run((log) => log.unreadable());
    return { lines, unreadable, others };
  };

  return { ingest: (frames) => ingestRun(frames) ?? ingestLines(frames) };
}
