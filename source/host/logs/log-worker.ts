/** The thread that stores log lines, finds them again and lets the oldest go. */
import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { framesOf } from './frames.ts';
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

class LogWorker {
  readonly #port: MessagePort;
  readonly #store: LogStore;
  readonly #reader: StoredLogReader;
  readonly #retention: LogRetention;
  #next: number;
  #isTidying = false;
  #isClosed = false;

  constructor(port: MessagePort, { file, bytesKept, newest, next }: LogWorkerData) {
    this.#port = port;
    this.#store = new LogStore(file);
    // Where the records were lost or taken away, these are not the logs of what comes.
    if (newest !== undefined) this.#store.forgetAfter(newest);
    this.#reader = new StoredLogReader(this.#store);
    this.#retention = new LogRetention(this.#store, bytesKept);
    this.#next = next;
  }

  /** Takes requests from now on. */
  begin(): void {
    const lasts = new Map([...this.#store.ends].map(([number, { last }]) => [number, last]));
    this.#answer({ kind: 'ready', lasts });
    this.#port.on('message', (request: LogRequest) => {
      this.#take(request);
    });
    this.#retention.look(this.#store.ends.keys());
    this.#tidy();
  }

  #take(request: LogRequest) {
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
      case 'close':
        this.#isClosed = true;
        this.#store.close();
        this.#port.close();
        break;
    }
  }

  /** Batches are written in the order of their numbers: after a refused one only that one again. */
  #append({ number, runs, followed }: LogBatch) {
    if (number !== this.#next) {
      this.#answer({ kind: 'refused', number, message: 'an earlier batch was refused' });
      return;
    }
    try {
      this.#store.append(runs);
    } catch (error) {
      this.#answer({ kind: 'refused', number, message: messageOf(error) });
      return;
    }
    this.#next += 1;
    const byDeployment = Map.groupBy(runs, (run: LogRun) => run.deployment);
    const frames = followed.map((owner): DeploymentFrames => {
      const bytes = framesOf(owner.id, byDeployment.get(owner.number) ?? []);
      return { deployment: owner.number, bytes };
    });
    this.#answer(
      { kind: 'written', number, frames },
      frames.map(({ bytes }) => bytes.buffer),
    );
    this.#retention.look(byDeployment.keys());
    this.#tidy();
  }

  async #reply(number: number, work: () => Promise<Uint8Array<ArrayBuffer>>): Promise<void> {
    try {
      const json = await work();
      this.#answer({ kind: 'answer', number, json }, [json.buffer]);
    } catch (error) {
      this.#answer({ kind: 'failed', number, message: messageOf(error) });
    }
  }

  /** Makes room a slice at a time, between what is asked for. */
  #tidy() {
    if (this.#isTidying) return;
    this.#isTidying = true;
    setImmediate(() => {
      this.#isTidying = false;
      if (!this.#isClosed && this.#tidyOnce()) this.#tidy();
    });
  }

  /** True when there is more to do. */
  #tidyOnce(): boolean {
    try {
      return this.#retention.tidy();
    } catch {
      // The lines themselves are safe; after the next batch it is tried again.
      return false;
    }
  }

  #answer(answer: LogAnswer, transferred: ArrayBuffer[] = []) {
    this.#port.postMessage(answer, transferred);
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

const port = parentPort;
if (port === null) throw new Error('this runs as a worker');
try {
  new LogWorker(port, workerData as LogWorkerData).begin();
} catch (error) {
  port.postMessage({ kind: 'unusable', message: messageOf(error) } satisfies LogAnswer);
  port.close();
}
