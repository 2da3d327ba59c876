/** A model service, a network that fails, and the log at the other end. */
import type { LogLine } from '../../../source/contract/logs.ts';
import { toRow } from '../../../source/tail/arena/row.ts';
import { Sequence } from '../../../source/tail/arena/sequence.ts';
import type { Shown } from '../../../source/tail/arena/trim.ts';
import { Log } from '../../../source/tail/log/log.ts';
import { PastPages } from '../../../source/tail/log/past-pages.ts';
import { createRandom, ModelService, type ServiceShape } from './model-service.ts';

const pageSize = 60;

/** Returns a codec whose messages are numbers of lines: most of the time would else go into JSON. */
function createLineCodec() {
  const lines: LogLine[] = [];
  const numbers = new Map<LogLine, number>();
  return {
    encode(line: LogLine): Uint8Array {
      const number = numbers.get(line) ?? lines.push(line) - 1;
      numbers.set(line, number);
      return Buffer.from(String(number));
    },
    decode: (bytes: Uint8Array, start: number, end: number): LogLine | undefined =>
      lines[Number(Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start).toString())],
    plain: (logLine: string): LogLine => ({ logLine }),
  };
}

export interface RunOptions {
  readonly history?: number;
  readonly maxLines?: number;
  /** True for a reader who pauses at any line, and reads on beside the lines that memory has dropped. */
  readonly pauses?: boolean;
  /** The pieces in which frames arrive. */
  readonly pieces?: 'halves' | 'lines';
}

export class ModelRun {
  readonly service: ModelService;
  readonly sequence: Sequence<LogLine>;
  readonly log: Log<LogLine>;
  requests = 0;
  /** True once a page had lines that were not in the order of their ids. */
  hasShownDisorder = false;
  readonly #random: () => number;
  readonly #pieces: 'halves' | 'lines';
  readonly #pauses: boolean;
  #shown: Shown | undefined;
  #isSettling = false;
  #answer: { readonly number: number; readonly rows: readonly LogLine[] | undefined } | undefined;

