import { eventStream } from '../../contract/event-lines.ts';
import type { HostClock } from '../clock.ts';
import type { LogOwner, LogRun, LogSelection, OutputLine, StoredCursor, TimedLine } from './run.ts';
import type { DeploymentFrames } from './worker-messages.ts';
import type { LogWriter } from './writer.ts';

export interface LogParts {
  readonly writer: LogWriter;
  readonly clock: HostClock;
  /** Longest backlog of a subscriber, in bytes. */
  readonly backlogBytes: number;
}

/** Longest delay of a line while a batch is collected. */
const batchDelayMs = 15;

/** Most lines, and characters, of a batch. */
const maxBatch = { lines: 4_000, length: 512 * 1024 };

/** Most batches that are being written while the next one is collected. */
const maxBatchesInFlight = 2;

/** Characters of lines in memory that cause backpressure. */
const backpressureLength = 2 * 1024 * 1024;

/** Most characters of lines in memory while the disk refuses writes; further lines are lost. */
const maxRefusedLength = 32 * 1024 * 1024;

/**
 * The logs of all deployments. A line gets its id when its batch goes to the writer, and is
 * delivered once it is written: an id that a client has seen is in the store even after the host
 * was killed, and is never reused.
 */
export class HostLogs {
  readonly #parts: LogParts;
  readonly #lastIds: Map<number, number>;
  /** Subscribers by deployment, each with the number of the first batch that it gets. */
  readonly #subscribers = new Map<number, Map<Subscriber, number>>();
  #pending: PendingRun[] = [];
  /** Size of the pending runs. */
  #pendingSize = { lines: 0, length: 0 };
  readonly #lost = new LostLines();
  #timer: NodeJS.Timeout | undefined;
  #isDue = false;
  #backpressure: PromiseWithResolvers<void> | undefined;

  constructor(parts: LogParts) {
    this.#parts = parts;
    this.#lastIds = new Map(parts.writer.lasts);
    parts.writer.listen({
      written: (batch, frames) => {
        for (const each of frames) this.#deliver(batch, each);
      },
      changed: () => {
        this.#continue();
      },
    });
  }

  /**
   * Appends lines. Returns a promise for backpressure: append no more before it settles.
   *
   * @param instance number of the service's instance, from 1; undefined when there is only one.
   */
  append(
    owner: LogOwner,
    service: string,
    stream: string,
    lines: readonly OutputLine[],
    instance?: number,
  ): Promise<void> | undefined {
    const at = this.#parts.clock.now();
    for (const { count, text, partial } of divideIntoRuns(lines)) {
      this.#enqueue({ owner, service, stream, instance, at, count, partial, text });
    }
    return this.#writeSoon();
  }

  /**
   * Appends lines of a source that can be read again, with the times that it has for them. Returns a
   * promise for backpressure.
   */
  appendTimed(
    owner: LogOwner,
    service: string,
    stream: string,
    lines: readonly TimedLine[],
    { source, instance }: { readonly source: string; readonly instance?: number | undefined },
  ): Promise<void> | undefined {
    const byTime = Map.groupBy(lines, ({ at }) => Date.parse(at));
    for (const [at, same] of byTime) {
      const runs = [...divideIntoRuns(same.map(({ line }) => line))];
      const end = { source, at: same.at(-1)?.at ?? '' };
      for (const [index, run] of runs.entries()) {
        const cursor = index === runs.length - 1 ? end : undefined;
        this.#enqueue({ owner, service, stream, instance, at, cursor, ...run });
      }
    }
    return this.#writeSoon();
  }

  /** Returns the newest time that was stored of a source before the start; undefined for none. */
  cursor(source: string): string | undefined {
    return this.cursors.get(source)?.at;
  }

  /** Places that were stored before the start, by source, but for those that were forgotten since. */
  get cursors(): ReadonlyMap<string, StoredCursor> {
    return this.#parts.writer.cursors;
  }

  /** Forgets the cursors of sources that will never be read again. */
  forget(sources: readonly string[]): void {
    this.#writeAll();
    // A later host forgets them otherwise.
    this.#parts.writer.forget(sources).catch(() => undefined);
  }

  /** Appends a line of the host about a service to the stream `system`. */
  event(owner: LogOwner, service: string, text: string, instance?: number): void {
    void this.append(owner, service, eventStream, [text], instance);
  }

