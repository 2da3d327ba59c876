import type { SdlWarning } from '../../contract/sdl/definition.ts';
import type { HostClock } from '../clock.ts';
import type { DeploymentRecord, Deployments } from '../deployments.ts';
import type { Files, SeedFile } from '../files/files.ts';
import type { HostLimits } from '../server/limits.ts';
import type { HostLogs } from '../logs/logs.ts';
import type { Billing } from '../money/billing.ts';
import type { Metering } from '../money/metering.ts';
import { Mutex } from '../records/mutex.ts';
import { conflict, unavailable } from '../refusal.ts';
import type { HostRuntime } from '../runtime/runtime.ts';
import type { WalletTrust } from '../isolation/wallet-trust.ts';
import { admitSdl, sortByPosition, refusalWarnings } from './admission.ts';
import { type StartCandidate, findStartRefusals } from './start-refusals.ts';
import { type DeploymentStatus, buildDeploymentStatus } from './deployment-status.ts';
import { DeploymentRunner } from './deployment-runner.ts';
import { WalletRoom } from './wallet-room.ts';

export interface SupervisorOptions {
  readonly clock: HostClock;
  readonly deployments: Deployments;
  readonly files: Files;
  readonly logs: HostLogs;
  readonly metering: Metering;
  readonly billing: Billing;
  readonly runtime: HostRuntime;
  /** Decides which wallets' deployments may run. */
  readonly trust: Pick<WalletTrust, 'refusal'>;
  /** The wallet of this host's user. */
  readonly ownWallet: string;
  readonly firstUserPort: number;
  readonly limits: HostLimits;
  /** Milliseconds between SIGTERM and SIGKILL. */
  readonly graceMs: number;
}

/** Creates, restarts, suspends, resumes and closes deployments. */
export class Supervisor {
  readonly #parts: SupervisorOptions;
  readonly #supervised = new Map<string, DeploymentRunner>();
  /** Serialises the restarts of each deployment, since each uses the next generation. */
  readonly #restarts = new Map<string, Mutex>();
  readonly #unfinished = new Set<Promise<void>>();
  /** Ids of closed deployments whose instances may still run. */
  readonly #windingDown = new Set<string>();
  readonly #room: WalletRoom;
  #isStopping = false;

  constructor(parts: SupervisorOptions) {
    this.#parts = parts;
    this.#room = new WalletRoom(parts.deployments, parts.limits);
  }

  /** Cleans up after a killed host: its runs and their charges, and its unfinished changes. */
  async recover(): Promise<void> {
    const { deployments, files, metering, runtime, graceMs } = this.#parts;
    const found = metering.moment();
    metering.recover(await runtime.endOrphans(graceMs), found);
    for (const id of deployments.listIncomplete()) {
      await files.remove(id);
      deployments.remove(id);
    }
    for (const { id, phase, generation } of deployments.listAll()) {
      await files.recover(id, phase === 'closed' ? undefined : generation);
    }
  }

  /** Starts the deployments that an earlier host ran, each on its current generation of files. */
  resumeAll(): void {
    const { deployments, metering } = this.#parts;
    for (const record of deployments.listOpen()) {
      if (record.phase === 'suspended') continue;
      if (metering.owes(record.id)) this.suspend(record.id);
      else this.#start(record);
    }
  }

