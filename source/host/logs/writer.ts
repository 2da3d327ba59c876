import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { LogOwner, LogRun, LogSelection, StoredCursor } from './run.ts';
import type {
  LogAnswer,
  LogBatch,
  LogRequest,
  LogWorkerData,
  WorkerReady,
  DeploymentFrames,
} from './worker-messages.ts';
import type { LogLimits } from './retention.ts';

/** A batch that is not written yet. */
interface UnwrittenBatch {
  readonly batch: LogBatch;
  readonly length: number;
}

/** In a bundle, the worker's file is beside this one. */
const defaultProgram = new URL(
  import.meta.url.endsWith('.ts') ? './log-worker.ts' : './log-worker.js',
  import.meta.url,
);

const retryMs = 1_000;

/**
 * Writes and reads log lines through a worker thread. Batches are written in order; one that the
 * disk refuses is retried each second while later ones wait. A worker that dies is replaced, and
 * unanswered requests are sent to the new one, which skips runs that are stored already.
 */
export class LogWriter {
  readonly #options: LogWriterOptions;
  readonly #lasts = new Map<number, number>();
  readonly #cursors = new Map<string, StoredCursor>();
  readonly #unwritten: UnwrittenBatch[] = [];
  readonly #requests = new WorkerRequests((request) => {
    if (this.#worker !== undefined) send(this.#worker, request);
    return this.#worker !== undefined;
  });
  #events: LogWriterEvents | undefined;
  /** The worker that was started last; `#worker` is the same once it handles requests. */
  #startedWorker: Worker | undefined;
  #worker: Worker | undefined;
  #isRefused = false;
  #isClosing = false;
  #length = 0;
  #nextBatch = 1;
  /** Number of the last batch that was sent to the worker. */
  #lastSent = 0;
  #retry: NodeJS.Timeout | undefined;
  #onSettled: (() => void)[] = [];

  private constructor(options: LogWriterOptions) {
    this.#options = options;
  }

  /** Starts the worker. Rejects when it can't use the database. */
  static async open(options: LogWriterOptions): Promise<LogWriter> {
    const writer = new LogWriter(options);
    await writer.#start();
    return writer;
  }

  /** Sets the receiver of events. */
  listen(events: LogWriterEvents): void {
    this.#events = events;
  }

  /** Ids of the last lines that were stored before the start, by the deployment's number. */
  get lasts(): ReadonlyMap<number, number> {
    return this.#lasts;
  }

  /** Places that were stored before the start, by the source of the lines. */
  get cursors(): ReadonlyMap<string, StoredCursor> {
    return this.#cursors;
  }

  /**
   * Number of the first batch that a request from now on doesn't return: the next one, or while the
   * disk refuses writes the first one that is not written.
   */
  get firstUnread(): number {
    const refused = this.#isRefused ? this.#unwritten[0] : undefined;
    return refused?.batch.number ?? this.#nextBatch;
  }

  /** Number of batches that are not written yet. */
  get batches(): number {
    return this.#unwritten.length;
  }

  /** Number of characters of the lines that are not written yet. */
  get length(): number {
    return this.#length;
  }

  /** True while the disk refuses writes. */
  get isRefused(): boolean {
    return this.#isRefused;
  }

  append(runs: readonly LogRun[], followed: readonly LogOwner[]): void {
    const batch: LogBatch = { kind: 'append', number: this.#nextBatch, runs, subscribed: followed };
    const length = runs.reduce((sum, { text }) => sum + text.length, 0);
    this.#nextBatch += 1;
    this.#unwritten.push({ batch, length });
    this.#length += length;
    this.#sendBatches();
  }

  /** Resolves with the selected lines, newest first, as a JSON array. */
  fetch(owner: LogOwner, selection: LogSelection): Promise<Uint8Array> {
    return this.#requests.request((number) => ({ kind: 'fetch', number, owner, selection }));
  }

  /**
   * Completes a move of lines that were appended with these last ids. Resolves once all is synced
   * to the disk.
   */
  async finishMove(lasts: ReadonlyMap<number, number>): Promise<void> {
    await this.#requests.request((number) => ({ kind: 'moved', number, lasts }));
    for (const [deployment, last] of lasts) {
      this.#lasts.set(deployment, Math.max(last, this.#lasts.get(deployment) ?? 0));
    }
  }

  /** Removes the logs of deployments that write no more. Resolves once that is synced to the disk. */
  async remove(deployments: readonly number[]): Promise<void> {
    await this.#requests.request((number) => ({ kind: 'remove', number, deployments }));
  }

  /** Forgets how far sources were read. Resolves once that is stored. */
  async forget(sources: readonly string[]): Promise<void> {
    for (const source of sources) this.#cursors.delete(source);
    await this.#requests.request((number) => ({ kind: 'forget', number, sources }));
  }

  /** Copies the database with all written lines to a new file. */
  async copyTo(file: string): Promise<void> {
    await this.#requests.request((number) => ({ kind: 'copy', number, file }));
  }

  /**
   * Resolves with true when all that was appended before is written, with false when the disk refuses
   * writes.
   */
  async flush(): Promise<boolean> {
    const next = this.#nextBatch;
    const isWritten = () => (this.#unwritten[0]?.batch.number ?? next) >= next;
    while (!isWritten() && !this.#isRefused) {
      await new Promise<void>((resolve) => this.#onSettled.push(resolve));
    }
    return isWritten();
  }

  /** Ends the worker. Unwritten lines are lost. */
  async close(): Promise<void> {
    this.#isClosing = true;
    clearTimeout(this.#retry);
    const worker = this.#worker;
    if (worker === undefined) {
      await this.#startedWorker?.terminate();
    } else {
      const ended = once(worker, 'exit');
      send(worker, { kind: 'close' });
      await ended;
    }
    this.#requests.rejectAll(new Error('the host is shutting down'));
  }

  async #start(): Promise<void> {
    const { file, limits, program = defaultProgram } = this.#options;
    // After the first start, newer deployments have valid logs.
    const newest = this.#startedWorker === undefined ? this.#options.newestDeployment : undefined;
    const next = this.#unwritten[0]?.batch.number ?? this.#nextBatch;
    const workerData: LogWorkerData = {
      file,
      limits,
      newestDeployment: newest,
      nextBatch: next,
    };
    const worker = new Worker(program, { workerData, execArgv: [] });
    this.#startedWorker = worker;
    const ready = Promise.withResolvers<void>();
    let failure: unknown = new Error('the log worker ended');
    worker.on('error', (error) => {
      failure = error;
    });
    worker.on('message', (answer: LogAnswer) => {
      if (answer.kind === 'unusable') {
        failure = Object.assign(new Error(answer.message), { errcode: answer.errcode });
      } else if (answer.kind !== 'ready') this.#handle(answer);
      else {
        this.#activate(worker, next, answer);
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

  #activate(worker: Worker, next: number, { lasts, cursors }: WorkerReady) {
    this.#worker = worker;
    this.#isRefused = false;
    this.#lastSent = next - 1;
    // After the first start, `HostLogs` counts the ids.
    if (next === 1) {
      for (const [deployment, last] of lasts) this.#lasts.set(deployment, last);
      for (const [source, cursor] of cursors) this.#cursors.set(source, cursor);
    }
    this.#sendBatches();
    this.#requests.sendAgain();
    this.#events?.changed();
  }

  #replace(failure: unknown) {
    this.#options.onFailure(failure);
    this.#start().catch((error: unknown) => {
      if (this.#isClosing) return;
      this.#requests.rejectAll(error);
      this.#refuse();
      this.#retry = setTimeout(() => {
        this.#replace(error);
      }, retryMs);
    });
  }

  #handle(answer: Exclude<LogAnswer, { readonly kind: 'ready' | 'unusable' }>) {
    switch (answer.kind) {
      case 'written':
        this.#length -= this.#unwritten.shift()?.length ?? 0;
        this.#isRefused = false;
        this.#sendBatches();
        this.#events?.written(answer.number, answer.frames);
        this.#notify();
        break;
      case 'refused': {
        const [first] = this.#unwritten;
        if (answer.number !== first?.batch.number) return;
        if (!this.#isRefused) this.#options.onFailure(new Error(answer.message));
        this.#refuse();
        this.#retry = setTimeout(() => {
          if (this.#worker !== undefined) send(this.#worker, first.batch);
        }, retryMs);
        this.#lastSent = first.batch.number;
        break;
      }
      case 'answer':
      case 'failed':
        this.#requests.settle(answer);
        break;
    }
  }

  #refuse() {
    this.#isRefused = true;
    this.#notify();
  }

  #notify() {
    this.#events?.changed();
    for (const resolve of this.#onSettled.splice(0)) resolve();
  }

  /** Sends the batches that the worker does not have yet; while one is refused, none. */
  #sendBatches() {
    if (this.#worker === undefined || this.#isRefused) return;
    for (const { batch } of this.#unwritten) {
      if (batch.number <= this.#lastSent) continue;
      send(this.#worker, batch);
      this.#lastSent = batch.number;
    }
  }
}

function send(worker: Worker, request: LogRequest) {
  worker.postMessage(request, []);
}

interface LogWriterOptions {
  /** Path of the database. */
  readonly file: string;
  readonly limits: LogLimits;
  /** Highest number of a deployment so far; logs with a higher one are removed. */
  readonly newestDeployment: number;
  /** Program of the worker; the log worker by default. */
  readonly program?: URL | undefined;
  /** Receives errors of the worker and of the disk. */
  readonly onFailure: (error: unknown) => void;
}

interface LogWriterEvents {
  /** Called after a batch was written, with its number and the frames for subscribers. */
  written(batch: number, frames: readonly DeploymentFrames[]): void;
  /** Called when the writer accepts more, or when the disk begins to refuse writes. */
  changed(): void;
}

type ReadRequest = Exclude<LogRequest, LogBatch | { readonly kind: 'close' }>;

type RequestAnswer = Extract<LogAnswer, { readonly kind: 'answer' | 'failed' }>;

interface PendingRequest {
  readonly request: ReadRequest;
  readonly answer: PromiseWithResolvers<Uint8Array<ArrayBuffer>>;
  attempts: number;
}

/** Most attempts of a request; a worker that dies may have been ended by it. */
const maxAttempts = 2;

/** The requests that the log worker has not answered. */
class WorkerRequests {
  readonly #pending = new Map<number, PendingRequest>();
  readonly #send: (request: ReadRequest) => boolean;
  #next = 1;

  /** @param send Passes a request to the worker; returns false while there is none. */
  constructor(send: (request: ReadRequest) => boolean) {
    this.#send = send;
  }

  /** Resolves with the answer. @param create Creates the request with its number. */
  request(create: (number: number) => ReadRequest): Promise<Uint8Array<ArrayBuffer>> {
    const number = this.#next;
    this.#next += 1;
    const answer = Promise.withResolvers<Uint8Array<ArrayBuffer>>();
    const pending = { request: create(number), answer, attempts: 0 };
    this.#pending.set(number, pending);
    this.#attempt(number, pending);
    return answer.promise;
  }

  settle(answer: RequestAnswer): void {
    const pending = this.#pending.get(answer.number)?.answer;
    this.#pending.delete(answer.number);
    if (answer.kind === 'answer') pending?.resolve(answer.json);
    else pending?.reject(new Error(answer.message));
  }

  /** Sends all requests to a new worker. */
  sendAgain(): void {
    for (const [number, pending] of this.#pending) this.#attempt(number, pending);
  }

  rejectAll(error: unknown): void {
    for (const { answer } of this.#pending.values()) answer.reject(error);
    this.#pending.clear();
  }

  #attempt(number: number, pending: PendingRequest) {
    if (pending.attempts === maxAttempts) {
      this.#pending.delete(number);
      pending.answer.reject(new Error('the log worker ended during this request'));
    } else if (this.#send(pending.request)) {
      pending.attempts += 1;
    }
  }
}
