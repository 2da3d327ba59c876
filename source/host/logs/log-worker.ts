/** The worker thread that stores log lines, reads them, and removes the oldest ones. */
import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { encodeFrames } from './frames.ts';
import { StoredLogReader } from './reader.ts';
import { LogRetention } from './retention.ts';
import type { LogRun } from './run.ts';
import { LogStore } from './store.ts';
import type {
  LogAnswer,
  LogBatch,
  DeploymentFrames,
  LogRequest,
  LogWorkerData,
} from './worker-messages.ts';

/** Sources that are forgotten in one transaction. */
const sourcesASlice = 500;

class LogWorker {
  readonly #port: MessagePort;
  readonly #store: LogStore;
  readonly #reader: StoredLogReader;
  readonly #retention: LogRetention;
  #nextBatch: number;
  #isTrimScheduled = false;
  #isClosed = false;

  constructor(port: MessagePort, { file, limits, newestDeployment, nextBatch }: LogWorkerData) {
    this.#port = port;
    this.#store = new LogStore(file);
    // After the loss of the records, new deployments reuse the numbers of these logs.
    if (newestDeployment !== undefined) this.#store.removeLogsAfter(newestDeployment);
    this.#reader = new StoredLogReader(this.#store);
    this.#retention = new LogRetention(this.#store, limits);
    this.#nextBatch = nextBatch;
  }

  /** Reports the last line ids, and handles requests from now on. */
  begin(): void {
    const lasts = new Map([...this.#store.ends].map(([number, { lastId }]) => [number, lastId]));
    this.#post({ kind: 'ready', lasts, cursors: this.#store.readCursors() });
    this.#port.on('message', (request: LogRequest) => {
      this.#handle(request);
    });
    this.#retention.markFull(this.#store.ends.keys());
    this.#scheduleTrim();
  }

  #handle(request: LogRequest) {
    switch (request.kind) {
      case 'append':
        this.#append(request);
        break;
      case 'fetch':
        void this.#reply(request.number, () =>
          this.#reader.fetch(request.owner, request.selection),
        );
        break;
      case 'moved':
        void this.#reply(request.number, async () => {
          this.#store.continueAfter(request.lasts);
          this.#store.sync();
          return new Uint8Array();
        });
        break;
      case 'remove':
        void this.#reply(request.number, () => this.#remove(request.deployments));
        break;
      case 'forget':
        void this.#reply(request.number, () => this.#forget(request.sources));
        break;
      case 'copy':
        void this.#reply(request.number, async () => {
          await this.#store.copyTo(request.file);
          return new Uint8Array();
        });
        break;
      case 'close':
        this.#isClosed = true;
        this.#store.close();
        this.#port.close();
        break;
    }
  }

  /** Writes batches in the order of their numbers; after a refused one, only that one again. */
  #append({ number, runs, subscribed }: LogBatch) {
    if (number !== this.#nextBatch) {
      this.#post({ kind: 'refused', number, message: 'an earlier batch was refused' });
      return;
    }
    try {
      this.#store.append(runs);
    } catch (error) {
      this.#post({ kind: 'refused', number, message: messageOf(error) });
      return;
    }
    this.#nextBatch += 1;
    const byDeployment = Map.groupBy(runs, (run: LogRun) => run.deployment);
    const frames = subscribed.map((owner): DeploymentFrames => {
      const bytes = encodeFrames(owner.id, byDeployment.get(owner.number) ?? []);
      return { deployment: owner.number, bytes };
    });
    this.#post(
      { kind: 'written', number, frames },
      frames.map(({ bytes }) => bytes.buffer),
    );
    this.#retention.markFull(byDeployment.keys());
    this.#scheduleTrim();
  }

  async #reply(number: number, work: () => Promise<Uint8Array<ArrayBuffer>>): Promise<void> {
    try {
      const json = await work();
      this.#post({ kind: 'answer', number, json }, [json.buffer]);
    } catch (error) {
      this.#post({ kind: 'failed', number, message: messageOf(error) });
    }
  }

  /** Removes logs one slice at a time, between requests. */
  async #remove(deployments: readonly number[]): Promise<Uint8Array<ArrayBuffer>> {
    for (const deployment of deployments) {
      while (!this.#isClosed && this.#retention.remove(deployment)) {
        await new Promise((resolve) => setImmediate(resolve));
      }
    }
    if (this.#isClosed) throw new Error('the host is shutting down');
    this.#store.sync();
    this.#scheduleTrim();
    return new Uint8Array();
  }

  /** Forgets sources one slice at a time, between requests. */
  async #forget(sources: readonly string[]): Promise<Uint8Array<ArrayBuffer>> {
    for (let first = 0; first < sources.length && !this.#isClosed; first += sourcesASlice) {
      this.#store.removeCursors(sources.slice(first, first + sourcesASlice));
      await new Promise((resolve) => setImmediate(resolve));
    }
    return new Uint8Array();
  }

  /** Trims logs one slice at a time, between requests. */
  #scheduleTrim() {
    if (this.#isTrimScheduled) return;
    this.#isTrimScheduled = true;
    setImmediate(() => {
      this.#isTrimScheduled = false;
      if (!this.#isClosed && this.#trim()) this.#scheduleTrim();
    });
  }

  /** Trims one slice. Returns true when there is more to trim. */
  #trim(): boolean {
    try {
      return this.#retention.trim();
    } catch {
      // No line is lost; the next batch tries again.
      return false;
    }
  }

  #post(answer: LogAnswer, transferred: ArrayBuffer[] = []) {
    this.#port.postMessage(answer, transferred);
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

const port = parentPort;
if (port === null) throw new Error('this module must run as a worker');
try {
  new LogWorker(port, workerData as LogWorkerData).begin();
} catch (error) {
  const errcode = error instanceof Error && 'errcode' in error ? Number(error.errcode) : undefined;
  port.postMessage({ kind: 'unusable', message: messageOf(error), errcode } satisfies LogAnswer);
  port.close();
}
