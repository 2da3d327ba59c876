import type { SdlWarning } from '../../contract/sdl/definition.ts';
import type { HostClock } from '../clock.ts';
import type { DeploymentRecord, Deployments } from '../deployments.ts';
import type { Files, SeedFile } from '../files/files.ts';
import type { HostLimits } from '../server/limits.ts';
import type { HostLogs } from '../logs/logs.ts';
import type { Metering } from '../money/metering.ts';
import { Mutex } from '../records/mutex.ts';
import { conflict, unavailable } from '../refusal.ts';
import type { HostRuntime } from '../runtime/runtime.ts';
import type { WalletTrust } from '../isolation/wallet-trust.ts';
import { admitSdl, inOrder, warningsOf } from './admission.ts';
import { type Startable, startRefusals } from './start-refusals.ts';
import { type DeploymentStatus, statusOf } from './deployment-status.ts';
import { Supervised } from './supervised.ts';

export interface SupervisorParts {
  readonly clock: HostClock;
  readonly deployments: Deployments;
  readonly files: Files;
  readonly logs: HostLogs;
  readonly metering: Metering;
  readonly runtime: HostRuntime;
  /** Decides whose deployments may run. */
  readonly trust: Pick<WalletTrust, 'refusal'>;
  readonly limits: HostLimits;
  /** Time between SIGTERM and SIGKILL. */
  readonly graceMs: number;
}

/** Makes deployments do what they are meant to: created, restarted, suspended, resumed, closed. */
export class Supervisor {
  readonly #parts: SupervisorParts;
  readonly #supervised = new Map<string, Supervised>();
  /** One restart after the other: each takes the next generation. */
  readonly #restarts = new Map<string, Mutex>();
  readonly #unfinished = new Set<Promise<void>>();
  /** Ids of closed deployments of which something may still run. */
  readonly #windingDown = new Set<string>();
  #ending = false;

  constructor(parts: SupervisorParts) {
    this.#parts = parts;
  }

  /** Ends what a killed host left: its processes, and what it was in the middle of. */
  async recover(): Promise<void> {
    const { deployments, files, runtime, graceMs } = this.#parts;
    await runtime.endOrphans(graceMs);
    for (const id of deployments.incomplete()) {
      await files.remove(id);
      deployments.remove(id);
    }
    for (const { id, phase, generation } of deployments.all()) {
      await files.tidy(id, phase === 'closed' ? undefined : generation);
    }
  }

  /** Brings the deployments back that an earlier host ran, each on the files it ran before. */
  resumeAll(): void {
    for (const record of this.#parts.deployments.open()) {
      if (record.phase !== 'suspended') this.#start(record);
    }
  }

