import type { LogLine } from '../../../source/contract/logs.ts';
import type { InsertedRun } from '../../../source/tail/arena/entries.ts';
import { toRow } from '../../../source/tail/arena/row.ts';
import { Sequence } from '../../../source/tail/arena/sequence.ts';
import { LogMerge } from '../../../source/tail/merge/merge.ts';
import { wrongIn } from './simulated-verdict.ts';
import { createRandom, type ServiceShape, SimulatedService } from './simulated-service.ts';

/** Returns the shape of a service by chance. */
export function shapeOf(random: () => number): ServiceShape {
  const pick = <Value>(...values: readonly Value[]): Value =>
    values[Math.floor(random() * values.length)] as Value;
  const ids = pick(
    'none' as const,
    'none' as const,
    'dense' as const,
    'holes' as const,
    'per-service' as const,
  );
  const isFiltered = random() < 0.1;
  const history = pick(
    'good' as const,
    'good' as const,
    'good' as const,
    'flaky' as const,
    'none' as const,
  );
  const retention = pick(Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER, 150);
  const isCertain = history !== 'none' && !isFiltered && retention > 150;
  // Without history, only instants order lines with ids of their services.
  const isUntold = ids === 'per-service' && history === 'none';
  const atOnce = pick(1, 3, 7, 20, isUntold ? 20 : 1000);
  const countsAnew = ids === 'dense' && random() < 0.3;
  const isNumbered = (ids === 'dense' && !countsAnew) || ids === 'holes';
  const digits = { http: pick(3, 3, 0, 6), stream: pick(3, 3, 6, isUntold ? 3 : 0) };
  const maxPage = pick(100, 500, 1000);
  // A page holds each instant whole: without that, nobody can count copies without ids.
  const isCountable = atOnce <= 20 && (maxPage > 100 || (digits.http > 0 && digits.stream > 0));
  const isDoubled = ids === 'none' || ids === 'per-service' ? isCertain && isCountable : true;
  return {
    offsets: pick('newest' as const, 'oldest' as const),
    rows: pick('newest' as const, 'oldest' as const),
    ids,
    countsAnew,
    services: pick(1, 2, 3),
    replay: pick(0, 0, 100, 1_000_000),
    swaps: pick(0, 0, 0.1),
    doubles: isDoubled && atOnce <= 20 ? pick(0, 0, 0.1) : 0,
    losses: isNumbered && isCertain && history === 'good' ? pick(0, 0.02) : 0,
    atOnce,
    equal: pick(0, 0.5, atOnce > 20 ? 0.5 : 0.9),
    httpDigits: digits.http,
    streamDigits: digits.stream,
    maxPage,
    retention,
    lag: pick(0, 0, 20),
    history,
    isFiltered,
  };
}

const pageSize = 500;

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

/** A service, a network that fails, and the merge at the other end. */
export class SimulatedRun {
  /** Called after each step, with the lines that it inserted. */
  onStep: ((inserted: readonly InsertedRun[]) => void) | undefined;
  readonly service: SimulatedService;
  readonly sequence: Sequence<LogLine>;
  readonly merge: LogMerge<LogLine>;
  /** Number of the oldest line that was shown at any time. */
  oldestShown = Number.POSITIVE_INFINITY;
  requests = 0;
  readonly #random: () => number;
  #isSettling = false;
  #oldestSeq: number | undefined;
  #answer: { readonly number: number; readonly rows: readonly LogLine[] } | undefined;

  constructor(shape: ServiceShape, random: () => number) {
    this.#random = random;
    this.service = new SimulatedService(shape, random);
    this.sequence = new Sequence<LogLine>({
      row: toRow,
      ...createLineCodec(),
      maxLines: 1_000_000,
      maxBytes: Number.POSITIVE_INFINITY,
    });
    this.merge = new LogMerge<LogLine>(this.sequence, {
      history: 120,
      pageSize,
      patience: 6,
      isAppendOnly: shape.isAppendOnly,
    });
  }

