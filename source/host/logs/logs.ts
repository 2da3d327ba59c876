import type { LogMessage } from '../../contract/logs.ts';
import type { Clock } from '../clock.ts';
import type { LogOwner, LogReader, Selection } from './reader.ts';
import type { LogRetention } from './retention.ts';
import { type Batch, type LogStore, type StoredLine, toMessage } from './store.ts';

/** Someone who follows the lines of a deployment. */
export interface Subscriber {
  /** Takes one frame: a contract message as JSON. */
  send(frame: string): void;
  /** Bytes given to `send` that have not left yet. */
  backlog(): number;
  /** Ends the subscription because the backlog is too long. No call follows. */
  drop(): void;
}

export interface LogParts {
  readonly store: LogStore;
  readonly retention: LogRetention;
  readonly reader: LogReader;
  readonly clock: Clock;
  /** Bytes that may wait for one subscriber. */
  readonly backlogBytes: number;
}

/** A line waiting for its number. */
interface PendingLine {
  readonly owner: LogOwner;
  readonly service: string;
  readonly stream: string;
  readonly at: number;
  readonly line: string;
  readonly instance: number | undefined;
}

/** How long a line may wait for others to share its write. */
const gatherMs = 15;

/** Lines, and characters of them, that are written without waiting for more. */
const mostGathered = { lines: 2_000, length: 1024 * 1024 };

const retryMs = 1_000;

/** Characters of the lines kept in memory while the disk takes none. */
const longestWait = 32 * 1024 * 1024;

/**
 * The log of every deployment. A line gets its number when it is written to the store, and only
 * what is written is delivered: a number that anyone has seen is in the store, also after the host
 * was killed, and is never given twice.
 */
export class Logs {
  readonly #parts: LogParts;
  readonly #subscribers = new Map<number, Set<Subscriber>>();
  #pending: PendingLine[] = [];
  #pendingLength = 0;
  /** Lines lost to a full disk, by service of a deployment, until that can be said. */
  readonly #lost = new Map<string, { readonly line: PendingLine; count: number }>();
  #timer: NodeJS.Timeout | undefined;
  /** True while the store takes nothing; then the timer alone tries again. */
  #refused = false;

  constructor(parts: LogParts) {
    this.#parts = parts;
  }

  /** @param instance which of several of the service wrote them, counted from 1 on. */
  append(
    owner: LogOwner,
    service: string,
    stream: string,
    lines: readonly string[],
    instance?: number,
  ): void {
    const at = this.#parts.clock.now();
    for (const line of lines) this.#take({ owner, service, stream, at, line, instance });
    const isMuch =
      this.#pending.length >= mostGathered.lines || this.#pendingLength >= mostGathered.length;
    if (isMuch && !this.#refused) this.flush();
    else if (this.#pending.length > 0) this.#schedule(gatherMs);
  }

  /** A line of the host's own about a service: stream `system`. */
  event(owner: LogOwner, service: string, text: string, instance?: number): void {
    this.append(owner, service, 'system', [text], instance);
  }

  async fetch(owner: LogOwner, selection: Selection): Promise<readonly LogMessage[]> {
    this.flush();
    return await this.#parts.reader.fetch(owner, selection);
  }

  /** Delivers every line stored from now on, until the returned function is called. */
  subscribe(owner: LogOwner, subscriber: Subscriber): () => void {
    // What waits now is older than the subscription, so that it is fetched rather than streamed.
    this.flush();
    const subscribers = this.#subscribers.get(owner.number) ?? new Set();
    this.#subscribers.set(owner.number, subscribers.add(subscriber));
    return () => {
      subscribers.delete(subscriber);
      if (subscribers.size === 0 && this.#subscribers.get(owner.number) === subscribers) {
        this.#subscribers.delete(owner.number);
      }
    };
  }

  /** Writes what waits and delivers it. */
  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#pending.length === 0) return;
    const owners = new Map<number, { readonly id: string; readonly lines: StoredLine[] }>();
    for (const { owner, service, stream, at, line, instance } of [
      ...this.#pending,
      ...this.#losses(),
    ]) {
      let group = owners.get(owner.number);
      if (group === undefined) owners.set(owner.number, (group = { id: owner.id, lines: [] }));
      const id = (group.lines.at(-1)?.id ?? this.#parts.store.lastId(owner.number)) + 1;
      group.lines.push({ id, service, stream, at, line, instance });
    }
    const batches: Batch[] = [...owners].map(([deployment, { lines }]) => ({ deployment, lines }));
    try {
      this.#parts.store.write(batches);
    } catch {
      // A full disk most likely: the lines stay, and get their numbers the next time.
      this.#refused = true;
      this.#schedule(retryMs);
      return;
    }
    this.#refused = false;
    this.#pending = [];
    this.#pendingLength = 0;
    this.#lost.clear();
    for (const [deployment, { id, lines }] of owners) this.#deliver(deployment, id, lines);
    this.#trim(batches);
  }

  #trim(batches: readonly Batch[]) {
    try {
      for (const batch of batches) this.#parts.retention.added(batch);
    } catch {
      // The lines themselves are safe; the next batch tries again to make room.
    }
  }

  #take(line: PendingLine) {
    if (this.#pendingLength < longestWait || !this.#refused) {
      this.#pending.push(line);
      this.#pendingLength += line.line.length;
      return;
    }
    const key = `${line.owner.number} ${line.service}`;
    const loss = this.#lost.get(key) ?? { line, count: 0 };
    loss.count += 1;
    this.#lost.set(key, loss);
  }

  #losses(): PendingLine[] {
    return [...this.#lost.values()].map(({ line: { owner, service, at }, count }) => ({
      owner,
      service,
      stream: 'system',
      at,
      line: `${count} lines were lost here: the disk took no more`,
      instance: undefined,
    }));
  }

  #schedule(ms: number) {
    this.#timer ??= setTimeout(() => {
      this.flush();
    }, ms);
  }

  #deliver(deployment: number, deploymentId: string, lines: readonly StoredLine[]) {
    const subscribers = this.#subscribers.get(deployment);
    if (subscribers === undefined) return;
    for (const line of lines) {
      const frame = JSON.stringify(toMessage(deploymentId, line));
      for (const subscriber of subscribers) {
        if (subscriber.backlog() > this.#parts.backlogBytes) {
          subscribers.delete(subscriber);
          subscriber.drop();
        } else {
          subscriber.send(frame);
        }
      }
    }
  }
}