  constructor(shape: ServiceShape, random: () => number, options: RunOptions = {}) {
    this.#random = random;
    this.#pieces = options.pieces ?? 'halves';
    this.service = new ModelService(shape, random);
    this.sequence = new Sequence<LogLine>({
      row: toRow,
      ...createLineCodec(),
      maxLines: options.maxLines ?? 1_000_000,
      maxBytes: Number.POSITIVE_INFINITY,
    });
    this.#pauses = options.pauses === true;
    this.sequence.show(() => this.#shown);
    this.log = new Log(this.sequence, {
      history: options.history ?? 50,
      pageSize,
      patience: 6,
    });
  }

  /** Does one thing by chance. */
  act(): void {
    if (this.#pauses && this.#random() < 0.2) this.pause();
    const chance = this.#random();
    if (chance < 0.25) this.service.write(1 + Math.floor(this.#random() * 30));
    else if (chance < 0.5) this.deliver(1 + Math.floor(this.#random() * 30));
    else if (chance < 0.6) this.open();
    else if (chance < 0.65) this.cut();
    else if (chance < 0.67) this.restart();
    else if (chance < 0.75) this.process();
    else if (chance < 0.9) {
      this.process();
      this.answer();
    } else if (chance < 0.95) this.tick();
    else if (chance < 0.96) this.step((log) => log.audit());
    else if (chance < 0.98) {
      const lines = 1 + Math.floor(this.#random() * 100);
      this.step((log) => log.older(lines));
    } else if (chance < 0.985) this.service.isSilent = this.log.isOpen;
    else if (!this.log.isOpen) this.step((log) => log.poll());
  }

  /**
   * The service restarts while its stream is read: numbers that begin again unseen, and pass the known
   * ones before they are seen, look like the next lines. Two numberings are more than a minute apart.
   */
  restart(): void {
    if (!this.log.isOpen || this.service.isSilent || this.service.shape.restarts === 'none') return;
    this.deliver(Number.POSITIVE_INFINITY);
    this.service.restart();
    // No request takes a minute.
    this.#answer = undefined;
    for (let tick = 0; tick < 13; tick += 1) this.tick();
    this.service.write(10);
    this.deliver(Number.POSITIVE_INFINITY);
  }

  open(): void {
    if (this.log.isOpen) return;
    this.service.open();
    this.step((log) => log.opened());
  }

  cut(): void {
    this.service.close();
    if (this.log.isOpen) this.step((log) => log.closed());
  }

  deliver(count: number): void {
    if (!this.log.isOpen) return;
    const lines = this.service.deliver(count);
    const half = Math.floor(this.#random() * lines.length);
    const halves = [lines.slice(0, half), lines.slice(half)];
    for (const part of this.#pieces === 'lines' ? lines.map((line) => [line]) : halves)
      this.step((log) => log.lines(part.map(toRow)));
  }

  /** Five seconds pass. */
  tick(): void {
    this.service.pass(5000);
    this.step((log) => log.tick());
  }

  /** The service cuts the page that is asked for. */
  process(): void {
    const { asking } = this.log;
    if (asking === undefined || this.#answer?.number === asking.number) return;
    this.#answer = { number: asking.number, rows: this.service.page(asking.offset, asking.limit) };
  }

  /** The page arrives, or the request fails. */
  answer(): void {
    const { asking } = this.log;
    if (asking === undefined || this.#answer?.number !== asking.number) return;
    this.requests += 1;
    const { rows } = this.#answer;
    const isFailing = this.service.shape.history === 'flaky' && !this.#isSettling;
    if (isFailing && this.#random() < 0.4) {
      this.step((log) => log.failed(asking, 'passing'));
      return;
    }
    if (rows === undefined) {
      this.step((log) => log.failed(asking, 'size'));
      return;
    }
    this.hasShownDisorder ||= isMixed(rows);
    let isBehind = false;
    this.step((log) => {
      isBehind = log.page(asking, rows.map(toRow));
    });
    // The stream counts as dropped.
    if (isBehind) {
      this.cut();
      this.open();
    }
  }

  /** The network and the service recover, and everything that can be had is fetched. */
  settle(): void {
    this.#isSettling = true;
    this.service.flush();
    this.cut();
    this.open();
    for (let round = 0; round < 2; round += 1) {
      this.service.write(5);
      this.service.flush();
      this.deliver(Number.POSITIVE_INFINITY);
    }
    let quiet = 0;
    for (let round = 0; quiet < 5; round += 1) {
      if (round > 200) throw new Error('the log never settles');
      const before = this.requests;
      this.#answerAll();
      this.tick();
      quiet = this.requests === before ? quiet + 1 : 0;
    }
    this.step((log) => log.audit());
    this.#answerAll();
    this.deliver(Number.POSITIVE_INFINITY);
    this.step((log) => log.retry());
    this.#answerAll();
  }

  #answerAll(): void {
    for (let turn = 0; this.log.asking !== undefined; turn += 1) {
      if (turn > 1000)
        throw new Error(`never stops asking ${JSON.stringify(this.log.asking, bigints)}`);
      this.process();
      this.answer();
    }
  }

  /** Pauses at some lines, or goes on; reads the lines beside a gap. */
  pause(): void {
    const length = this.sequence.length;
    const index = Math.floor(this.#random() * length);
    const seqAt = (at: number) => this.sequence.seqAt(Math.min(at, length - 1)) ?? 0;
    const isPaused = this.#random() < 0.7 && length > 0;
    this.#shown = isPaused
      ? { from: seqAt(index), to: seqAt(index + 20), others: new Set([seqAt(index >> 1)]) }
      : undefined;
    const gap = this.sequence.gaps.find(
      ({ state }) => state.kind === 'missing' && state.why === 'unread',
    );
    const side = this.#random() < 0.5 ? 'older' : 'newer';
    const near = gap && this.sequence.indexOf(gap.seq) + (side === 'older' ? 1 : -1);
    const known = near === undefined ? undefined : this.sequence.at(near);
    if (known?.kind !== 'line' || this.log.pages.offsets.order === undefined) return;
    const past = new PastPages(this.log);
    const request = past.beside(known.place, side, pageSize);
    const rows = this.service.page(request.offset, request.limit);
    if (rows !== undefined) this.step((log) => log.join(request, rows.map(toRow)));
  }

  step(change: (log: Log<LogLine>) => void): void {
    change(this.log);
    this.sequence.trim((until, after) => {
      this.log.forget(until, after);
      return this.log.held.spans;
    });
    this.log.ask();
    this.log.takeInserted();
  }
}

/** Returns whether ids change their direction more often than where numbers begin again. */
function isMixed(rows: readonly LogLine[]): boolean {
  const steps = rows.slice(1).map(({ id = 0 }, index) => id > (rows[index]?.id ?? 0));
  const up = steps.filter((step) => step).length;
  return Math.min(up, steps.length - up) > 1;
}

function bigints(_: string, value: unknown): unknown {
  return typeof value === 'bigint' ? String(value) : value;
}

/** Runs a service of a shape, to its end. */
export function runModel(
  seed: number,
  shapeOf: (random: () => number) => ServiceShape,
  options?: RunOptions,
): ModelRun {
  const random = createRandom(seed);
  const run = new ModelRun(shapeOf(random), random, options);
  run.service.write(Math.floor(random() * 300));
  run.service.flush();
  const actions = 20 + Math.floor(random() * 80);
  for (let action = 0; action < actions; action += 1) run.act();
  run.settle();
  return run;
}