  /** Does one thing by chance. */
  act(): void {
    const chance = this.#random();
    const most = this.service.shape.atOnce > 20 ? 200 : 60;
    if (chance < 0.25) this.service.write(1 + Math.floor(this.#random() * most));
    else if (chance < 0.5) this.deliver(1 + Math.floor(this.#random() * most));
    else if (chance < 0.6) this.open();
    else if (chance < 0.66) this.cut();
    else if (chance < 0.68) this.service.restart();
    else if (chance < 0.76) this.process();
    else if (chance < 0.88) {
      this.process();
      this.answer();
    } else if (chance < 0.9) this.service.index();
    else if (chance < 0.94) this.check();
    else if (chance < 0.96) this.step((merge) => merge.audit());
    else if (chance < 0.98) this.#readOlder(1 + Math.floor(this.#random() * 100));
    else if (chance < 0.985) this.service.isSilent = this.merge.isOpen;
    else if (!this.merge.isOpen) this.step((merge) => merge.poll());
  }

  /** A pipe asks for no lines before those that it began with. */
  #readOlder(lines: number): void {
    if (this.service.shape.isAppendOnly !== true) this.step((merge) => merge.older(lines));
  }

  open(): void {
    if (this.merge.isOpen) return;
    this.service.open();
    this.step((merge) => merge.opened());
  }

  cut(): void {
    this.service.close();
    if (this.merge.isOpen) this.step((merge) => merge.closed());
  }

  deliver(count: number): void {
    if (!this.merge.isOpen) return;
    const lines = this.service.deliver(count);
    const half = Math.floor(this.#random() * lines.length);
    for (const part of [lines.slice(0, half), lines.slice(half)]) {
      this.step((merge) => merge.lines(part.map(toRow)));
    }
  }

  /** The service cuts the page that is asked for. */
  process(): void {
    const { asking } = this.merge;
    if (asking === undefined || this.#answer?.number === asking.number) return;
    this.#answer = {
      number: asking.number,
      rows: this.service.page(asking.offset, asking.limit),
    };
  }

  /** The page arrives, or the request fails. */
  answer(): void {
    const { asking } = this.merge;
    if (asking === undefined || this.#answer?.number !== asking.number) return;
    this.requests += 1;
    const { history } = this.service.shape;
    if (history === 'none' || (history === 'flaky' && !this.#isSettling && this.#random() < 0.4)) {
      const why = history === 'none' ? 'final' : 'passing';
      this.step((merge) => merge.failed(asking, why));
      return;
    }
    const rows = this.#answer.rows.map(toRow);
    let isBehind = false;
    this.step((merge) => {
      isBehind = merge.page(asking, rows);
    });
    if (isBehind && this.service.isSilent) this.cut();
  }

  /** The network and the service recover, and everything that can be had is fetched. */
  settle(): void {
    this.#isSettling = true;
    this.cut();
    this.open();
    this.service.write(5);
    this.deliver(Number.POSITIVE_INFINITY);
    // Without history, copies of known lines show up as a gap below the next other line.
    if (this.service.shape.history === 'none') this.service.pass(2000);
    this.service.write(10);
    this.deliver(Number.POSITIVE_INFINITY);
    this.service.index();
    let quiet = 0;
    for (let round = 0; quiet < 5 && round < 200; round += 1) {
      const before = this.requests;
      this.#answerAll();
      this.check();
      quiet = this.requests === before ? quiet + 1 : 0;
    }
    this.#answerAll();
    this.step((merge) => merge.audit());
    this.#answerAll();
  }

  /** Tries again to fetch what was given up. */
  retry(): void {
    this.step((merge) => merge.retry());
    this.#answerAll();
  }

  check(): void {
    this.service.pass(5000);
    this.step((merge) => merge.check());
  }

  #answerAll(): void {
    for (let turn = 0; this.merge.asking !== undefined; turn += 1) {
      if (turn > 3000) throw new Error('the merge never stops asking');
      this.process();
      this.answer();
    }
  }

  step(change: (merge: LogMerge<LogLine>) => void): void {
    change(this.merge);
    this.merge.ask();
    const inserted = this.merge.takeInserted();
    this.onStep?.(inserted);
    const seq = this.sequence.messageAt(0)?.seq;
    if (seq === this.#oldestSeq) return;
    this.#oldestSeq = seq;
    const oldest = this.sequence.at(0);
    if (oldest?.kind === 'line') {
      this.oldestShown = Math.min(this.oldestShown, Number(oldest.line.stream));
    }
  }
}

/** Runs a service of a seed's shape, and returns what was wrong at its end. */
export function simulate(seed: number, change: Partial<ServiceShape> = {}): string | undefined {
  const random = createRandom(seed);
  const shape = { ...shapeOf(random), ...change };
  const run = new SimulatedRun(shape, random);
  try {
    run.service.write(Math.floor(random() * 400));
    run.service.index();
    const actions = 20 + Math.floor(random() * 80);
    for (let action = 0; action < actions; action += 1) run.act();
    run.settle();
    run.retry();
    const wrong = wrongIn(run);
    return wrong && `seed ${seed}: ${wrong}\n${JSON.stringify(shape)}`;
  } catch (error) {
    return `seed ${seed}: ${String(error)}\n${JSON.stringify(shape)}`;
  }
}
