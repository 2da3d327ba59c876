import * as fc from 'fast-check';
import type { LogId, LogLine } from '../../source/contract/logs.ts';
import { decodeFrameAt } from '../../source/client/decode/logs.ts';
import { LogIngest } from '../../source/store/log/feed/ingest.ts';
import { Log } from '../../source/tail/log/log.ts';
import type { PageRequest } from '../../source/tail/log/page-request.ts';
import { toRow } from '../../source/tail/arena/row.ts';
import { Sequence } from '../../source/tail/arena/sequence.ts';
import { framesOfLines, lineCodec } from '../servers/log-frames.ts';
import { LogRecord, type RecordOptions } from '../servers/log-record.ts';

/** An event of the service, its network, or the merge. */
export type Action =
  | { readonly do: 'append'; readonly count: number; readonly kind: number }
  | {
      readonly do: 'deliver';
      readonly count: number;
      readonly swap: number;
      readonly again: number;
    }
  | { readonly do: 'open'; readonly late: boolean }
  | { readonly do: 'cut' | 'process' | 'answer' | 'audit' | 'poll' | 'check' }
  | { readonly do: 'fail'; readonly why: 'passing' | 'final' | 'size' }
  | { readonly do: 'older'; readonly count: number };

/** Small steps. */
export const action: fc.Arbitrary<Action> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('append' as const),
      count: fc.integer({ min: 1, max: 12 }),
      kind: fc.integer({ min: 0, max: 5 }),
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('deliver' as const),
      count: fc.integer({ min: 1, max: 20 }),
      swap: fc.nat(9),
      again: fc.nat(9),
    }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('open' as const), late: fc.boolean() }) },
  { weight: 2, arbitrary: fc.constant({ do: 'cut' as const }) },
  { weight: 6, arbitrary: fc.constant({ do: 'process' as const }) },
  { weight: 6, arbitrary: fc.constant({ do: 'answer' as const }) },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('fail' as const),
      why: fc.constant('passing' as const),
    }),
  },
  { weight: 1, arbitrary: fc.constant({ do: 'audit' as const }) },
  { weight: 1, arbitrary: fc.constant({ do: 'poll' as const }) },
  { weight: 1, arbitrary: fc.constant({ do: 'check' as const }) },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('older' as const),
      count: fc.integer({ min: 1, max: 40 }),
    }),
  },
);

export interface World {
  readonly record: RecordOptions;
  readonly before: number;
  readonly history: number;
  readonly pageSize: number;
  readonly stride: (number: number) => LogId;
  readonly text: (number: number, kind: number) => string;
  readonly reorders: boolean;
  /** Lines per millisecond; 6. */
  readonly atOnce?: number;
  /** Failed attempts before giving up; unlimited when omitted. */
  readonly patience?: number;
  /** The limit of lines in memory. */
  readonly maxLines?: number;
  /** True to take in live lines as messages where possible, instead of one by one. */
  readonly asFrames?: boolean;
}

/**
 * A service, a network that cuts, delays, duplicates and reorders, and the merge at the other end.
 */
export class Simulation {
  readonly record: LogRecord;
  readonly sequence: Sequence<LogLine>;
  readonly merge: Log<LogLine>;
  /** Live batches that were taken in without decoding. */
  runs = 0;
  readonly #world: World;
  readonly #arrival: LogIngest;
  #subscribed: 'no' | 'soon' | 'yes' = 'no';
  /** Milliseconds that have passed without a line. */
  #passed = 0;
  #queue: number[] = [];
  #delivered: number[] = [];
  #answer: { readonly number: number; readonly rows: readonly LogLine[] } | undefined;

