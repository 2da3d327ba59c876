import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { LogOwner, LogRun, Selection } from './run.ts';
import type {
  LogAnswer,
  LogBatch,
  DeploymentFrames,
  LogRequest,
  LogWorkerData,
} from './worker-messages.ts';

export interface LogWriterOptions {
  /** The database. */
  readonly file: string;
  /** Stored of each deployment; the oldest lines go first. */
  readonly bytesKept: number;
  /** The highest number that a deployment has had so far: logs of higher ones are not kept. */
  readonly newest: number;
  /** What the thread runs, instead of the log's own. */
  readonly program?: URL | undefined;
  /** Takes what goes wrong with the thread or the disk. */
  readonly onFailure: (error: unknown) => void;
}

export interface LogWriterEvents {
  /** Lines that are written now, for those who follow them. */
  written(frames: readonly DeploymentFrames[]): void;
  /** There is room for more, or none as long as the disk takes nothing. */
  changed(): void;
}

type Question = Exclude<LogRequest, LogBatch | { readonly kind: 'close' }>;

interface Asked {
  readonly question: Question;
  readonly answer: PromiseWithResolvers<Uint8Array<ArrayBuffer>>;
  attempts: number;
}

/** A batch that the thread has, or will be given. */
interface Flying {
  readonly batch: LogBatch;
  readonly length: number;
}

/** Bundled, the thread's file lies beside this one. */
const ownProgram = new URL(
  import.meta.url.endsWith('.ts') ? './log-worker.ts' : './log-worker.js',
  import.meta.url,
);

const retryMs = 1_000;

/** A question that ends the thread so many times is not asked again. */
const mostAttempts = 2;

/**
 * The thread that keeps log lines. Batches are written in their order; one that the disk does not
 * take is given again each second, and those behind it wait. A thread that dies is replaced, and
 * what it had not answered is given to the next one, which leaves out what was written all the same.
 */
export class LogWriter {
  readonly #options: LogWriterOptions;
  readonly #lasts = new Map<number, number>();
  readonly #flying: Flying[] = [];
  readonly #asked = new Map<number, Asked>();
  #events: LogWriterEvents | undefined;
  /** The last one that was started, and the same once it takes requests. */
  #thread: Worker | undefined;
  #worker: Worker | undefined;
  #isRefused = false;
  #isClosing = false;
  #length = 0;
  #nextBatch = 1;
  #nextQuestion = 1;
  /** Number of the last batch that the thread was given. */
  #posted = 0;
  #retry: NodeJS.Timeout | undefined;
  #onSettled: (() => void)[] = [];

  private constructor(options: LogWriterOptions) {
    this.#options = options;
  }

  /** Throws what keeps the database from being used. */
  static async open(options: LogWriterOptions): Promise<LogWriter> {
    const writer = new LogWriter(options);
    await writer.#start();
    return writer;
  }

  /** Whom it tells what happens. */
  listen(events: LogWriterEvents): void {
    this.#events = events;
  }

  /** By number of the deployment: the id of the last line that was written before this began. */
  get lasts(): ReadonlyMap<number, number> {
    return this.#lasts;
  }

  /** Batches that are not written yet. */
  get batches(): number {
    return this.#flying.length;
  }

  /** Characters of the lines that are not written yet. */
  get length(): number {
    return this.#length;
  }

  /** True while the disk takes nothing. */
  get isRefused(): boolean {
    return this.#isRefused;
  }

