import { setImmediate } from 'node:timers/promises';
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
}

/** The lines of one deployment that are kept together. */
export interface Batch {
  /** Number of the deployment. */
  readonly deployment: number;
  readonly lines: readonly StoredLine[];
}

export interface Selection {
  readonly limit: number;
  /** Newest lines to skip. */
  readonly offset: number;
  readonly service?: string | undefined;
  /** Case-insensitive; empty for all. */
  readonly search?: string | undefined;
}

/** What a stored line takes beside its text, roughly: row, keys and both indexes. */
const rowOverhead = 100;

/** Ids looked through before other work gets a turn. */
const searchWindow = 20_000;

/** Lines deleted at once. */
const deleteSlice = 5_000;

/** Text of one answer; clients refuse answers that are much larger. */
const answerBytes = 32 * 1024 * 1024;

/** Log lines in SQLite, by deployment and id. */
export class LogStore {
  readonly #storage: Storage;
  readonly #bytesKept: number;
  /** Bytes stored, by deployment; counted once, then kept up to date. */
  readonly #bytes = new Map<number, number>();

  constructor(storage: Storage, bytesKept: number) {
    this.#storage = storage;
    this.#bytesKept = bytesKept;
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
      'insert into log_lines (deployment, id, service, stream, at, line) values (?, ?, ?, ?, ?, ?)',
    );
    const setLast = this.#storage.prepare('update deployments set last_log = ? where number = ?');
    const added = new Map<number, number>();
    this.#storage.transaction(() => {
      for (const { deployment, lines } of batches) {
        let bytes = 0;
        for (const { id, service, stream, at, line } of lines) {
          insert.run(deployment, id, service, stream, at, line);
          bytes += Buffer.byteLength(line) + rowOverhead;
        }
        setLast.run(lines.at(-1)?.id ?? 0, deployment);
        added.set(deployment, bytes);
      }
    });
    for (const [deployment, bytes] of added) {
      const before = this.#bytes.get(deployment);
      // The first count, made now, has the new lines in it already.
      this.#bytes.set(deployment, before === undefined ? this.#count(deployment) : before + bytes);
      if (this.#oversized(deployment)) this.#deleteOldest(deployment);
    }
  }

  /** Lines newest first. Fewer than asked for when their text is too much for one answer. */
  async fetch(
    deployment: { readonly number: number; readonly id: string },
    selection: Selection,
  ): Promise<readonly LogMessage[]> {
    const page = new Page(deployment.id, selection.limit);
    const needle = (selection.search ?? '').toLowerCase();
    const last = this.lastId(deployment.number);
    if (needle === '') {
      // Without holes in the ids, the newest lines need not be counted to be skipped.
      const jump = selection.service === undefined ? selection.offset : 0;
      const range = { from: 0, to: last - jump };
      const rows = this.#rows(deployment.number, range, selection, selection.offset - jump);
      for (const row of rows) if (!page.add(row)) break;
      return page.lines;
    }
    let skip = selection.offset;
    const oldest = this.#oldestId(deployment.number);
    for (let to = last; to >= oldest; to -= searchWindow) {
      const range = { from: Math.max(oldest, to - searchWindow + 1), to };
      for (const row of this.#rows(deployment.number, range, selection, 0)) {
        if (!String(row['line']).toLowerCase().includes(needle)) continue;
        if (skip > 0) skip -= 1;
        else if (!page.add(row)) return page.lines;
      }
      await setImmediate();
    }
    return page.lines;
  }

  /**
   * Rows of a range of ids, newest first, that may match. LIKE knows the case of ASCII only and
   * ends at a NUL: rows it cannot decide are among them.
   */
  #rows(
    deployment: number,
    range: { readonly from: number; readonly to: number },
    { service, search = '', limit }: Selection,
    offset: number,
  ) {
    const filters = ['deployment = ? and id between ? and ?'];
    const values: (string | number)[] = [deployment, range.from, range.to];
    if (service !== undefined) {
      filters.push('service = ?');
      values.push(service);
    }
    if (search !== '' && isAscii(search)) {
      filters.push(`(line like ? escape '\\' or instr(cast(line as blob), x'00'))`);
      values.push(`%${search.replace(/[\\%_]/g, '\\$&')}%`);
    }
    const statement = this.#storage.prepare(
      `select id, service, stream, at, line from log_lines
       where ${filters.join(' and ')} order by id desc limit ? offset ?`,
    );
    return statement.iterate(...values, search === '' ? limit : -1, offset);
  }

  #oldestId(deployment: number): number {
    const row = this.#storage
      .prepare('select min(id) as id from log_lines where deployment = ?')
      .get(deployment);
    return Number(row?.['id'] ?? Number.POSITIVE_INFINITY);
  }

  #oversized(deployment: number): boolean {
    // A sixteenth more, so that a full log is not trimmed by each batch.
    return (this.#bytes.get(deployment) ?? 0) > this.#bytesKept * (1 + 1 / 16);
  }

  #deleteOldest(deployment: number) {
    let excess = (this.#bytes.get(deployment) ?? 0) - this.#bytesKept;
    let last = 0;
    let freed = 0;
    while (excess > 0) {
      const rows = this.#storage
        .prepare(
          `select id, octet_length(line) as bytes from log_lines
           where deployment = ? and id > ? order by id limit ?`,
        )
        .all(deployment, last, deleteSlice);
      if (rows.length === 0) break;
      for (const row of rows) {
        const bytes = Number(row['bytes']) + rowOverhead;
        last = Number(row['id']);
        freed += bytes;
        excess -= bytes;
        if (excess <= 0) break;
      }
    }
    this.#storage
      .prepare('delete from log_lines where deployment = ? and id <= ?')
      .run(deployment, last);
    this.#bytes.set(deployment, (this.#bytes.get(deployment) ?? 0) - freed);
  }

  #count(deployment: number): number {
    const row = this.#storage
      .prepare(
        `select ifnull(sum(octet_length(line) + ${rowOverhead}), 0) as bytes
         from log_lines where deployment = ?`,
      )
      .get(deployment);
    return Number(row?.['bytes']);
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
  };
}

/** The lines of one answer. */
class Page {
  readonly lines: LogMessage[] = [];
  readonly #deploymentId: string;
  readonly #limit: number;
  #bytes = 0;

  constructor(deploymentId: string, limit: number) {
    this.#deploymentId = deploymentId;
    this.#limit = limit;
  }

  /** False when the answer is full, with this line or without it. */
  add(row: Record<string, unknown>): boolean {
    const line = String(row['line']);
    this.#bytes += Buffer.byteLength(line);
    if (this.#bytes > answerBytes && this.lines.length > 0) return false;
    const stored = {
      id: Number(row['id']),
      service: String(row['service']),
      stream: String(row['stream']),
      at: Number(row['at']),
      line,
    };
    this.lines.push(toMessage(this.#deploymentId, stored));
    return this.lines.length < this.#limit;
  }
}

function isAscii(text: string): boolean {
  return Buffer.byteLength(text) === text.length;
}