  /** Returns true when the rules of this host allow a deployment to start. */
  mayStart(deployment: StartCandidate): boolean {
    return findStartRefusals(this.#parts, deployment).length === 0;
  }

  /**
   * Creates a deployment and starts it. Throws a 422 with positions for an SDL that can't run, and a
   * 409 when the wallet has no room for it.
   */
  async create(
    owner: string,
    sdl: string,
    seeds: readonly SeedFile[] = [],
  ): Promise<DeploymentStatus> {
    const { deployments, limits } = this.#parts;
    this.#assertServing();
    const definition = await admitSdl({ owner, sdl }, this.#parts, limits);
    this.#assertServing();
    const leave = this.#room.take({ owner, sdl, services: definition.services });
    let record: DeploymentRecord;
    try {
      const draft = deployments.insert(owner, sdl, definition);
      record = await this.#runToEnd(() => this.#complete(draft, seeds, leave));
    } finally {
      leave();
    }
    if (record.phase === 'running') this.#start(record);
    else this.#logEvent(record, unpaid);
    return this.status(record);
  }

  /**
   * Restarts a deployment on the currently staged files. Resolves when the files are copied and the
   * restart is recorded; stopping and starting continue after that.
   */
  async restart(owner: string, id: string): Promise<DeploymentStatus> {
    const { deployments, files } = this.#parts;
    deployments.get(owner, id);
    let lock = this.#restarts.get(id);
    if (lock === undefined) this.#restarts.set(id, (lock = new Mutex()));
    await lock.run(() => this.#runToEnd(() => this.#renew(id)));
    const record = deployments.getById(id);
    void this.#run(record)
      .then(() => files.removeGenerationsBefore(id, record.generation))
      // The host's next start removes the rest of an old generation.
      .catch(() => undefined);
    return this.status(record);
  }

  /** Closes a deployment for good. A no-op when it is closed. */
  close(owner: string, id: string): DeploymentStatus {
    const { deployments, metering } = this.#parts;
    const record = deployments.get(owner, id);
    if (record.phase !== 'closed') {
      const close = () => {
        deployments.setPhase(id, 'closed');
      };
      if (record.phase === 'running') metering.stopCharging(id, close);
      else close();
      this.#logEvent(record, 'closed');
      // Remove the running copies of the files; the staged files stay readable.
      void this.#windDown(record);
    }
    return this.status(deployments.getById(id));
  }

  /** Returns true when a closed deployment has no running instance, so that its log is complete. */
  isLogComplete(id: string): boolean {
    return this.#parts.deployments.getById(id).phase === 'closed' && !this.#windingDown.has(id);
  }

  /** Stops a deployment that nobody can pay for. */
  suspend(id: string): void {
    const { deployments, metering } = this.#parts;
    const record = deployments.getById(id);
    metering.stopCharging(id, () => {
      deployments.setPhase(id, 'suspended');
    });
    this.#logEvent(record, unpaid);
    void this.#supervised.get(id)?.stop();
  }

  /** Starts a suspended deployment on its current generation of files. */
  resume(id: string): void {
    const { deployments } = this.#parts;
    deployments.setPhase(id, 'running');
    const record = deployments.getById(id);
    this.#logEvent(record, 'resumed: a grant or a balance pays for it again');
    this.#start(record);
  }

  /** Stops all instances; the next host starts the deployments again. */
  async stopAll(): Promise<void> {
    this.#isStopping = true;
    const stopped = [...this.#supervised.values()].map((supervised) => supervised.stop());
    await Promise.all([...stopped, ...this.#unfinished]);
  }

  /** Returns a deployment as the host returns it. */
  status(record: DeploymentRecord): DeploymentStatus {
    return buildDeploymentStatus(record, this.#supervisedOf(record), this.#warnings(record));
  }

  /** Starts a deployment, or marks it as failed and logs the reason when the rules forbid it. */
  #start(record: DeploymentRecord): void {
    const [refusal] = findStartRefusals(this.#parts, record);
    if (refusal === undefined) {
      void this.#run(record);
      return;
    }
    this.#supervisedOf(record).refuse();
    this.#logEvent(record, `cannot start: ${refusal.sentence}`);
  }

  #run(record: DeploymentRecord): Promise<void> {
    return this.#supervisedOf(record).run(record.generation);
  }

  /** Returns the warnings of the definition, and the refusals of an open deployment. */
  #warnings(record: DeploymentRecord): readonly SdlWarning[] {
    const refusals = record.phase === 'closed' ? [] : findStartRefusals(this.#parts, record);
    if (refusals.length === 0) return record.warnings;
    return sortByPosition([...record.warnings, ...refusalWarnings(refusals)]);
  }

  /** Stops a closed deployment, ends its log and removes its file generations. Never rejects. */
  async #windDown(record: DeploymentRecord): Promise<void> {
    const { logs, files } = this.#parts;
    this.#windingDown.add(record.id);
    await this.#supervisedOf(record).stop();
    this.#windingDown.delete(record.id);
    // The host's next start removes a generation that remains.
    await Promise.allSettled([
      logs.end(record),
      files.removeGenerationsBefore(record.id, Number.POSITIVE_INFINITY),
    ]);
  }

  /**
   * Creates the files of a new deployment and completes its record; an error removes both.
   * @param leave gives back the room in the wallet, which the record then takes.
   */
  async #complete(
    draft: DeploymentRecord,
    seeds: readonly SeedFile[],
    leave: () => void,
  ): Promise<DeploymentRecord> {
    const { deployments, files, billing } = this.#parts;
    try {
      const names = draft.services.map((service) => service.name);
      await files.create(draft.id, names, seeds);
      // A deployment whose creation was refused must not start with the next host.
      this.#assertServing();
      leave();
      return deployments.complete(draft, billing.canPay(draft) ? 'running' : 'suspended');
    } catch (error) {
      await files.remove(draft.id);
      deployments.remove(draft.id);
      throw error;
    }
  }

  /** Copies the staged files to the next generation and makes it the current one. */
  async #renew(id: string): Promise<void> {
    const { deployments, files } = this.#parts;
    deployments.assertRunning(id);
    const [refusal] = findStartRefusals(this.#parts, deployments.getById(id));
    if (refusal !== undefined) throw conflict(refusal.sentence);
    this.#assertServing();
    const generation = deployments.getById(id).generation + 1;
    try {
      await files.promote(id, generation);
      // The deployment may have been closed or suspended during the copy.
      deployments.assertRunning(id);
      this.#assertServing();
      deployments.setGeneration(id, generation);
    } catch (error) {
      await files.removeGeneration(id, generation).catch(() => undefined);
      throw error;
    }
  }

  /** Runs work that `stopAll` waits for, so that the next host finds a consistent data folder. */
  async #runToEnd<T>(work: () => Promise<T>): Promise<T> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#unfinished.add(promise);
    try {
      return await work();
    } finally {
      this.#unfinished.delete(promise);
      resolve();
    }
  }

  /** Writes an event to the logs of all services. */
  #logEvent(record: DeploymentRecord, text: string) {
    for (const { name } of record.services) this.#parts.logs.event(record, name, text);
  }

  /** Throws a 503 while the host is stopping. */
  #assertServing() {
    if (this.#isStopping) throw unavailable();
  }

  #supervisedOf(record: DeploymentRecord): DeploymentRunner {
    let supervised = this.#supervised.get(record.id);
    if (supervised === undefined) {
      const { deployments, metering } = this.#parts;
      supervised = new DeploymentRunner({
        ...this.#parts,
        record,
        onChange: () => {
          deployments.changes.add(record);
        },
        onRun: (run) => metering.begin(run),
      });
      this.#supervised.set(record.id, supervised);
    }
    return supervised;
  }
}

const unpaid = 'suspended: no active grant or balance pays for it; it resumes when one does';
