/** A service that keeps the contract, and whatever the contract leaves open. */
import type { LogId, LogLine } from '../../../source/contract/logs.ts';

/** The clocks of a service. */
export interface Clocks {
  /** Milliseconds by which each service's clock is off. */
  readonly skews: readonly number[];
  /** Milliseconds by which the first service's clock steps, at each of some lines. */
  readonly steps: readonly { readonly at: number; readonly by: number }[];
  /** Share of the lines that have an odd time: of a late batch, of 1970, or of 2099. */
  readonly odd: number;
  readonly oddTime: 'batch' | '1970' | '2099' | 'none';
  /** Digits of a second over HTTP and over the stream; undefined without times. */
  readonly http: number | undefined;
  readonly stream: number | undefined;
}

/** The shape of a service's log, as far as the contract leaves it open. */
export interface ServiceShape {
  /** Line at offset 0, and the first row of a page. */
  readonly offsets: 'newest' | 'oldest';
  readonly rows: 'newest' | 'oldest';
  /** Most rows of a page; with `growing`, it doubles with each thousandth line. */
  readonly pageCap: number;
  readonly growing: boolean;
  /** `text`: no numbers and no digits. `falling`: numbers that count down. */
  readonly ids: 'dense' | 'holes' | 'large' | 'per-service' | 'text' | 'falling' | 'none';
  readonly listedBy: 'id' | 'time';
  readonly services: number;
  readonly clocks: Clocks;
  /** Lines that a stream repeats when it opens. */
  readonly replay: number;
  /** Share of the frames that are swapped with the next one, sent twice, left out. */
  readonly swaps: number;
  readonly doubles: number;
  readonly losses: number;
  /** Share of the lines that are committed after later ones, by up to so many lines. */
  readonly late: number;
  readonly lateBy: number;
  /** The numbers after a restart: new ones with or without the old history, or a backup. */
  readonly restarts: 'none' | 'anew' | 'wiped' | 'backup';
  readonly retention: number;
  /** Removes each so-manieth line behind the last 60, as storage does that samples, or deletes by level. */
  readonly removes: number | undefined;
  /** Lines by which HTTP may be behind the stream. */
  readonly lag: number;
  /** Characters after which HTTP cuts a text. */
  readonly cut: number | undefined;
  /** Share of the lines with equal texts. */
  readonly equal: number;
  readonly history: 'good' | 'flaky';
  /** Lowest offset that HTTP refuses. */
  readonly refusedFrom: number;
}

/** A line as the service wrote it. */
export interface ModelLine {
  /** Counts the lines of all numberings. */
  readonly number: number;
  readonly epoch: number;
  readonly id: number;
  readonly service: string;
  readonly time: number;
  readonly text: string;
}

/** Returns a generator of numbers in [0, 1) that repeats in every run. */
export function createRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const start = 1_700_000_000_000;
const largeId = 2n ** 60n;

/** The last lines, of which none is removed. */
const wholeLines = 60;

export class ModelService {
  readonly shape: ServiceShape;
  /** All lines ever written. */
  readonly all: ModelLine[] = [];
  /** Lines that the service has now, in the order in which they were written. */
  kept: ModelLine[] = [];
  /** The numbering whose beginning took a line from the service, by the line's number. */
  readonly lost = new Map<number, number>();
  /** Numberings before the present one. */
  epoch = 0;
  isSilent = false;
  readonly #random: () => number;
  readonly #ids = new Map<string, number>();
  #now = start;
  #isOpen = false;
  #queue: ModelLine[] = [];
  /** Lines whose commit waits for so many others. */
  #waiting: { readonly line: ModelLine; left: number }[] = [];
  /** The last line that the open stream has sent, and all pairs of neighbours in streams and pages. */
  #last: number | undefined;
  readonly #neighbours = new Set<number>();
  /** Lines that HTTP does not show yet. */
  #hidden = 0;
  #view: readonly ModelLine[] | undefined;
  readonly #lines: Record<'http' | 'stream', LogLine[]> = { http: [], stream: [] };

  constructor(shape: ServiceShape, random: () => number) {
    this.shape = shape;
    this.#random = random;
  }

  write(count: number): void {
    for (let left = count; left > 0; left -= 1) this.#write();
    this.#view = undefined;
  }

