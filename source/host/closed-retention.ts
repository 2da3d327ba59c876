import { type HostClock, startInterval } from './clock.ts';
import type { ClosedDeployment, ClosedDeployments } from './closed-deployments.ts';
import type { HostLogs } from './logs/logs.ts';
import type { Storage } from './records/storage.ts';

export interface ClosedRetentionParts {
  readonly storage: Storage;
  readonly clock: HostClock;
  readonly closed: ClosedDeployments;
  readonly logs: Pick<HostLogs, 'remove'>;
  /** Removes the files of a deployment. */
  readonly removeFiles: (id: string) => Promise<void>;
  /** Returns true when the files and the log of a closed deployment change no more. */
  readonly hasEnded: (id: string) => boolean;
  /** Milliseconds after the close for which files and logs are kept. */
  readonly keepMs: number;
  readonly onFailure: (error: unknown) => void;
}

/** Shortest and longest interval between two checks; a removal is at most a tenth too late. */
const [minIntervalMs, maxIntervalMs] = [1000, 60_000];

/** Deployments that are removed with one write of the records and one of the logs. */
const batchSize = 32;

/** Key of the time since which closed deployments are removed after `keepMs`. */
const sinceKey = 'closed-kept-since';

/**
 * Removes the files and logs of closed deployments some time after their close, or after the first
 * start of a host that does so. The records stay.
 */
export class ClosedRetention {
  readonly #parts: ClosedRetentionParts;
  #stopInterval: (() => void) | undefined;
  #isStopping = false;
  #run: Promise<void> | undefined;
  #isDue = false;

  constructor(parts: ClosedRetentionParts) {
    this.#parts = parts;
  }

  start(): void {
    const { storage, clock, keepMs } = this.#parts;
    const since = Number(storage.readMeta(sinceKey) ?? Number.POSITIVE_INFINITY);
    // A later time was written by a clock that was wrong.
    if (since > clock.now()) storage.writeMeta(sinceKey, String(clock.now()));
    const interval = Math.min(Math.max(keepMs / 10, minIntervalMs), maxIntervalMs);
    this.#stopInterval = startInterval(clock, interval, () => {
      void this.removeDue();
    });
    void this.removeDue();
  }

  /** Stops after the removal under way. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    this.#stopInterval?.();
    await this.#run;
  }

  /** Removes all that is due. Resolves when that is done; never rejects. */
  removeDue(): Promise<void> {
    this.#isDue = true;
    this.#run ??= this.#removeAll();
    return this.#run;
  }

  async #removeAll(): Promise<void> {
    // Yield first, so that `#run` is set before this call can clear it.
    await Promise.resolve();
    try {
      while (this.#isDue && !this.#isStopping) {
        this.#isDue = false;
        const due = this.#listDue();
        for (let at = 0; at < due.length && !this.#isStopping; at += batchSize) {
          await this.#remove(due.slice(at, at + batchSize));
        }
      }
    } catch (error) {
      // The next interval tries again.
      this.#parts.onFailure(error);
    } finally {
      // Clear without yielding after the last check, so that a later call starts another run.
      this.#run = undefined;
    }
  }

  #listDue(): readonly ClosedDeployment[] {
    const { storage, clock, closed, hasEnded, keepMs } = this.#parts;
    const until = clock.now() - keepMs;
    const since = Number(storage.readMeta(sinceKey) ?? Number.POSITIVE_INFINITY);
    const due = until >= since ? closed.listClosedUntil(until) : [];
    return [...closed.listBegun(), ...due].filter(({ id }) => hasEnded(id));
  }

  async #remove(batch: readonly ClosedDeployment[]): Promise<void> {
    const { clock, closed, logs, removeFiles, onFailure } = this.#parts;
    closed.beginRemoval(batch, clock.now());
    const removed: ClosedDeployment[] = [];
    for (const deployment of batch) {
      try {
        await removeFiles(deployment.id);
        removed.push(deployment);
      } catch (error) {
        // Files that can't be removed don't keep others.
        onFailure(error);
      }
    }
    await logs.remove(removed);
    closed.completeRemoval(removed);
  }
}
