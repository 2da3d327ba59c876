import { type LogOwner, messageTemplate, messageJson, type LogSelection } from './run.ts';
import type { LogStore } from './store.ts';

/** Longest slice of synchronous reading before other work gets a turn. */
const turnMs = 8;

/** Limits of the number of runs per window; it adapts so that a window takes about one turn. */
const minWindowRuns = 16;
const maxWindowRuns = 4096;

/** Most bytes of an answer; clients refuse much larger ones. */
const maxAnswerBytes = 32 * 1024 * 1024;

/**
 * Most characters of a search that SQLite's LIKE tests; matching runs are searched again here. LIKE
 * compares at every position: a long pattern that nearly matches everywhere would take minutes.
 */
const maxLikeLength = 12;

type Row = Readonly<Record<string, unknown>>;

/** Reads log lines, newest first, in slices of time between which lines can be written. */
export class StoredLogReader {
  readonly #store: LogStore;
  /** Readers that wait for their turn. */
  readonly #queue: (() => void)[] = [];

  constructor(store: LogStore) {
    this.#store = store;
  }

  /**
   * Resolves with the selected lines as a JSON array; fewer when they exceed the answer's limit.
   */
  async fetch(owner: LogOwner, selection: LogSelection): Promise<Uint8Array<ArrayBuffer>> {
    const page = new Page(owner.id, selection.limit);
    const needle = foldCase(selection.search ?? '');
    // A search with a newline matches no line.
    if (!needle.includes('\n')) await this.#fill(page, owner.number, selection, needle);
    return page.json();
  }

  async #fill(page: Page, deployment: number, selection: LogSelection, needle: string) {
    const { service, offset } = selection;
    const { lastId = 0 } = this.#store.ends.get(deployment) ?? {};
    // Ids of an epoch have no gaps, so an offset in all lines needs no counting.
    const canJump = needle === '' && service === undefined;
    let to = canJump ? this.#store.idAtOffset(deployment, offset) : lastId;
    let skip = canJump ? 0 : offset;
    let runs = 64;
    while (to > 0) {
      const startedAt = performance.now();
      const from = this.#windowStart(deployment, to, runs);
      if (from === undefined) return;
      const isCounted = needle === '' && skip > 0;
      let end = from;
      for (const row of this.#rows(deployment, { from, to, service, needle, isCounted })) {
        const first = Number(row['first']);
        const count = Math.min(Number(row['count']), to - first + 1);
        if (isCounted && skip >= count) skip -= count;
        else skip = page.add(this.#withText(deployment, row), count, needle, skip);
        if (page.isFull) return;
        if (performance.now() - startedAt <= turnMs) continue;
        end = first;
        break;
      }
      to = end - 1;
      const elapsed = performance.now() - startedAt;
      runs = elapsed > turnMs ? runs >> 1 : runs << 1;
      runs = Math.min(Math.max(runs, minWindowRuns), maxWindowRuns);
      if (to > 0) await this.#waitForTurn();
    }
  }

  /** Resolves when it is this reader's turn; all readers together get one turn per event loop. */
  #waitForTurn(): Promise<void> {
    return new Promise((resolve) => {
      this.#queue.push(resolve);
      if (this.#queue.length === 1) this.#scheduleTurn();
    });
  }

  #scheduleTurn() {
    setImmediate(() => {
      this.#queue.shift()?.();
      if (this.#queue.length > 0) this.#scheduleTurn();
    });
  }

  /** Returns the id of the first line of the last `runs` runs up to the line `to`. */
  #windowStart(deployment: number, to: number, runs: number): number | undefined {
    const row = this.#store
      .prepare(
        `select min(first) as first from (
           select first from log_runs where deployment = ? and first <= ?
           order by first desc limit ?)`,
      )
      .get(deployment, to, runs);
    const first = row?.['first'];
    return typeof first === 'number' ? first : undefined;
  }

  /** Returns the runs of a window that may match, newest first. */
  #rows(
    deployment: number,
    window: {
      readonly from: number;
      readonly to: number;
      readonly service: string | undefined;
      readonly needle: string;
      /** True when lines are only counted, without their text. */
      readonly isCounted: boolean;
    },
  ): Iterable<Row> {
    const { from, to, service, needle, isCounted } = window;
    const filters = ['deployment = ? and first between ? and ?'];
    const values: (string | number)[] = [deployment, from, to];
    if (service !== undefined) {
      filters.push('service = ?');
      values.push(service);
    }
    if (needle !== '' && isAscii(needle)) {
      filters.push(`(plain = 0 or text like ? escape '\\')`);
      values.push(`%${needle.slice(0, maxLikeLength).replace(/[\\%_]/g, '\\$&')}%`);
    } else if (needle !== '') {
      filters.push('plain = 0');
    }
    const columns = `first, count, service, stream, instance, at, partial${isCounted ? '' : ', text'}`;
    return this.#store
      .prepare(`select ${columns} from log_runs where ${filters.join(' and ')} order by first desc`)
      .iterate(...values);
  }

  #withText(deployment: number, row: Row): Row {
    if ('text' in row) return row;
    const textRow = this.#store
      .prepare('select text from log_runs where deployment = ? and first = ?')
      .get(deployment, Number(row['first']));
    return { ...row, ...textRow };
  }
}

/** The lines of one answer. */
class Page {
  readonly #deploymentId: string;
  readonly #limit: number;
  readonly #messages: string[] = [];
  #bytes = 0;
  #isFull = false;

  constructor(deploymentId: string, limit: number) {
    this.#deploymentId = deploymentId;
    this.#limit = limit;
  }

  get isFull(): boolean {
    return this.#isFull;
  }

  /**
   * Adds those of a run's first `count` lines that contain `needle`, the last one first, after
   * skipping `skip` of them. Returns the number of lines that are still to be skipped.
   */
  add(row: Row, count: number, needle: string, skip: number): number {
    const { first, service, stream, instance, at, partial, text } = row;
    const form = messageTemplate(this.#deploymentId, {
      service: String(service),
      stream: String(stream),
      instance: instance === null ? undefined : Number(instance),
      at: Number(at),
      partial: partial === 1 ? true : undefined,
    });
    const lines = String(text).split('\n');
    let remaining = skip;
    for (let index = count - 1; index >= 0 && !this.#isFull; index -= 1) {
      const line = lines[index] ?? '';
      if (needle !== '' && !foldCase(line).includes(needle)) continue;
      if (remaining > 0) remaining -= 1;
      else this.#push(messageJson(form, Number(first) + index, line));
    }
    return remaining;
  }

  json(): Uint8Array<ArrayBuffer> {
    const text = `[${this.#messages.join(',')}]`;
    const json = Buffer.from(new ArrayBuffer(Buffer.byteLength(text)));
    json.write(text);
    return json;
  }

  #push(message: string) {
    this.#bytes += Buffer.byteLength(message);
    this.#isFull = this.#bytes > maxAnswerBytes && this.#messages.length > 0;
    if (this.#isFull) return;
    this.#messages.push(message);
    this.#isFull = this.#messages.length >= this.#limit;
  }
}

/** Returns text in lower case, with one form for both small letters of the capital sigma. */
function foldCase(text: string): string {
  return text.toLowerCase().replaceAll('ς', 'σ');
}

function isAscii(text: string): boolean {
  return Buffer.byteLength(text) === text.length;
}
