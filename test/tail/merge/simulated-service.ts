import type { LogLine } from '../../../source/contract/logs.ts';

/** The shape of a service's log, as far as the contract leaves it open. */
export interface ServiceShape {
  /** Line at offset 0, and the first row of a page. */
  readonly offsets: 'newest' | 'oldest';
  readonly rows: 'newest' | 'oldest';
  readonly ids: 'none' | 'dense' | 'holes' | 'per-service';
  /** True to count ids from 1 again at some restarts. */
  readonly countsAnew: boolean;
  readonly services: number;
  /** Lines that a stream repeats when it opens. */
  readonly replay: number;
  /** Share of the frames that are swapped with the next one, or sent twice. */
  readonly swaps: number;
  readonly doubles: number;
  /** Share of the frames that the stream leaves out. */
  readonly losses: number;
  /** Lines of one instant, and the share of lines with equal texts. */
  readonly atOnce: number;
  readonly equal: number;
  /** Digits of a second over HTTP and over the stream; undefined without timestamps. */
  readonly httpDigits: number | undefined;
  readonly streamDigits: number | undefined;
  readonly maxPage: number;
  readonly retention: number;
  /** Lines by which HTTP may be behind the stream. */
  readonly lag: number;
  readonly history: 'good' | 'flaky' | 'none';
  /** The page is chosen by a filter that only one service passes. */
  readonly isFiltered: boolean;
  /** Lines stay where they are, as those that were written to a pipe. */
  readonly isAppendOnly?: boolean | undefined;
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

interface Written {
  readonly id: number;
  readonly service: string;
  readonly time: number;
  readonly text: string;
  readonly number: number;
}

/** The log of a service, its pages, and what its stream sends. */
export class SimulatedService {
  readonly shape: ServiceShape;
  readonly all: Written[] = [];
  /** Lines that HTTP shows. */
  visible = 0;
  readonly #random: () => number;
  readonly #next = new Map<string, number>();
  #time = 1_700_000_000_000;
  #inInstant = 0;
  #isOpen = false;
  /** Frames that the open stream has yet to deliver. */
  #queue: Written[] = [];
  isSilent = false;
  /** A line came after a younger one: a sign that the stream swaps lines. */
  hasShownSwap = false;
  /** The highest timestamp that the open stream has sent. */
  #newest = '';
  readonly #lines: Record<'http' | 'stream', LogLine[]> = { http: [], stream: [] };

  constructor(shape: ServiceShape, random: () => number) {
    this.shape = shape;
    this.#random = random;
  }

  get oldest(): number {
    return Math.max(0, this.all.length - this.shape.retention);
  }

  write(count: number): void {
    for (let left = count; left > 0; left -= 1) {
      const { ids, services, atOnce, equal } = this.shape;
      const service = `service-${Math.floor(this.#random() * services)}`;
      const counter = ids === 'per-service' ? service : '';
      const step = ids === 'holes' ? 1 + Math.floor(this.#random() * 3) : 1;
      const first = ids === 'per-service' ? Math.floor(this.#random() * 3) * 5000 : 0;
      const id = (this.#next.get(counter) ?? first) + step;
      this.#next.set(counter, id);
      if (this.#inInstant >= atOnce) {
        this.#inInstant = 0;
        const isCoarse = this.shape.httpDigits === 0 || this.shape.streamDigits === 0;
        // A crowded second is one instant.
        const least = isCoarse && atOnce > 20 ? 1000 : 1;
        this.#time += least + Math.floor(this.#random() * (isCoarse ? 400 : 40));
      }
      this.#inInstant += 1;
      const number = this.all.length;
      const text = this.#random() < equal ? 'GET /health 200' : `line ${number}`;
      const line = { id, service, time: this.#time, text, number };
      this.all.push(line);
      if (this.#isOpen && !this.isSilent) this.#queue.push(line);
    }
    this.visible = Math.max(this.visible, this.all.length - this.shape.lag);
  }

  /** The service restarts: some of them count their ids from 1 again. */
  restart(): void {
    if (!this.shape.countsAnew) return;
    this.#next.clear();
    this.#time += 60_000;
    this.#inInstant = 0;
  }

  /** Lets time pass without a line. */
  pass(time: number): void {
    this.#time += time;
    this.#inInstant = 0;
  }

  /** Lets HTTP catch up with the stream. */
  index(): void {
    this.visible = this.all.length;
  }

  open(): void {
    this.#isOpen = true;
    this.#newest = '';
    this.#queue = this.shape.replay === 0 ? [] : this.#kept().slice(-this.shape.replay);
  }

  close(): void {
    this.#isOpen = false;
    this.isSilent = false;
    this.#queue = [];
  }

  get queued(): number {
    return this.#queue.length;
  }

  /** Returns the next frames of the stream, some of them swapped or sent twice. */
  deliver(count: number): readonly LogLine[] {
    const frames = this.#queue.splice(0, count);
    const { swaps, doubles, losses } = this.shape;
    for (let at = 0; at < frames.length - 1; at += 1) {
      const [frame, next] = [frames[at], frames[at + 1]];
      if (frame && next && this.#random() < swaps) frames.splice(at, 2, next, frame);
    }
    const sent = frames.flatMap((frame) => (this.#random() < doubles ? [frame, frame] : [frame]));
    const come = sent.filter(() => this.#random() >= losses);
    const lines = come
      .filter((line) => this.#passes(line))
      .map((line) => this.#line(line, 'stream'));
    for (const { timestamp = '' } of lines) {
      this.hasShownSwap ||= timestamp < this.#newest;
      if (timestamp > this.#newest) this.#newest = timestamp;
    }
    return lines;
  }

  page(offset: number, limit: number): readonly LogLine[] {
    const { offsets, rows, maxPage } = this.shape;
    const kept = this.#kept()
      .filter(({ number }) => number < this.visible)
      .filter((line) => this.#passes(line));
    const size = Math.min(limit, maxPage);
    const end = kept.length - offset;
    const part =
      offsets === 'oldest'
        ? kept.slice(offset, offset + size)
        : kept.slice(Math.max(0, end - size), Math.max(0, end));
    const lines = part.map((line) => this.#line(line, 'http'));
    return rows === 'newest' ? lines.toReversed() : lines;
  }

  /** Returns all lines that a client should know of, oldest first. */
  record(): readonly LogLine[] {
    return this.all.filter((line) => this.#passes(line)).map((line) => this.#line(line, 'stream'));
  }

  #kept(): Written[] {
    return this.all.slice(this.oldest);
  }

  #passes({ service }: Written): boolean {
    return !this.shape.isFiltered || service === 'service-0';
  }

  /** Returns the line as a transport shows it, the same object each time. */
  #line(line: Written, over: 'http' | 'stream'): LogLine {
    const lines = this.#lines[over];
    const shown = lines[line.number] ?? this.#shown(line, over);
    lines[line.number] = shown;
    return shown;
  }

  #shown({ id, service, time, text, number }: Written, over: 'http' | 'stream'): LogLine {
    const { ids, httpDigits, streamDigits } = this.shape;
    const digits = over === 'http' ? httpDigits : streamDigits;
    return {
      id: ids === 'none' ? undefined : id,
      serviceName: service,
      timestamp: digits === undefined ? undefined : written(time, digits),
      logLine: text,
      // The merge does not look at it: it tells the lines of a failed run.
      stream: String(number),
    };
  }
}

function written(time: number, digits: number): string {
  const text = new Date(time).toISOString();
  const fraction = `${text.slice(20, 23)}000`.slice(0, digits);
  return `${text.slice(0, 19)}${digits === 0 ? '' : `.${fraction}`}Z`;
}
