import type { HostClock } from '../clock.ts';
import type { LogOwner, LogRun, Selection } from './run.ts';
import type { DeploymentFrames } from './worker-messages.ts';
import type { LogWriter } from './writer.ts';

/** Someone who follows the lines of a deployment. */
export interface Subscriber {
  /** Takes whole WebSocket frames, each a contract message as JSON. */
  send(frames: Uint8Array): void;
  /** Bytes given to `send` that have not left yet. */
  backlog(): number;
  /** Ends the subscription because the backlog is too long. No call follows. */
  drop(): void;
  /** Ends the subscription because the log is complete. No call follows. */
  end(): void;
}

export interface LogParts {
  readonly writer: LogWriter;
  readonly clock: HostClock;
  /** Bytes that may wait for one subscriber. */
  readonly backlogBytes: number;
}

/** Lines waiting for their numbers. */
interface PendingRun extends Omit<LogRun, 'deployment' | 'first'> {
  readonly owner: LogOwner;
}

/** How long a line may wait for others to share its write. */
const gatherMs = 15;

/** Lines, and characters of them, that are written together. */
const mostGathered = { lines: 4_000, length: 512 * 1024 };

/** Lines, and characters of them, that make one run. */
const longestRun = { lines: 1_000, length: 16 * 1024 };

/** Batches that are written while the next one is gathered. */
const mostBatches = 2;

/** Characters of lines in memory from which on no more are to be read. */
const mostWaiting = 2 * 1024 * 1024;

/** Characters of the lines kept in memory while the disk takes none. */
const longestWait = 32 * 1024 * 1024;

/**
 * The log of every deployment. A line gets its number when it goes to be written, in the order of
 * all lines, and is delivered when it was written: a number that anyone has seen is in the store,
 * also after the host was killed, and is never given twice.
 */
export class HostLogs {
  readonly #parts: LogParts;
  readonly #lasts: Map<number, number>;
  readonly #subscribers = new Map<number, Set<Subscriber>>();
  #pending: PendingRun[] = [];
  #waiting = { lines: 0, length: 0 };
  /** Lines lost to a full disk, by service of a deployment, until that can be said. */
  readonly #lost = new Map<string, { readonly run: PendingRun; count: number }>();
  #timer: NodeJS.Timeout | undefined;
  #isDue = false;
  #room: PromiseWithResolvers<void> | undefined;

  constructor(parts: LogParts) {
    this.#parts = parts;
    this.#lasts = new Map(parts.writer.lasts);
    parts.writer.listen({
      written: (frames) => {
        for (const each of frames) this.#deliver(each);
      },
      changed: () => {
        this.#goOn();
      },
    });
  }