  /** Resolves with the selected lines, including pending ones, as a JSON array, newest first. */
  async fetch(owner: LogOwner, selection: LogSelection): Promise<Uint8Array> {
    this.#writeAll();
    return await this.#parts.writer.fetch(owner, selection);
  }

  /** Delivers every line written from now on, until the returned function is called. */
  subscribe(owner: LogOwner, subscriber: Subscriber): () => void {
    // Pending lines and batches on their way are older than the subscription: the client fetches
    // them. It gets none of these batches, because those that nobody followed have no frames.
    this.#writeAll();
    const subscribers = this.#subscribers.get(owner.number) ?? new Map<Subscriber, number>();
    subscribers.set(subscriber, this.#parts.writer.firstUnread);
    this.#subscribers.set(owner.number, subscribers);
    return () => {
      subscribers.delete(subscriber);
      if (subscribers.size === 0 && this.#subscribers.get(owner.number) === subscribers) {
        this.#subscribers.delete(owner.number);
      }
    };
  }

  /** Ends all subscriptions of a deployment after all its lines are delivered. */
  async end(owner: LogOwner): Promise<void> {
    const subscribers = this.#subscribers.get(owner.number);
    if (subscribers === undefined) return;
    await this.flush();
    if (this.#subscribers.get(owner.number) === subscribers) {
      this.#subscribers.delete(owner.number);
    }
    for (const subscriber of subscribers.keys()) subscriber.end();
  }

  /**
   * Removes the logs of deployments that write no more. Rejects while the disk refuses lines, which
   * may be theirs.
   */
  async remove(owners: readonly LogOwner[]): Promise<void> {
    await this.#assertWritten();
    const numbers = owners.map(({ number }) => number);
    await this.#parts.writer.remove(numbers);
    for (const number of numbers) this.#lastIds.delete(number);
  }

  /** Copies all logs with the lines so far to a new file. Rejects while the disk refuses lines. */
  async copyTo(file: string): Promise<void> {
    await this.#assertWritten();
    await this.#parts.writer.copyTo(file);
  }

  /** Resolves when all pending lines are written and delivered, or the disk refuses them. */
  async flush(): Promise<void> {
    this.#writeAll();
    await this.#parts.writer.flush();
  }

  /** Flushes pending lines and closes the writer. */
  async close(): Promise<void> {
    await this.flush();
    clearTimeout(this.#timer);
    await this.#parts.writer.close();
  }

  /** Resolves when all lines so far are written; rejects when the disk refuses them. */
  async #assertWritten(): Promise<void> {
    this.#writeAll();
    if (this.#pending.length > 0 || !(await this.#parts.writer.flush())) {
      throw new Error('The disk refuses log lines. Free some space, then try again.');
    }
  }

  /** Collects a batch. Returns a promise when no more lines may come before it settles. */
  #writeSoon(): Promise<void> | undefined {
    this.#write();
    if (this.#pending.length > 0) {
      this.#timer ??= setTimeout(() => {
        this.#writeWhenReady();
      }, batchDelayMs);
    }
    if (this.#hasRoom(backpressureLength)) return undefined;
    this.#backpressure ??= Promise.withResolvers();
    return this.#backpressure.promise;
  }

  /** Writes all pending lines as soon as the writer accepts them. */
  #writeWhenReady() {
    this.#isDue = true;
    this.#write();
  }

  /** Passes all pending lines to the writer, so that they precede its next request. */
  #writeAll() {
    while (this.#pending.length > 0 && !this.#parts.writer.isRefused) this.#writeBatch();
  }

  #write() {
    const { writer } = this.#parts;
    const isBatchFull = () =>
      this.#pendingSize.lines >= maxBatch.lines || this.#pendingSize.length >= maxBatch.length;
    while (
      this.#pending.length > 0 &&
      (this.#isDue || isBatchFull()) &&
      writer.batches < maxBatchesInFlight &&
      !writer.isRefused
    ) {
      this.#writeBatch();
    }
  }

  /** Assigns ids to the oldest pending lines and passes them to the writer as a batch. */
  #writeBatch() {
    const runs: LogRun[] = [];
    const owners = new Map<number, LogOwner>();
    const size = { lines: 0, length: 0 };
    for (const { owner, ...run } of this.#pending) {
      const last = this.#lastIds.get(owner.number) ?? 0;
      this.#lastIds.set(owner.number, last + run.count);
      runs.push({ deployment: owner.number, first: last + 1, ...run });
      owners.set(owner.number, owner);
      size.lines += run.count;
      size.length += run.text.length;
      if (size.lines >= maxBatch.lines || size.length >= maxBatch.length) break;
    }
    this.#pending.splice(0, runs.length);
    this.#pendingSize.lines -= size.lines;
    this.#pendingSize.length -= size.length;
    if (this.#pending.length === 0) {
      this.#isDue = false;
      clearTimeout(this.#timer);
      this.#timer = undefined;
    }
    const followed = [...owners.values()].filter(({ number }) => this.#subscribers.has(number));
    this.#parts.writer.append(runs, followed);
  }

  /** Continues after a batch was written or refused. */
  #continue() {
    if (!this.#parts.writer.isRefused) for (const run of this.#lost.take()) this.#enqueue(run);
    this.#write();
    // A full disk causes no backpressure: services go on, and lines are lost in the end.
    if (!this.#parts.writer.isRefused && !this.#hasRoom(backpressureLength / 2)) return;
    this.#backpressure?.resolve();
    this.#backpressure = undefined;
  }

  #hasRoom(maxLength: number): boolean {
    const { writer } = this.#parts;
    return writer.isRefused || this.#pendingSize.length + writer.length <= maxLength;
  }

  #enqueue(run: PendingRun) {
    const { writer } = this.#parts;
    if (!writer.isRefused || this.#pendingSize.length + writer.length < maxRefusedLength) {
      this.#pending.push(run);
      this.#pendingSize.lines += run.count;
      this.#pendingSize.length += run.text.length;
      return;
    }
    this.#lost.add(run);
  }

  #deliver(batch: number, { deployment, bytes }: DeploymentFrames) {
    const subscribers = this.#subscribers.get(deployment) ?? [];
    for (const [subscriber, first] of subscribers) {
      if (batch < first) continue;
      if (subscriber.backlog() > this.#parts.backlogBytes) {
        this.#subscribers.get(deployment)?.delete(subscriber);
        subscriber.drop();
      } else {
        subscriber.send(bytes);
      }
    }
  }
}

