import type { DeploymentState } from '../../contract/deployments.ts';
import type { SdlWarning } from '../../contract/sdl/definition.ts';
import type { DeploymentRecord } from '../deployment-record.ts';
import type { Deployments } from '../deployments.ts';
import { type DiskSpace, isWriteFailure } from '../disk-space.ts';
import type { Files, SeedFile } from '../files/files.ts';
import type { HostLimits } from '../server/limits.ts';
import type { HostLogs } from '../logs/logs.ts';
import type { Billing } from '../money/billing.ts';
import type { Metering } from '../money/metering.ts';
import { unavailable } from '../refusal.ts';
import type { ServiceRules } from '../runtime/runtime.ts';
import type { WalletTrust } from '../isolation/wallet-trust.ts';
import type { Backend, Keeper } from './backend.ts';
import { refusalWarnings, sortByPosition } from './admission.ts';
import { Creation } from './creation.ts';
import { type StartCandidate, findStartRefusals } from './start-refusals.ts';
import {
  type DeploymentStatus,
  type DeploymentSummary,
  summariseClosed,
  summariseDeployment,
} from './deployment-status.ts';
import { inState } from './service-status.ts';
import { Renewal } from './renewal.ts';
import { UnfinishedWork } from './unfinished-work.ts';
import type { ClosedDeployments } from '../closed-deployments.ts';
import { forEachConcurrently } from '../files/disk.ts';
import type { LogOwner } from '../logs/run.ts';

export interface SupervisorOptions extends WindDownParts, RecoveryParts {
  readonly deployments: Deployments;
  readonly files: Files;
  readonly logs: HostLogs;
  readonly metering: Metering;
  readonly billing: Billing;
  readonly runtime: ServiceRules;
  readonly backend: Backend;
  /** Decides which wallets' deployments may run. */
  readonly trust: Pick<WalletTrust, 'refusal'>;
  /** The wallet of this host's user. */
  readonly ownWallet: string;
  readonly firstUserPort: number;
  readonly limits: HostLimits;
  readonly space: Pick<DiskSpace, 'assertFree'>;
}

/** Creates, restarts, suspends, resumes and closes deployments. */
export class Supervisor {
  readonly #parts: SupervisorOptions;
  readonly #keepers = new Map<string, Keeper>();
  /** Ids of deployments that the rules or a full disk keep from running. */
  readonly #refused = new Set<string>();
  readonly #unfinished = new UnfinishedWork();
  readonly #windDown: WindDown;
  readonly #creation: Creation;
  readonly #renewal: Renewal;
  #isStopping = false;