  /**
   * Takes lines; where it gives a promise, no more should come before that settles.
   * @param instance which of several of the service wrote them, counted from 1 on.
   */
  append(
    owner: LogOwner,
    service: string,
    stream: string,
    lines: readonly string[],
    instance?: number,
  ): Promise<void> | undefined {
    const at = this.#parts.clock.now();
    for (const { count, text } of runsOf(lines)) {
      this.#take({ owner, service, stream, instance, at, count, text });
    }
    this.#write();
    if (this.#pending.length > 0) {
      this.#timer ??= setTimeout(() => {
        this.#flush();
      }, gatherMs);
    }
    if (this.#hasRoom(mostWaiting)) return undefined;
    this.#room ??= Promise.withResolvers();
    return this.#room.promise;
  }

  /** A line of the host's own about a service: stream `system`. */
  event(owner: LogOwner, service: string, text: string, instance?: number): void {
    void this.append(owner, service, 'system', [text], instance);
  }

  /** The selected lines of all that have come, as a JSON array, newest first. */
  async fetch(owner: LogOwner, selection: Selection): Promise<Uint8Array> {
    this.#giveAll();
    return await this.#parts.writer.fetch(owner, selection);
  }

  /** Delivers every line written from now on, until the returned function is called. */
  subscribe(owner: LogOwner, subscriber: Subscriber): () => void {
    // What waits now is older than the subscription, so that it is fetched rather than streamed.
    this.#giveAll();
    const subscribers = this.#subscribers.get(owner.number) ?? new Set();
    this.#subscribers.set(owner.number, subscribers.add(subscriber));
    return () => {
      subscribers.delete(subscriber);
      if (subscribers.size === 0 && this.#subscribers.get(owner.number) === subscribers) {
        this.#subscribers.delete(owner.number);
      }
    };
  }

  /** Ends all subscriptions of a deployment once every line that has come is delivered to them. */
  async end(owner: LogOwner): Promise<void> {
    const subscribers = this.#subscribers.get(owner.number);
    if (subscribers === undefined) return;
    await this.settled();
    if (this.#subscribers.get(owner.number) === subscribers) {
      this.#subscribers.delete(owner.number);
    }
    for (const subscriber of subscribers) subscriber.end();
  }

  /** Settles when all that waits is written and delivered, or the disk takes nothing. */
  async settled(): Promise<void> {
    this.#giveAll();
    await this.#parts.writer.settled();
  }

  /** Ends the writing of it. */
  async close(): Promise<void> {
    await this.settled();
    clearTimeout(this.#timer);
    await this.#parts.writer.close();
  }

  /** Writes what waits, as soon as there is room for it. */
  #flush() {
    this.#isDue = true;
    this.#write();
  }

  /** Gives all that waits to be written, so that it comes before whatever is asked next. */
  #giveAll() {
    while (this.#pending.length > 0 && !this.#parts.writer.isRefused) this.#give();
  }

  #write() {
    const { writer } = this.#parts;
    const isMuch = () =>
      this.#waiting.lines >= mostGathered.lines || this.#waiting.length >= mostGathered.length;
    while (
      this.#pending.length > 0 &&
      (this.#isDue || isMuch()) &&
      writer.batches < mostBatches &&
      !writer.isRefused
    ) {
      this.#give();
    }
  }

  /** Numbers the oldest lines that wait and gives them to be written. */
  #give() {
    const runs: LogRun[] = [];
    const owners = new Map<number, LogOwner>();
    const given = { lines: 0, length: 0 };
    for (const { owner, ...run } of this.#pending) {
      const last = this.#lasts.get(owner.number) ?? 0;
      this.#lasts.set(owner.number, last + run.count);
      runs.push({ deployment: owner.number, first: last + 1, ...run });
      owners.set(owner.number, owner);
      given.lines += run.count;
      given.length += run.text.length;
      if (given.lines >= mostGathered.lines || given.length >= mostGathered.length) break;
    }
    this.#pending.splice(0, runs.length);
    this.#waiting.lines -= given.lines;
    this.#waiting.length -= given.length;
    if (this.#pending.length === 0) {
      this.#isDue = false;
      clearTimeout(this.#timer);
      this.#timer = undefined;
    }
    const followed = [...owners.values()].filter(({ number }) => this.#subscribers.has(number));
    this.#parts.writer.append(runs, followed);
  }

  /** The writer has taken something, or takes nothing for now. */
  #goOn() {
    if (!this.#parts.writer.isRefused) this.#sayLosses();
    this.#write();
    // A full disk holds up nobody: what it does not take is lost in the end.
    if (!this.#parts.writer.isRefused && !this.#hasRoom(mostWaiting / 2)) return;
    this.#room?.resolve();
    this.#room = undefined;
  }

  #hasRoom(most: number): boolean {
    const { writer } = this.#parts;
    return writer.isRefused || this.#waiting.length + writer.length <= most;
  }

  #take(run: PendingRun) {
    const { writer } = this.#parts;
    if (!writer.isRefused || this.#waiting.length + writer.length < longestWait) {
      this.#pending.push(run);
      this.#waiting.lines += run.count;
      this.#waiting.length += run.text.length;
      return;
    }
    const key = `${run.owner.number} ${run.service}`;
    const loss = this.#lost.get(key) ?? { run, count: 0 };
    loss.count += run.count;
    this.#lost.set(key, loss);
  }

  #sayLosses() {
    for (const { run, count } of this.#lost.values()) {
      const text = `${count} lines were lost here: the disk took no more`;
      this.#take({ ...run, stream: 'system', instance: undefined, count: 1, text });
    }
    this.#lost.clear();
  }

  #deliver({ deployment, bytes }: DeploymentFrames) {
    const subscribers = this.#subscribers.get(deployment) ?? [];
    for (const subscriber of subscribers) {
      if (subscriber.backlog() > this.#parts.backlogBytes) {
        this.#subscribers.get(deployment)?.delete(subscriber);
        subscriber.drop();
      } else {
        subscriber.send(bytes);
      }
    }
  }
}

/** The lines in runs of a size that is good to store and to look through. */
function* runsOf(lines: readonly string[]) {
  let from = 0;
  let length = 0;
  for (const [index, line] of lines.entries()) {
    length += line.length + 1;
    const count = index + 1 - from;
    const isLast = index === lines.length - 1;
    if (!isLast && count < longestRun.lines && length < longestRun.length) continue;
    yield { count, text: lines.slice(from, index + 1).join('\n') };
    from = index + 1;
    length = 0;
  }
}
