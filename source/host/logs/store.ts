import type { LogMessage } from '../../contract/logs.ts';
import type { Storage } from '../storage.ts';

/** A line with its number, ready to be kept. */
export interface StoredLine {
  readonly id: number;
  readonly service: string;
  readonly stream: string;
  /** ms since the epoch. */
  readonly at: number;
  readonly line: string;
  /** Which of several instances wrote it, counted from 1 on. */
  readonly instance?: number | undefined;
}

/** The lines of one deployment that are kept together. */
export interface Batch {
  /** Number of the deployment. */
  readonly deployment: number;
  readonly lines: readonly StoredLine[];
}

/** Writes log lines to SQLite, by deployment and id. */
export class LogStore {
  readonly #storage: Storage;

  constructor(storage: Storage) {
    this.#storage = storage;
  }

  /** Id of the last line that a deployment ever had; 0 before the first. */
  lastId(deployment: number): number {
    const row = this.#storage
      .prepare('select last_log from deployments where number = ?')
      .get(deployment);
    return Number(row?.['last_log'] ?? 0);
  }

  /** Keeps the lines of all batches, or throws and keeps none. */
  write(batches: readonly Batch[]): void {
    const insert = this.#storage.prepare(
      `insert into log_lines (deployment, id, service, stream, at, line, instance)
       values (?, ?, ?, ?, ?, ?, ?)`,
    );
    const setLast = this.#storage.prepare('update deployments set last_log = ? where number = ?');
    this.#storage.transaction(() => {
      for (const { deployment, lines } of batches) {
        for (const { id, service, stream, at, line, instance } of lines) {
          insert.run(deployment, id, service, stream, at, line, instance ?? null);
        }
        setLast.run(lines.at(-1)?.id ?? 0, deployment);
      }
    });
  }
}

/** A line as the contract shows it, over HTTP and on the stream alike. */
export function toMessage(deploymentId: string, line: StoredLine): LogMessage {
  return {
    type: 'log',
    id: line.id,
    deploymentId,
    serviceName: line.service,
    timestamp: new Date(line.at).toISOString(),
    logLine: line.line,
    stream: line.stream,
    ...(line.instance === undefined ? {} : { instance: line.instance }),
  };
}