  constructor(parts: SupervisorOptions) {
    this.#parts = parts;
    this.#windDown = new WindDown(parts);
    const assertServing = () => {
      if (this.#isStopping) throw unavailable();
    };
    this.#creation = new Creation(parts, this.#unfinished, assertServing);
    this.#renewal = new Renewal(parts, this.#unfinished, assertServing);
  }

  /** Takes over from an earlier host: its services and their charges, and its unfinished changes. */
  async recover(): Promise<void> {
    await recoverDeployments(this.#parts);
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
    const record = await this.#creation.run(owner, sdl, seeds);
    if (record.phase === 'running') this.#start(record);
    else this.#logEvent(record, unpaid);
    return this.status(record);
  }

  /**
   * Restarts a deployment on the currently staged files. Resolves when the files are copied and the
   * restart is recorded; stopping and starting continue after that.
   */
  async restart(owner: string, id: string): Promise<DeploymentStatus> {
    const { deployments } = this.#parts;
    deployments.get(owner, id);
    deployments.assertRunning(id);
    const promotion = await this.#renewal.run(id, this.#keeperOf(deployments.getById(id)));
    const record = deployments.getById(id);
    if (promotion === 'read-only') this.#logEvent(record, readOnlyFiles);
    void this.#run(record)
      .then(() => this.#removeOldTrees(id))
      // The host's next start removes the rest of an old generation.
      .catch(() => undefined);
    return this.status(record);
  }

  /** Removes the files of generations to which a deployment does not go back. */
  async #removeOldTrees(id: string): Promise<void> {
    const { deployments, files } = this.#parts;
    const { generation, appliedGeneration = generation, rollback } = deployments.getById(id);
    await files.removeGenerationsBefore(id, Math.min(generation, appliedGeneration));
    if (rollback !== undefined) await files.removeGeneration(id, rollback.generation);
  }

  /**
   * Closes a deployment for good. A no-op when it is closed. Stops it first, which needs no disk: its
   * services may be what fills the disk.
   */
  async close(owner: string, id: string): Promise<DeploymentStatus> {
    const { deployments, files } = this.#parts;
    const record = deployments.get(owner, id);
    if (record.phase !== 'closed') {
      const keeper = this.#keeperOf(record);
      const stopped = keeper.stop();
      try {
        this.#recordClose(record);
      } catch (error) {
        if (!isWriteFailure(error)) throw error;
        // The end of its services, and the removal of their files, makes space.
        await stopped;
        await files.removeGenerationsBefore(id, Number.POSITIVE_INFINITY).catch(() => undefined);
        this.#refuse(record);
        this.#recordClose(deployments.get(owner, id));
      }
      // Remove the running copies of the files; the staged files stay readable.
      void this.#windDown.run(record, () => this.#stopForGood(record, keeper));
    }
    return this.status(deployments.getById(id));
  }

  /** Returns true when a closed deployment has no running instance, so that its log is complete. */
  isLogComplete(id: string): boolean {
    const isClosed = this.#parts.deployments.getById(id).phase === 'closed';
    return isClosed && !this.#windDown.isStopping(id);
  }

  /** Returns true when the files and the log of a closed deployment change no more. */
  hasEnded(id: string): boolean {
    return this.#windDown.hasEnded(id);
  }

  /** Stops a deployment that nobody can pay for. */
  suspend(id: string): void {
    const { deployments, metering } = this.#parts;
    const record = deployments.getById(id);
    metering.stopCharging(id, () => {
      deployments.setPhase(id, 'suspended');
    });
    this.#logEvent(record, unpaid);
    void this.#keeperOf(record).stop();
  }

  /** Starts a suspended deployment on its current generation of files. */
  resume(id: string): void {
    const { deployments } = this.#parts;
    deployments.setPhase(id, 'running');
    const record = deployments.getById(id);
    this.#logEvent(record, 'resumed: a grant or a balance pays for it again');
    this.#start(record);
  }

  /** Lets go of all deployments; the next host runs them again. */
  async shutDown(): Promise<void> {
    this.#isStopping = true;
    await Promise.all([
      this.#parts.backend.shutDown(this.#keepers.values()),
      this.#unfinished.ended(),
    ]);
  }

  /** Returns a deployment with its definition. */
  status(record: DeploymentRecord): DeploymentStatus {
    const isStopped = record.phase === 'closed' && !this.#keepers.has(record.id);
    const summary = isStopped ? summariseClosed(record) : this.summarise(record);
    return { ...summary, sdl: this.#parts.deployments.readSdl(record) };
  }

  /** Returns a deployment with its instances as lists have it. */
  summarise(record: DeploymentRecord): DeploymentSummary {
    const keeper = this.#keeperOf(record);
    const services = keeper.services();
    const state = this.#overridingState(record);
    return state === undefined
      ? summariseDeployment(record, keeper.state(), services, this.#warnings(record))
      : summariseDeployment(record, state, inState(services, state), this.#warnings(record));
  }

  /** Returns the state of a deployment that may not run, which overrides that of its instances. */
  #overridingState({ id, phase }: DeploymentRecord): DeploymentState | undefined {
    if (phase !== 'running') return phase;
    return this.#refused.has(id) ? 'failed' : undefined;
  }

  /** Records a close, and ends the charges with it. */
  #recordClose(record: DeploymentRecord): void {
    const { deployments, metering } = this.#parts;
    const { id, phase } = record;
    if (phase === 'closed') return;
    const close = () => {
      deployments.setPhase(id, 'closed');
    };
    if (phase === 'running') metering.stopCharging(id, close);
    else close();
    this.#logEvent(record, 'closed');
  }

  /** Starts a deployment, or marks it as failed and logs the reason when the rules forbid it. */
  #start(record: DeploymentRecord): void {
    const [refusal] = findStartRefusals(this.#parts, record);
    if (refusal === undefined) {
      void this.#run(record);
      return;
    }
    this.#refuse(record);
    this.#logEvent(record, `cannot start: ${refusal.sentence}`);
  }

  /** Marks a deployment as failed, because it may not run. */
  #refuse(record: DeploymentRecord): void {
    this.#refused.add(record.id);
    this.#parts.deployments.changes.add(record);
  }

  #run(record: DeploymentRecord): Promise<void> {
    this.#refused.delete(record.id);
    return this.#keeperOf(record).run(record.generation);
  }

  /** Returns the warnings of the definition, and the refusals of an open deployment. */
  #warnings(record: DeploymentRecord): readonly SdlWarning[] {
    const refusals = record.phase === 'closed' ? [] : findStartRefusals(this.#parts, record);
    if (refusals.length === 0) return record.warnings;
    return sortByPosition([...record.warnings, ...refusalWarnings(refusals)]);
  }

  /** Stops the instances of a closed deployment and forgets it. */
  async #stopForGood({ id }: DeploymentRecord, keeper: Keeper): Promise<void> {
    await keeper.stop();
    this.#keepers.delete(id);
    this.#refused.delete(id);
    this.#renewal.forget(id);
    this.#parts.deployments.changes.forget(id);
  }

