import { readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { parseSdl } from '../../../source/contract/sdl/parse.ts';
import { ClosedDeployments } from '../../../source/host/closed-deployments.ts';
import { ClosedRetention } from '../../../source/host/closed-retention.ts';
import type { DeploymentRecord } from '../../../source/host/deployment-record.ts';
import { Deployments } from '../../../source/host/deployments.ts';
import { Files } from '../../../source/host/files/files.ts';
import type { HostLogs } from '../../../source/host/logs/logs.ts';
import { openLogs } from '../../../source/host/logs/open-logs.ts';
import { Storage } from '../../../source/host/records/storage.ts';
import { defaultHostLimits } from '../../../source/host/server/limits.ts';
import { ManualClock } from './manual-clock.ts';
import { idle, sdlOf } from './temporary-host.ts';

export const day = 24 * 60 * 60 * 1000;

/** A definition with the size of usual ones. */
export const usualSdl = JSON.stringify(JSON.parse(sdlOf({ web: idle, worker: idle })), null, 2);

interface Opened {
  readonly storage: Storage;
  readonly deployments: Deployments;
  readonly closed: ClosedDeployments;
  readonly files: Files;
  readonly logs: HostLogs;
  readonly retention: ClosedRetention;
}

export interface ShelfSteps {
  readonly removeFiles: (id: string) => Promise<void>;
  readonly removeLogs: (deployments: readonly DeploymentKey[]) => Promise<void>;
  readonly completeRemoval: (deployments: readonly DeploymentKey[]) => void;
}

type DeploymentKey = { readonly id: string; readonly number: number };

/** The records, files and logs of a host without instances, whose clock a test advances. */
export class ClosedShelf {
  readonly clock = new ManualClock();
  readonly failures: string[] = [];
  readonly dataDir: string;
  readonly #keepMs: number;
  #opened: Opened | undefined;

  private constructor(dataDir: string, keepMs: number) {
    this.dataDir = dataDir;
    this.#keepMs = keepMs;
  }

  static async open(dataDir: string, keepMs = 7 * day): Promise<ClosedShelf> {
    const shelf = new ClosedShelf(dataDir, keepMs);
    await shelf.again();
    return shelf;
  }

  get parts(): Opened {
    if (this.#opened === undefined) throw new Error('the shelf is closed');
    return this.#opened;
  }

  /**
   * Ends this host and starts another one on the folder.
   * @param change replaces steps of a removal.
   */
  async again(change: (steps: ShelfSteps) => Partial<ShelfSteps> = () => ({})): Promise<void> {
    await this.close();
    const { clock, dataDir, failures } = this;
    const storage = Storage.open(dataDir);
    const onFailure = (error: unknown) => failures.push(String(error));
    const deployments = new Deployments(storage, clock);
    const closed = new ClosedDeployments(storage);
    const files = new Files(dataDir, (id) => {
      deployments.assertOpen(id);
    });
    const logs = await openLogs({ dataDir, storage, clock, limits: defaultHostLimits, onFailure });
    const steps: ShelfSteps = {
      removeFiles: (id) => files.remove(id),
      removeLogs: (owners) => logs.remove(owners),
      completeRemoval: closed.completeRemoval.bind(closed),
    };
    const changed = { ...steps, ...change(steps) };
    closed.completeRemoval = changed.completeRemoval;
    const retention = new ClosedRetention({
      storage,
      clock,
      closed,
      logs: { remove: changed.removeLogs },
      removeFiles: changed.removeFiles,
      hasEnded: () => true,
      keepMs: this.#keepMs,
      onFailure,
    });
    this.#opened = { storage, deployments, closed, files, logs, retention };
    for (const { id } of closed.listKept()) await files.recover(id, undefined);
    retention.start();
    await retention.removeDue();
  }

  /** Advances the clock and resolves when all that is due has been removed. */
  async advance(ms: number): Promise<void> {
    this.clock.advance(ms);
    await this.parts.retention.removeDue();
  }

  /** Creates a deployment with a file of `fileBytes` and some log lines. */
  async create(fileBytes = 1000, lines = 10): Promise<DeploymentRecord> {
    const { deployments, files, logs } = this.parts;
    const parsed = parseSdl(usualSdl);
    if (!parsed.ok) throw new Error('the definition is invalid');
    const draft = deployments.insert('0xowner', usualSdl, parsed.definition);
    const content = 'x'.repeat(fileBytes);
    await files.create(draft.id, ['web', 'worker'], [{ service: 'web', path: 'a', content }]);
    const record = deployments.complete(draft, 'running');
    const text = Array.from({ length: lines }, (_, index) => `${record.id} wrote line ${index}`);
    await logs.append(record, 'web', 'stdout', text);
    return record;
  }

  async createClosed(fileBytes?: number, lines?: number): Promise<DeploymentRecord> {
    const record = await this.create(fileBytes, lines);
    this.parts.deployments.setPhase(record.id, 'closed');
    await this.parts.files.removeGenerationsBefore(record.id, Number.POSITIVE_INFINITY);
    return record;
  }

  /** Returns what is left of a deployment. */
  async remains({ id, number }: DeploymentKey) {
    const { logs, deployments } = this.parts;
    const lines = await logs.fetch({ id, number }, { limit: 10_000, offset: 0 });
    return {
      hasFiles: readdirSync(path.join(this.dataDir, 'deployments')).includes(id),
      lines: (JSON.parse(Buffer.from(lines).toString()) as readonly unknown[]).length,
      isMarked: deployments.getById(id).removedAt !== undefined,
    };
  }

  async close(): Promise<void> {
    const opened = this.#opened;
    this.#opened = undefined;
    if (opened === undefined) return;
    this.clock.forget();
    await opened.retention.stop();
    await opened.logs.close();
    opened.storage.close();
  }

  /** Returns the bytes of all files of the data folder. */
  bytes(): number {
    return readdirSync(this.dataDir, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .reduce((sum, { parentPath, name }) => sum + statSync(path.join(parentPath, name)).size, 0);
  }
}