  /** Returns whether this host starts a deployment, as far as its definition says. */
  mayStart(deployment: Startable): boolean {
    return startRefusals(this.#parts, deployment).length === 0;
  }

  /** Makes a deployment from an SDL and starts it. Refuses SDLs that cannot be run, with places. */
  async create(
    owner: string,
    sdl: string,
    seeds: readonly SeedFile[] = [],
  ): Promise<DeploymentStatus> {
    const { deployments, runtime, trust, limits } = this.#parts;
    this.#assertServing();
    const definition = await admitSdl({ owner, sdl }, { runtime, trust }, limits);
    this.#assertServing();
    const draft = deployments.insert(owner, sdl, definition);
    const record = await this.#finish(() => this.#complete(draft, seeds));
    if (record.phase === 'running') this.#start(record);
    else this.#tell(record, unpaid);
    return this.status(record);
  }

  /**
   * Restarts on the files as they are staged now. Answers when these are copied and the restart is
   * sure to happen; stopping and starting go on after that.
   */
  async restart(owner: string, id: string): Promise<DeploymentStatus> {
    const { deployments, files } = this.#parts;
    deployments.get(owner, id);
    let lock = this.#restarts.get(id);
    if (lock === undefined) this.#restarts.set(id, (lock = new Mutex()));
    await lock.run(() => this.#finish(() => this.#renew(id)));
    const record = deployments.read(id);
    void this.#run(record)
      .then(() => files.forgetBefore(id, record.generation))
      // What stays of an old generation is removed at the host's next start.
      .catch(() => undefined);
    return this.status(record);
  }

  /** Ends a deployment for good. Closing a closed one changes nothing. */
  close(owner: string, id: string): DeploymentStatus {
    const { deployments, metering } = this.#parts;
    const record = deployments.get(owner, id);
    if (record.phase !== 'closed') {
      const close = () => {
        deployments.setPhase(id, 'closed');
      };
      if (record.phase === 'running') metering.end(id, close);
      else close();
      this.#tell(record, 'closed');
      // Its staged files can still be read; what it ran in is of no more use.
      void this.#windDown(record);
    }
    return this.status(deployments.read(id));
  }

  /** Returns whether a deployment is closed and nothing of it runs any more: its log is complete. */
  isOver(id: string): boolean {
    return this.#parts.deployments.read(id).phase === 'closed' && !this.#windingDown.has(id);
  }

  /** Stops a deployment that nobody can pay for. */
  suspend(id: string): void {
    const { deployments, metering } = this.#parts;
    const record = deployments.read(id);
    metering.end(id, () => {
      deployments.setPhase(id, 'suspended');
    });
    this.#tell(record, unpaid);
    void this.#supervised.get(id)?.stop();
  }

  /** Starts a suspended deployment again, on the files it ran before. */
  resume(id: string): void {
    const { deployments } = this.#parts;
    deployments.setPhase(id, 'running');
    const record = deployments.read(id);
    this.#tell(record, 'resumed: it is paid again');
    this.#start(record);
  }

  /** Ends all processes; the deployments come back with the next host. */
  async stopAll(): Promise<void> {
    this.#ending = true;
    const stopped = [...this.#supervised.values()].map((supervised) => supervised.stop());
    await Promise.all([...stopped, ...this.#unfinished]);
  }

  status(record: DeploymentRecord): DeploymentStatus {
    return statusOf(record, this.#of(record), this.#warnings(record));
  }

  /** Starts a deployment, or fails it with the reason in its log where this host may not. */
  #start(record: DeploymentRecord): void {
    const [refusal] = startRefusals(this.#parts, record);
    if (refusal === undefined) {
      void this.#run(record);
      return;
    }
    this.#of(record).refuse();
    this.#tell(record, `cannot start: ${refusal.sentence}`);
  }

  /** Runs the present generation; from now on, or from the first run of an image, its time counts. */
  #run(record: DeploymentRecord): Promise<void> {
    // An image may wait for its engine and a pull: nobody pays before it runs.
    const hasImages = record.services.some(({ image }) => image !== undefined);
    if (record.phase === 'running' && !hasImages) this.#parts.metering.begin(record.id);
    return this.#of(record).run(record.generation);
  }

  /** Those of the definition, and those that keep an open deployment from starting. */
  #warnings(record: DeploymentRecord): readonly SdlWarning[] {
    const refusals = record.phase === 'closed' ? [] : startRefusals(this.#parts, record);
    if (refusals.length === 0) return record.warnings;
    return inOrder([...record.warnings, ...warningsOf(refusals)]);
  }

  /** Stops a closed deployment, then ends its log and removes what it ran in. Never rejects. */
  async #windDown(record: DeploymentRecord): Promise<void> {
    const { logs, files } = this.#parts;
    this.#windingDown.add(record.id);
    await this.#of(record).stop();
    this.#windingDown.delete(record.id);
    // A tree that stays is removed at the host's next start.
    await Promise.allSettled([
      logs.end(record),
      files.forgetBefore(record.id, Number.POSITIVE_INFINITY),
    ]);
  }

  /** Makes the files of a new deployment, and the deployment with them, or nothing. */
  async #complete(draft: DeploymentRecord, seeds: readonly SeedFile[]): Promise<DeploymentRecord> {
    const { deployments, files, metering } = this.#parts;
    try {
      const names = draft.services.map((service) => service.name);
      await files.create(draft.id, names, seeds);
      // What is answered as refused must not come back with the next host.
      this.#assertServing();
      return deployments.complete(draft, metering.canPay(draft) ? 'running' : 'suspended');
    } catch (error) {
      await files.remove(draft.id);
      deployments.remove(draft.id);
      throw error;
    }
  }

  /** Copies the staged files to the next generation, which is then the one to run. */
  async #renew(id: string): Promise<void> {
    const { deployments, files } = this.#parts;
    assertRunning(deployments.read(id));
    const [refusal] = startRefusals(this.#parts, deployments.read(id));
    if (refusal !== undefined) throw conflict(refusal.sentence);
    this.#assertServing();
    const generation = deployments.read(id).generation + 1;
    try {
      await files.promote(id, generation);
      // It may have been closed or suspended while its files were copied.
      assertRunning(deployments.read(id));
      this.#assertServing();
      deployments.setGeneration(id, generation);
    } catch (error) {
      await files.forgetCopy(id, generation).catch(() => undefined);
      throw error;
    }
  }

  /** Work that the host does not end in the middle of: the next one finds the folder at rest. */
  async #finish<T>(work: () => Promise<T>): Promise<T> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#unfinished.add(promise);
    try {
      return await work();
    } finally {
      this.#unfinished.delete(promise);
      resolve();
    }
  }

  /** Tells something of all services in their log. */
  #tell(record: DeploymentRecord, text: string) {
    for (const { name } of record.services) this.#parts.logs.event(record, name, text);
  }

  /** Nothing is started any more once everything is being stopped. */
  #assertServing() {
    if (this.#ending) throw unavailable();
  }

  #of(record: DeploymentRecord): Supervised {
    let supervised = this.#supervised.get(record.id);
    if (supervised === undefined) {
      const { deployments, metering } = this.#parts;
      supervised = new Supervised({
        ...this.#parts,
        record,
        onChange: () => {
          deployments.changes.add(record);
        },
        onRun: () => {
          if (deployments.read(record.id).phase === 'running') metering.begin(record.id);
        },
      });
      this.#supervised.set(record.id, supervised);
    }
    return supervised;
  }
}

const unpaid = 'suspended: no active grant and no balance pays for it; it resumes when one does';

function assertRunning(record: DeploymentRecord) {
  if (record.phase === 'closed') throw conflict('This deployment is closed.');
  if (record.phase === 'suspended') {
    throw conflict('This deployment is suspended until a grant or a balance pays for it.');
  }
}
