import { type LogOwner, messageForm, messageJson, type Selection } from './run.ts';
import type { LogStore } from './store.ts';

/** Time for reading before other work gets a turn. */
const turnMs = 8;

/** Runs looked at together: as many as take about a turn. */
const fewestRuns = 16;
const mostRuns = 4096;

/** Messages of one answer; clients refuse answers that are much larger. */
const answerBytes = 32 * 1024 * 1024;

/**
 * Characters that SQLite looks for; runs that have them are looked through here. It compares at
 * every place anew: with all of a long search, text that nearly matches everywhere takes minutes.
 */
const longestLike = 12;

type Row = Readonly<Record<string, unknown>>;

/** Reads log lines newest first, in turns, so that lines are written meanwhile. */
export class StoredLogReader {
  readonly #store: LogStore;
  /** Those who wait for their turn. */
  readonly #waiting: (() => void)[] = [];

  constructor(store: LogStore) {
    this.#store = store;
  }

  /** The selected lines as a JSON array; fewer where they are too much for one answer. */
  async fetch(owner: LogOwner, selection: Selection): Promise<Uint8Array<ArrayBuffer>> {
    const page = new Page(owner.id, selection.limit);
    const needle = caseless(selection.search ?? '');
    // No line has a newline in it.
    if (!needle.includes('\n')) await this.#fill(page, owner.number, selection, needle);
    return page.json();
  }

  async #fill(page: Page, deployment: number, selection: Selection, needle: string) {
    const { service, offset } = selection;
    const { last = 0 } = this.#store.ends.get(deployment) ?? {};
    // Without holes in the ids, the newest lines need not be counted to be skipped.
    const canJump = needle === '' && service === undefined;
    let to = canJump ? last - offset : last;
    let skip = canJump ? 0 : offset;
    let runs = 64;
    while (to > 0) {
      const began = performance.now();
      const from = this.#windowStart(deployment, to, runs);
      if (from === undefined) return;
      const isCounted = needle === '' && skip > 0;
      let end = from;
      for (const row of this.#rows(deployment, { from, to, service, needle, isCounted })) {
        const first = Number(row['first']);
        const count = Math.min(Number(row['count']), to - first + 1);
        if (isCounted && skip >= count) skip -= count;
        else skip = page.add(this.#whole(deployment, row), count, needle, skip);
        if (page.isFull) return;
        if (performance.now() - began <= turnMs) continue;
        end = first;
        break;
      }
      to = end - 1;
      const took = performance.now() - began;
      runs = took > turnMs ? runs >> 1 : runs << 1;
      runs = Math.min(Math.max(runs, fewestRuns), mostRuns);
      if (to > 0) await this.#turn();
    }
  }

  /** One turn of all who read for each turn of whoever writes, however many they are. */
  #turn(): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
      if (this.#waiting.length === 1) this.#giveTurn();
    });
  }

  #giveTurn() {
    setImmediate(() => {
      this.#waiting.shift()?.();
      if (this.#waiting.length > 0) this.#giveTurn();
    });
  }

  /** Id of the first line of the so many runs up to the line `to`. */
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

  /** The runs of a window that may match, newest first. */
  #rows(
    deployment: number,
    window: {
      readonly from: number;
      readonly to: number;
      readonly service: string | undefined;
      readonly needle: string;
      /** The lines are only counted: their text is left out. */
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
      values.push(`%${needle.slice(0, longestLike).replace(/[\\%_]/g, '\\$&')}%`);
    } else if (needle !== '') {
      filters.push('plain = 0');
    }
    const columns = `first, count, service, stream, instance, at${isCounted ? '' : ', text'}`;
    return this.#store
      .prepare(`select ${columns} from log_runs where ${filters.join(' and ')} order by first desc`)
      .iterate(...values);
  }

  #whole(deployment: number, row: Row): Row {
    if ('text' in row) return row;
    const rest = this.#store
      .prepare('select text from log_runs where deployment = ? and first = ?')
      .get(deployment, Number(row['first']));
    return { ...row, ...rest };
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
   * Adds the lines of a run that have `needle` in them, of its first `count` lines, the last one
   * first, without the first `skip` of those; gives how many are still to be skipped.
   */
  add(row: Row, count: number, needle: string, skip: number): number {
    const { first, service, stream, instance, at, text } = row;
    const form = messageForm(this.#deploymentId, {
      service: String(service),
      stream: String(stream),
      instance: instance === null ? undefined : Number(instance),
      at: Number(at),
    });
    const lines = String(text).split('\n');
    let left = skip;
    for (let index = count - 1; index >= 0 && !this.#isFull; index -= 1) {
      const line = lines[index] ?? '';
      if (needle !== '' && !caseless(line).includes(needle)) continue;
      if (left > 0) left -= 1;
      else this.#push(messageJson(form, Number(first) + index, line));
    }
    return left;
  }

  json(): Uint8Array<ArrayBuffer> {
    const text = `[${this.#messages.join(',')}]`;
    const json = Buffer.from(new ArrayBuffer(Buffer.byteLength(text)));
    json.write(text);
    return json;
  }

  #push(message: string) {
    this.#bytes += Buffer.byteLength(message);
    this.#isFull = this.#bytes > answerBytes && this.#messages.length > 0;
    if (this.#isFull) return;
    this.#messages.push(message);
    this.#isFull = this.#messages.length >= this.#limit;
  }
}

/** Text in lower case; of the two small letters that a capital sigma has, always the same one. */
function caseless(text: string): string {
  return text.toLowerCase().replaceAll('ς', 'σ');
}

function isAscii(text: string): boolean {
  return Buffer.byteLength(text) === text.length;
}
