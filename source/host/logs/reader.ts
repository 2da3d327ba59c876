import { setImmediate } from 'node:timers/promises';
import type { LogMessage } from '../../contract/logs.ts';
import type { Storage } from '../storage.ts';
import { toMessage } from './store.ts';

export interface Selection {
  readonly limit: number;
  /** Newest lines to skip. */
  readonly offset: number;
  readonly service?: string | undefined;
  /** Case-insensitive; empty for all. */
  readonly search?: string | undefined;
}

/** Names a deployment to its log: the short key of its lines, and its id. */
export interface LogOwner {
  readonly number: number;
  readonly id: string;
}

/** Ids looked through at once by a search. */
const searchWindow = 10_000;

/** Time that a search takes before other work gets a turn. */
const searchTurnMs = 30;

/** Text of one answer; clients refuse answers that are much larger. */
const answerBytes = 32 * 1024 * 1024;

/** Reads log lines newest first. */
export class LogReader {
  readonly #storage: Storage;

  constructor(storage: Storage) {
    this.#storage = storage;
  }

  /** The selected lines, fewer where their text is too much for one answer. */
  async fetch(owner: LogOwner, selection: Selection): Promise<readonly LogMessage[]> {
    const { first, last } = this.#extent(owner.number);
    const page = new Page(owner.id, selection.limit);
    const needle = (selection.search ?? '').toLowerCase();
    if (needle === '') {
      // Without holes in the ids, the newest lines need not be counted to be skipped.
      const jump = selection.service === undefined ? selection.offset : 0;
      const range = { from: first, to: last - jump };
      const rows = this.#rows(owner.number, range, selection, selection.offset - jump);
      for (const row of rows) if (!page.add(row)) break;
      return page.lines;
    }
    let skip = selection.offset;
    let turn = performance.now();
    for (let to = last; to >= first; to -= searchWindow) {
      const range = { from: Math.max(first, to - searchWindow + 1), to };
      for (const row of this.#rows(owner.number, range, selection, 0)) {
        if (!String(row['line']).toLowerCase().includes(needle)) continue;
        if (skip > 0) skip -= 1;
        else if (!page.add(row)) return page.lines;
      }
      if (performance.now() - turn < searchTurnMs) continue;
      await setImmediate();
      turn = performance.now();
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
      `select id, service, stream, at, line, instance from log_lines
       where ${filters.join(' and ')} order by id desc limit ? offset ?`,
    );
    return statement.iterate(...values, search === '' ? limit : -1, offset);
  }

  /** Ids of the oldest and the newest line that are kept; an empty range when there is none. */
  #extent(deployment: number): { readonly first: number; readonly last: number } {
    const [oldest, newest] = ['min', 'max'].map((end) =>
      this.#storage
        .prepare(`select ${end}(id) as id from log_lines where deployment = ?`)
        .get(deployment),
    );
    return { first: Number(oldest?.['id'] ?? 1), last: Number(newest?.['id'] ?? 0) };
  }
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
      instance: row['instance'] === null ? undefined : Number(row['instance']),
    };
    this.lines.push(toMessage(this.#deploymentId, stored));
    return this.lines.length < this.#limit;
  }
}

function isAscii(text: string): boolean {
  return Buffer.byteLength(text) === text.length;
}