  append(runs: readonly LogRun[], followed: readonly LogOwner[]): void {
    const batch: LogBatch = { kind: 'append', number: this.#nextBatch, runs, followed };
    const length = runs.reduce((sum, { text }) => sum + text.length, 0);
    this.#nextBatch += 1;
    this.#flying.push({ batch, length });
    this.#length += length;
    this.#post();
  }

  /** The selected lines, newest first, as a JSON array. */
  fetch(owner: LogOwner, selection: Selection): Promise<Uint8Array> {
    return this.#ask((number) => ({ kind: 'fetch', number, owner, selection }));
  }

  /**
   * Continues logs behind these ids, whose lines were appended already, and has all of that on the
   * disk when it settles.
   */
  async finishMove(lasts: ReadonlyMap<number, number>): Promise<void> {
    await this.#ask((number) => ({ kind: 'moved', number, lasts }));
    for (const [deployment, last] of lasts) {
      this.#lasts.set(deployment, Math.max(last, this.#lasts.get(deployment) ?? 0));
    }
  }

  /** Settles when all is written, with true, or when the disk takes nothing, with false. */
  async settled(): Promise<boolean> {
    while (this.#flying.length > 0 && !this.#isRefused) {
      await new Promise<void>((resolve) => this.#onSettled.push(resolve));
    }
    return this.#flying.length === 0;
  }

  /** Ends the thread. What is not written by then is lost. */
  async close(): Promise<void> {
    this.#isClosing = true;
    clearTimeout(this.#retry);
    const worker = this.#worker;
    if (worker === undefined) {
      await this.#thread?.terminate();
    } else {
      const ended = once(worker, 'exit');
      give(worker, { kind: 'close' });
      await ended;
    }
    this.#rejectAll(new Error('the host ends'));
  }

  async #start(): Promise<void> {
    const { file, bytesKept, program = ownProgram } = this.#options;
    // Those that come after the first start have logs by now.
    const newest = this.#thread === undefined ? this.#options.newest : undefined;
    const next = this.#flying[0]?.batch.number ?? this.#nextBatch;
    const workerData: LogWorkerData = { file, bytesKept, newest, next };
    const worker = new Worker(program, { workerData, execArgv: [] });
    this.#thread = worker;
    const ready = Promise.withResolvers<void>();
    let failure: unknown = new Error('the thread of the logs ended');
    worker.on('error', (error) => {
      failure = error;
    });
    worker.on('message', (answer: LogAnswer) => {
      if (answer.kind === 'unusable') failure = new Error(answer.message);
      else if (answer.kind !== 'ready') this.#take(answer);
      else {
        this.#begin(worker, next, answer.lasts);
        ready.resolve();
      }
    });
    worker.on('exit', () => {
      ready.reject(failure);
      if (this.#worker !== worker) return;
      this.#worker = undefined;
      if (!this.#isClosing) this.#replace(failure);
    });
    await ready.promise;
  }

  #begin(worker: Worker, next: number, lasts: ReadonlyMap<number, number>) {
    this.#worker = worker;
    this.#isRefused = false;
    this.#posted = next - 1;
    // Later on the ids are counted by those who give them.
    if (next === 1) for (const [deployment, last] of lasts) this.#lasts.set(deployment, last);
    this.#post();
    for (const [number, asked] of this.#asked) this.#put(number, asked);
    this.#events?.changed();
  }

  #replace(failure: unknown) {
    this.#options.onFailure(failure);
    this.#start().catch((error: unknown) => {
      if (this.#isClosing) return;
      this.#rejectAll(error);
      this.#refuse();
      this.#retry = setTimeout(() => {
        this.#replace(error);
      }, retryMs);
    });
  }

  #take(answer: Exclude<LogAnswer, { readonly kind: 'ready' | 'unusable' }>) {
    switch (answer.kind) {
      case 'written':
        this.#length -= this.#flying.shift()?.length ?? 0;
        this.#isRefused = false;
        this.#post();
        this.#events?.written(answer.frames);
        this.#tell();
        break;
      case 'refused': {
        const [first] = this.#flying;
        if (answer.number !== first?.batch.number) return;
        if (!this.#isRefused) this.#options.onFailure(new Error(answer.message));
        this.#refuse();
        this.#retry = setTimeout(() => {
          if (this.#worker !== undefined) give(this.#worker, first.batch);
        }, retryMs);
        this.#posted = first.batch.number;
        break;
      }
      case 'answer':
        this.#asked.get(answer.number)?.answer.resolve(answer.json);
        this.#asked.delete(answer.number);
        break;
      case 'failed':
        this.#asked.get(answer.number)?.answer.reject(new Error(answer.message));
        this.#asked.delete(answer.number);
        break;
    }
  }

  #refuse() {
    this.#isRefused = true;
    this.#tell();
  }

  #tell() {
    this.#events?.changed();
    for (const resolve of this.#onSettled.splice(0)) resolve();
  }

  /** Gives the thread what it does not have yet; one that was refused goes before all others. */
  #post() {
    if (this.#worker === undefined || this.#isRefused) return;
    for (const { batch } of this.#flying) {
      if (batch.number <= this.#posted) continue;
      give(this.#worker, batch);
      this.#posted = batch.number;
    }
  }

  #ask(question: (number: number) => Question): Promise<Uint8Array<ArrayBuffer>> {
    const number = this.#nextQuestion;
    this.#nextQuestion += 1;
    const answer = Promise.withResolvers<Uint8Array<ArrayBuffer>>();
    const asked = { question: question(number), answer, attempts: 0 };
    this.#asked.set(number, asked);
    this.#put(number, asked);
    return answer.promise;
  }

  #rejectAll(error: unknown) {
    for (const { answer } of this.#asked.values()) answer.reject(error);
    this.#asked.clear();
  }

  #put(number: number, asked: Asked) {
    if (asked.attempts === mostAttempts) {
      this.#asked.delete(number);
      asked.answer.reject(new Error('the thread of the logs ended while it answered this'));
    } else if (this.#worker !== undefined) {
      asked.attempts += 1;
      give(this.#worker, asked.question);
    }
  }
}

function give(worker: Worker, request: LogRequest) {
  worker.postMessage(request, []);
}