  /** Writes an event to the logs of all services. */
  #logEvent(record: DeploymentRecord, text: string) {
    for (const { name } of record.services) this.#parts.logs.event(record, name, text);
  }

  #keeperOf(record: DeploymentRecord): Keeper {
    let keeper = this.#keepers.get(record.id);
    if (keeper === undefined) {
      keeper = this.#parts.backend.keep(record);
      this.#keepers.set(record.id, keeper);
    }
    return keeper;
  }
}

const readOnlyFiles =
  'its files are read-only until the next restart: the disk has no room for a copy of them';
const unpaid = 'suspended: no active grant or balance pays for it; it resumes when one does';

interface RecoveryParts {
  readonly deployments: Pick<Deployments, 'listIncomplete' | 'listOpen' | 'remove'>;
  readonly closed: Pick<ClosedDeployments, 'listKept'>;
  readonly files: Pick<Files, 'recover' | 'remove'>;
  readonly backend: Pick<Backend, 'recover'>;
}

/**
 * Takes over from an earlier host: its services, deployments that never were complete, which are
 * removed, and changes of files, which are completed. No service may start before.
 */
async function recoverDeployments(parts: RecoveryParts): Promise<void> {
  const { deployments, closed, files, backend } = parts;
  await backend.recover();
  for (const id of deployments.listIncomplete()) {
    await files.remove(id);
    deployments.remove(id);
  }
  for (const { id, generation, appliedGeneration } of deployments.listOpen()) {
    await files.recover(id, generation, appliedGeneration);
  }
  await forEachConcurrently(closed.listKept(), ({ id }) => files.recover(id, undefined));
}

interface WindDownParts {
  readonly files: Pick<Files, 'removeGenerationsBefore'>;
  readonly logs: Pick<HostLogs, 'end'>;
  /** Called when a deployment has ended and its files and log change no more. */
  readonly onEnded: () => void;
}

/** Ends closed deployments: their instances, their log streams, and the running copies of files. */
class WindDown {
  readonly #parts: WindDownParts;
  readonly #steps = new Map<string, 'stopping' | 'cleaning'>();

  constructor(parts: WindDownParts) {
    this.#parts = parts;
  }

  /** Returns true while instances of a closed deployment may run. */
  isStopping(id: string): boolean {
    return this.#steps.get(id) === 'stopping';
  }

  /** Returns true when the files and the log of a closed deployment change no more. */
  hasEnded(id: string): boolean {
    return !this.#steps.has(id);
  }

  /** Ends a closed deployment, whose instances `stop` stops. Never rejects. */
  async run(record: LogOwner, stop: () => Promise<void>): Promise<void> {
    const { files, logs, onEnded } = this.#parts;
    this.#steps.set(record.id, 'stopping');
    await stop();
    this.#steps.set(record.id, 'cleaning');
    // The host's next start removes a generation that remains.
    await Promise.allSettled([
      logs.end(record),
      files.removeGenerationsBefore(record.id, Number.POSITIVE_INFINITY),
    ]);
    this.#steps.delete(record.id);
    onEnded();
  }
}
