import type { LogFrames, LogLine } from '../../../contract/logs.ts';
import { type LogRow, rowOf } from '../../../tail/arena/row.ts';
import { RunReader } from '../../../tail/arena/run-reader.ts';
import type { Sequence } from '../../../tail/arena/sequence.ts';
import type { LogHistory } from './history.ts';

/**
 * Whether a live line is one of those that history was asked for: the stream carries every line of
 * the deployment. Text is looked for in any case, as our own host does.
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

/** What came with some messages of the stream. */
export interface Ingested {
  readonly lines: number;
  /** Messages that are no log lines. */
  readonly others: number;
}

export interface LogIngest {
  take(frames: LogFrames): Ingested;
}

export interface LogIngestOptions {
  readonly sequence: Pick<Sequence<LogLine>, 'decode' | 'services'>;
  readonly accepts: ((line: LogLine) => boolean) | undefined;
  readonly history: Pick<LogHistory, 'merge' | 'append' | 'send'>;
}

const utf8 = new TextDecoder();

/**
 * Takes messages of the stream in. Mostly they continue what is known, and are kept as they came;
 * otherwise, or when only some lines are wanted, they are read.
 */
export function createLogIngest({ sequence, accepts, history }: LogIngestOptions): LogIngest {
  const { decode, services } = sequence;
  const runs = new RunReader(services, decode);

  const asRun = (frames: LogFrames): Ingested | undefined => {
    const { base } = history.merge();
    if (accepts !== undefined || typeof base === 'bigint') return undefined;
    const run = runs.read(frames, base);
    if (run === undefined) return undefined;
    const others = frames.count - run.count;
    return run.count === 0 || history.append(run) ? { lines: run.count, others } : undefined;
  };

  const asLines = ({ bytes, count, starts, ends }: LogFrames): Ingested => {
    const rows: LogRow<LogLine>[] = [];
    let others = 0;
    for (let index = 0; index < count; index += 1) {
      const start = starts[index] ?? 0;
      const end = ends[index] ?? 0;
      const line = decode(bytes, start, end);
      if (line === undefined) others += 1;
      else if (accepts?.(line) !== false) {
        rows.push({ ...rowOf(line), message: bytes.subarray(start, end) });
      }
    }
    const last = rows.at(-1)?.message;
    if (last !== undefined && accepts === undefined) runs.learn(utf8.decode(last));
    if (rows.length > 0) history.send({ kind: 'lines', rows });
    return { lines: count - others, others };
  };

  return { take: (frames) => asRun(frames) ?? asLines(frames) };
}