/** Most lines, and characters, of a run. */
const maxRun = { lines: 1_000, length: 16 * 1024 };

type LineRun = Pick<LogRun, 'count' | 'text' | 'partial'>;

/** Divides lines into runs of a size that suits storing and searching; a cut line is one of its own. */
function* divideIntoRuns(lines: readonly OutputLine[]): Generator<LineRun> {
  let texts: string[] = [];
  let length = 0;
  const take = (): LineRun => {
    const run = { count: texts.length, text: texts.join('\n'), partial: undefined };
    texts = [];
    length = 0;
    return run;
  };
  for (const line of lines) {
    if (typeof line !== 'string') {
      if (texts.length > 0) yield take();
      yield { count: 1, text: line.text, partial: true };
      continue;
    }
    texts.push(line);
    length += line.length + 1;
    if (texts.length >= maxRun.lines || length >= maxRun.length) yield take();
  }
  if (texts.length > 0) yield take();
}

/** Lines without ids yet. */
interface PendingRun extends Omit<LogRun, 'deployment' | 'first'> {
  readonly owner: LogOwner;
}

/** Counts the lines that a full disk refuses, by service of a deployment, until the loss is logged. */
class LostLines {
  readonly #lost = new Map<string, { readonly run: PendingRun; count: number }>();

  add(run: PendingRun): void {
    const key = `${run.owner.number} ${run.service}`;
    const loss = this.#lost.get(key) ?? { run, count: 0 };
    loss.count += run.count;
    this.#lost.set(key, loss);
  }

  /** Returns a line for the log of each service that has lost some, and counts anew. */
  take(): readonly PendingRun[] {
    const losses = [...this.#lost.values()];
    this.#lost.clear();
    return losses.map(({ run: { owner, service, at }, count }) => {
      const text = `${count} lines were lost here: they couldn't be written to disk`;
      return { owner, service, stream: eventStream, at, count: 1, text };
    });
  }
}

/** A client that follows the lines of a deployment. */
interface Subscriber {
  /** Sends complete WebSocket frames, each a contract message as JSON. */
  send(frames: Uint8Array): void;
  /** Returns the number of bytes passed to `send` that are not sent yet. */
  backlog(): number;
  /** Ends the subscription because of a long backlog. No call follows. */
  drop(): void;
  /** Ends the subscription because the log is complete. No call follows. */
  end(): void;
}