  constructor(world: World) {
    this.#world = world;
    this.record = new LogRecord(world.record);
    this.sequence = new Sequence<LogLine>({
      row: toRow,
      ...lineCodec,
      maxLines: world.maxLines ?? 100_000,
      maxBytes: Number.POSITIVE_INFINITY,
    });
    this.merge = new Log(this.sequence, {
      history: world.history,
      pageSize: world.pageSize,
      patience: world.patience ?? 1000,
    });
    this.#arrival = new LogIngest({
      decode: decodeFrameAt,
      services: this.sequence.services,
      accepts: undefined,
      pages: {
        log: this.merge,
        append: (run) => {
          const isAppended = this.merge.append(run);
          if (isAppended) this.runs += 1;
          if (isAppended) this.#settle();
          return isAppended;
        },
        run: (change) => this.#step(change),
      },
    });
    this.#append(world.before, 0);
  }

  run(action: Action): void {
    switch (action.do) {
      case 'append':
        if (this.#subscribed === 'soon') this.#subscribed = 'yes';
        this.#append(action.count, action.kind);
        return;
      case 'deliver':
        this.#deliver(action.count, action.swap, action.again);
        return;
      case 'open':
        if (this.merge.isOpen) return;
        this.#subscribed = action.late ? 'soon' : 'yes';
        if (action.late) this.#append(3, 1);
        this.#step((merge) => merge.opened());
        return;
      case 'cut':
        this.cut();
        return;
      case 'process':
        this.process();
        return;
      case 'answer':
        this.answer();
        return;
      case 'fail':
        if (this.merge.asking === undefined) return;
        this.#answer = undefined;
        this.#fail(this.merge.asking, action.why);
        return;
      case 'audit':
        this.#step((merge) => merge.audit());
        return;
      case 'poll':
        if (!this.merge.isOpen) this.#step((merge) => merge.poll());
        return;
      case 'check':
        this.#passed += 5000;
        this.#step((merge) => merge.tick());
        return;
      case 'older':
        this.#step((merge) => merge.older(action.count));
    }
  }

  /** Restores the network and fetches everything that is available. */
  settle(): void {
    this.cut();
    this.run({ do: 'open', late: false });
    this.#append(3, 2);
    this.#deliver(1000, 0, 0);
    // History confirms what the stream left open, and counts only when it has done so twice.
    for (let check = 0, quiet = 0; check < 200 && quiet < 3; check += 1) {
      quiet = this.merge.asking === undefined ? quiet + 1 : 0;
      this.#answerAll();
      this.run({ do: 'check' });
    }
    this.#answerAll();
  }

  #answerAll(): void {
    for (let turn = 0; this.merge.asking !== undefined; turn += 1) {
      if (turn > 2000) throw new Error('the merge never stops asking');
      this.process();
      this.answer();
    }
  }

  /** Answers one request after the other while the log grows. Returns the number of requests. */
  catchUp(growth: number): number {
    for (let turn = 0; ; turn += 1) {
      if (this.merge.asking === undefined) return turn;
      // Each attempt may end with some pages without progress.
      if (turn > 500) throw new Error('the merge never catches up');
      this.#append(growth, 0);
      this.process();
      this.#append(growth, 4);
      this.#deliver(growth * 2 + 1 - (turn % 3), 0, 0);
      this.answer();
    }
  }

  /** Retries failed gaps on a working network. */
  retry(): void {
    this.#step((merge) => merge.retry());
    this.settle();
  }

  cut(): void {
    this.#subscribed = 'no';
    this.#queue = [];
    this.#delivered = [];
    if (this.merge.isOpen) this.#step((merge) => merge.closed());
  }

  process(): void {
    const { asking } = this.merge;
    if (asking === undefined || this.#answer?.number === asking.number) return;
    const { offset, limit, number } = asking;
    this.#answer = { number, rows: this.record.page({ offset, limit }) };
  }

  answer(): void {
    const { asking } = this.merge;
    if (asking === undefined || this.#answer?.number !== asking.number) return;
    const rows = this.#answer.rows.map(toRow);
    this.#step((merge) => merge.page(asking, rows));
  }

  #append(count: number, kind: number): void {
    const { stride, text, atOnce = 6 } = this.#world;
    for (let index = 0; index < count; index += 1) {
      const number = this.record.all.length;
      this.record.append({
        id: stride(number),
        deploymentId: 'd',
        serviceName: 'web',
        timestamp: new Date(
          1_700_000_000_000 + Math.floor(number / atOnce) * 40 + this.#passed,
        ).toISOString(),
        logLine: text(number, kind),
        stream: 'stdout',
      });
      if (this.#subscribed === 'yes') this.#queue.push(number);
    }
  }

  #deliver(count: number, swap: number, again: number): void {
    if (!this.merge.isOpen) return;
    const batch = this.#queue.splice(0, count);
    if (this.#world.reorders) {
      const other = Math.min(batch.length - 1, swap);
      const [first] = batch;
      if (first !== undefined && other > 0) {
        batch[0] = batch[other] ?? first;
        batch[other] = first;
      }
      const double = this.#delivered.at(-1 - again);
      if (double !== undefined) batch.push(double);
    }
    this.#delivered.push(...batch);
    // Lines arrive singly and in batches.
    const cutAt = swap % Math.max(1, batch.length);
    for (const part of [batch.slice(0, cutAt), batch.slice(cutAt)]) {
      const lines = part.map((number) => this.record.streamed(number));
      if (lines.length === 0) continue;
      if (this.#world.asFrames === true) this.#arrival.ingest(framesOfLines(lines));
      else this.#step((merge) => merge.lines(lines.map(toRow)));
    }
  }

  #fail(request: PageRequest, why: 'passing' | 'final' | 'size'): void {
    this.#step((merge) => merge.failed(request, why));
  }

  #step(change: (merge: Log<LogLine>) => void): void {
    change(this.merge);
    this.#settle();
  }

  #settle(): void {
    this.sequence.trim((until, after) => {
      this.merge.forget(until, after);
      return this.merge.held.spans;
    });
    this.merge.ask();
    this.merge.takeInserted();
  }
}
