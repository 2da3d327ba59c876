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
  /** Messages that are not log lines. */
  readonly otherMessages: number;
}

export interface LogIngest {
  ingest(frames: LogFrames): IngestCounts;
}

export interface LogIngestOptions {
  readonly sequence: Pick<Sequence<LogLine>, 'decode' | 'services'>;
  readonly accepts: ((line: LogLine) => boolean) | undefined;
  readonly history: Pick<LogHistory, 'merge' | 'append' | 'run'>;
}

const utf8 = new TextDecoder();

/**
 * Adds messages of the stream to the log. Messages that continue the log are stored without being
 * decoded; all others are decoded, and so is every message when only some lines are wanted.
 */
export function createLogIngest({ sequence, accepts, history }: LogIngestOptions): LogIngest {
  const { decode, services } = sequence;
  const runs = new RunReader(services, decode);

  const ingestRun = (frames: LogFrames): IngestCounts | undefined => {
    if (accepts !== undefined || !history.merge.isById) return undefined;
    const run = runs.read(frames);
    if (run === undefined) return undefined;
    const others = frames.count - run.count;
    return run.count === 0 || history.append(run)
      ? { lines: run.count, otherMessages: others }
      : undefined;
  };

  const ingestLines = ({ bytes, count, starts, ends }: LogFrames): IngestCounts => {
    const rows: LogRow<LogLine>[] = [];
    let others = 0;
    for (let index = 0; index < count; index += 1) {
      const start = starts[index] ?? 0;
      const end = ends[index] ?? 0;
      const line = decode(bytes, start, end);
      if (line === undefined) others += 1;
      else if (accepts?.(line) !== false) {
        rows.push({ ...toRow(line), message: bytes.subarray(start, end) });
      }
    }
    const last = rows.at(-1)?.message;
    if (last !== undefined && accepts === undefined) runs.learnShape(utf8.decode(last));
    if (rows.length > 0) history.run((merge) => merge.lines(rows));
    return { lines: count - others, otherMessages: others };
  };

  return { ingest: (frames) => ingestRun(frames) ?? ingestLines(frames) };
}