  #write(): void {
    const { shape } = this;
    const at = Math.floor(this.#random() * shape.services);
    const service = `service-${at}`;
    const counter = shape.ids === 'per-service' ? service : '';
    const step = shape.ids === 'holes' ? 1 + Math.floor(this.#random() * 3) : 1;
    const id = (this.#ids.get(counter) ?? 0) + step;
    this.#ids.set(counter, id);
    this.#now += 1 + Math.floor(this.#random() * 40);
    const number = this.all.length;
    const text =
      this.#random() < shape.equal ? 'GET /health 200 OK' : `line ${number} of ${service}`;
    const line: ModelLine = {
      number,
      epoch: this.epoch,
      id,
      service,
      time: this.#timeOf(at, number),
      text,
    };
    this.all.push(line);
    if (this.#random() < shape.late)
      this.#waiting.push({ line, left: 1 + Math.floor(this.#random() * shape.lateBy) });
    else this.#commit(line);
    for (const each of this.#waiting) each.left -= 1;
    for (const { line: late } of this.#waiting.filter(({ left }) => left <= 0)) this.#commit(late);
    this.#waiting = this.#waiting.filter(({ left }) => left > 0);
  }

  #commit(line: ModelLine): void {
    this.kept.push(line);
    this.#hidden = Math.min(this.#hidden + 1, this.shape.lag);
    if (this.kept.length > this.shape.retention) this.kept.shift();
    const old = this.kept.at(-1 - wholeLines);
    if (old !== undefined && (old.number + 1) % (this.shape.removes ?? Number.NaN) === 0)
      this.kept.splice(-1 - wholeLines, 1);
    if (this.#isOpen && !this.isSilent) this.#queue.push(line);
    this.#view = undefined;
  }

  #timeOf(service: number, number: number): number {
    const { skews, steps, odd, oddTime } = this.shape.clocks;
    const stepped = service === 0 ? steps.filter(({ at }) => number >= at) : [];
    const own = this.#now + (skews[service] ?? 0) + stepped.reduce((sum, { by }) => sum + by, 0);
    // Always drawn, so that services that differ in their clocks alone write the same lines.
    const isOdd = this.#random() < odd;
    if (!isOdd || oddTime === 'none') return own;
    if (oddTime === 'batch') return own - 3_600_000;
    return oddTime === '1970' ? 0 : Date.UTC(2099, 0);
  }

  /** The service restarts. */
  restart(): void {
    const { restarts } = this.shape;
    if (restarts === 'none' || this.kept.length === 0 || this.all.length < 40) return;
    this.flush();
    this.epoch += 1;
    this.#now += 120_000;
    this.#view = undefined;
    if (restarts === 'backup') {
      const lost = 5 + Math.floor(this.#random() * 30);
      const taken = this.kept.splice(Math.max(1, this.kept.length - lost));
      for (const { number } of taken) this.lost.set(number, this.epoch);
      const last = this.kept.reduce((most, { id }) => Math.max(most, id), 0);
      this.#ids.set('', last);
      return;
    }
    this.#ids.clear();
    if (restarts === 'wiped') this.kept = [];
  }

  /** Lets time pass, in which late lines are committed and HTTP catches up. */
  flush(): void {
    for (const { line } of this.#waiting) this.#commit(line);
    this.#waiting = [];
    this.#hidden = 0;
    this.#view = undefined;
  }

  pass(time: number): void {
    this.#now += time;
    this.flush();
  }

  open(): void {
    this.#isOpen = true;
    this.isSilent = false;
    this.#queue = this.shape.replay === 0 ? [] : this.kept.slice(-this.shape.replay);
  }

  close(): void {
    this.#isOpen = false;
    this.#last = undefined;
    this.#queue = [];
  }

  /** Returns the next frames. */
  deliver(count: number): readonly LogLine[] {
    const { swaps, doubles, losses } = this.shape;
    const frames = this.#queue.splice(0, count);
    for (let index = 1; index < frames.length; index += 1) {
      const [before, line] = [frames[index - 1], frames[index]];
      if (before === undefined || line === undefined || this.#random() >= swaps) continue;
      frames[index - 1] = line;
      frames[index] = before;
    }
    const delivered = frames
      .flatMap((line) => (this.#random() < doubles ? [line, line] : [line]))
      .filter(() => this.#random() >= losses);
    // Ids put swapped frames in order again.
    if (this.#isNumbered) this.#noteNeighbours(delivered.toSorted(compareLines));
    for (const line of delivered) {
      const { number } = line;
      // Ids tell copies.
      if (number === this.#last && this.shape.ids === 'text') continue;
      if (this.#last !== undefined) this.#neighbours.add(pairOf(this.#last, number));
      this.#last = number;
    }
    return delivered.map((line) => this.#shown(line, 'stream'));
  }

  #noteNeighbours(lines: readonly ModelLine[]): void {
    for (const [index, { number }] of lines.slice(1).entries())
      this.#neighbours.add(pairOf(lines[index]?.number ?? 0, number));
  }

  /** Returns whether a stream or a page has shown one line directly behind another one. */
  hasShown(before: ModelLine, line: ModelLine): boolean {
    return this.#neighbours.has(pairOf(before.number, line.number));
  }

  /** Returns a page, or undefined where the offset is refused. */
  page(offset: number, limit: number): readonly LogLine[] | undefined {
    const { shape } = this;
    if (offset >= shape.refusedFrom) return undefined;
    const listing = this.listing();
    const cap = shape.growing
      ? shape.pageCap * 2 ** Math.floor(this.all.length / 400)
      : shape.pageCap;
    const size = Math.min(limit, cap);
    const end = listing.length - offset;
    const part =
      shape.offsets === 'oldest'
        ? listing.slice(offset, offset + size)
        : listing.slice(Math.max(0, end - size), Math.max(0, end));
    this.#noteNeighbours(part);
    const lines = part.map((line) => this.#shown(line, 'http'));
    return shape.rows === 'newest' ? lines.toReversed() : lines;
  }

  /** True when ids order the lines of all services. */
  get #isNumbered(): boolean {
    const { ids } = this.shape;
    return ids === 'dense' || ids === 'holes' || ids === 'large';
  }

  /** Returns the lines that HTTP shows, in their order. */
  listing(): readonly ModelLine[] {
    if (this.#view !== undefined) return this.#view;
    const shown = this.kept.slice(0, this.kept.length - this.#hidden);
    if (this.shape.listedBy === 'time') shown.sort((left, right) => left.time - right.time);
    else if (!this.#isNumbered) shown.sort((left, right) => left.number - right.number);
    else shown.sort(compareLines);
    this.#view = shown;
    return shown;
  }

  #shown(line: ModelLine, over: 'http' | 'stream'): LogLine {
    const known = this.#lines[over][line.number];
    if (known !== undefined) return known;
    const { clocks, cut, ids } = this.shape;
    const digits = over === 'http' ? clocks.http : clocks.stream;
    const isCut = over === 'http' && cut !== undefined && line.text.length > cut;
    const shown: LogLine = {
      id: idOf(line.id, ids),
      serviceName: line.service,
      timestamp: digits === undefined ? undefined : written(line.time, digits),
      logLine: isCut ? `${line.text.slice(0, cut)}…` : line.text,
      // The engine does not look at it: it tells the lines of a failed run.
      stream: String(line.number),
    };
    this.#lines[over][line.number] = shown;
    return shown;
  }
}

/** Returns one number for the numbers of two lines. */
function pairOf(before: number, number: number): number {
  return before * 2 ** 26 + number;
}

/** Orders lines by their numberings and ids. */
export function compareLines(left: ModelLine, right: ModelLine): number {
  return left.epoch - right.epoch || left.id - right.id;
}

function idOf(id: number, ids: ServiceShape['ids']): LogId | string | undefined {
  if (ids === 'none') return undefined;
  if (ids === 'text') return `line-${((id * 7919) % 1_000_003).toString(36)}`;
  if (ids === 'falling') return 1_000_000 - id;
  return ids === 'large' ? largeId + BigInt(id) : id;
}

function written(time: number, digits: number): string {
  const text = new Date(time).toISOString();
  const fraction = `${text.slice(20, 23)}000`.slice(0, digits);
  return `${text.slice(0, 19)}${digits === 0 ? '' : `.${fraction}`}Z`;
}
