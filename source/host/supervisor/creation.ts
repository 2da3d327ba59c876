import type { DeploymentRecord } from '../deployment-record.ts';
import type { Deployments } from '../deployments.ts';
import type { DiskSpace } from '../disk-space.ts';
import type { Files, SeedFile } from '../files/files.ts';
import type { Billing } from '../money/billing.ts';
import type { HostLimits } from '../server/limits.ts';
import { type AdmissionRules, admitSdl } from './admission.ts';
import type { UnfinishedWork } from './unfinished-work.ts';
import type { ServiceDefinition } from '../../contract/sdl/definition.ts';
import { readResourceLimits, type ResourceLimits } from '../../contract/sdl/resources.ts';
import { conflict } from '../refusal.ts';

export interface CreationParts extends AdmissionRules {
  readonly deployments: Deployments;
  readonly files: Files;
  readonly billing: Billing;
  readonly limits: HostLimits;
  readonly space: Pick<DiskSpace, 'assertFree'>;
}

/** Creates the records and the files of new deployments. */
export class Creation {
  readonly #parts: CreationParts;
  readonly #unfinished: UnfinishedWork;
  readonly #assertServing: () => void;
  readonly #room: WalletRoom;

  /** @param assertServing throws while the host is stopping. */
  constructor(parts: CreationParts, unfinished: UnfinishedWork, assertServing: () => void) {
    this.#parts = parts;
    this.#unfinished = unfinished;
    this.#assertServing = assertServing;
    this.#room = new WalletRoom(parts.deployments, parts.limits);
  }

  /**
   * Returns the record of a new deployment, which is to be started when its phase is running. Throws
   * a 422 with positions for an SDL that can't run, a 409 when the wallet has no room for it, and a
   * 507 without free disk space.
   */
  async run(owner: string, sdl: string, seeds: readonly SeedFile[]): Promise<DeploymentRecord> {
    const { deployments, limits, space } = this.#parts;
    this.#assertServing();
    space.assertFree();
    const definition = await admitSdl({ owner, sdl }, this.#parts, limits);
    this.#assertServing();
    const leave = this.#room.take({ owner, sdl, services: definition.services });
    try {
      const draft = deployments.insert(owner, sdl, definition);
      return await this.#unfinished.run(() => this.#complete(draft, seeds, leave));
    } finally {
      leave();
    }
  }

  /**
   * Creates the files of a new deployment and completes its record; an error removes both.
   *
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
}

type Limits = Pick<
  HostLimits,
  'deploymentsPerWallet' | 'cpuPerWallet' | 'memoryPerWallet' | 'storagePerWallet'
>;

/** A deployment that is to be created. */
interface NewDeployment extends Pick<DeploymentRecord, 'owner' | 'services'> {
  readonly sdl: string;
}

type Candidate = NewDeployment | DeploymentRecord;

const mebibyte = 2 ** 20;

/** Returns a sum of decimals without its binary error, which would exceed a limit that it equals. */
const roundSum = (sum: number) => (Number.isInteger(sum) ? sum : Math.round(sum * 1e9) / 1e9);

const formatSize = (bytes: number) => `${Math.ceil(bytes / mebibyte)} MiB`;

/** The resources that a wallet has a limit of in sum, with their words and flags. */
const resources = [
  { key: 'cpu', limit: 'cpuPerWallet', name: 'CPU', flag: '--max-cpu', format: String },
  {
    key: 'memory',
    limit: 'memoryPerWallet',
    name: 'memory',
    flag: '--max-memory',
    format: formatSize,
  },
  {
    key: 'storage',
    limit: 'storagePerWallet',
    name: 'storage',
    flag: '--max-storage',
    format: formatSize,
  },
] as const;

/** Decides whether a wallet has room for another deployment next to its open ones. */
export class WalletRoom {
  readonly #deployments: Pick<Deployments, 'listOpenOf' | 'readSdl'>;
  readonly #limits: Limits;
  /** Deployments by wallet whose creation has begun. */
  readonly #arriving = new Map<string, Set<Candidate>>();
  /** Resource limits by the services of a definition. */
  readonly #resources = new WeakMap<
    readonly ServiceDefinition[],
    ReadonlyMap<string, ResourceLimits>
  >();

  constructor(deployments: Pick<Deployments, 'listOpenOf' | 'readSdl'>, limits: Limits) {
    this.#deployments = deployments;
    this.#limits = limits;
  }

  /**
   * Takes the room for a deployment until the returned function is called, once its record is
   * complete or its creation has failed. Throws a 409 that names the limit.
   */
  take(candidate: NewDeployment): () => void {
    const { owner } = candidate;
    const arriving = this.#arriving.get(owner) ?? new Set();
    const others = [...this.#deployments.listOpenOf(owner), ...arriving];
    this.#assertFewer(others.length);
    this.#assertResources(candidate, others);
    arriving.add(candidate);
    this.#arriving.set(owner, arriving);
    return () => {
      arriving.delete(candidate);
      if (arriving.size === 0) this.#arriving.delete(owner);
    };
  }

  #assertFewer(count: number): void {
    const { deploymentsPerWallet } = this.#limits;
    if (count < deploymentsPerWallet) return;
    throw conflict(
      `This wallet has ${count} open deployments, and a wallet on this host may have ` +
        `${deploymentsPerWallet} (--max-deployments). Close one and try again.`,
    );
  }

  #assertResources(candidate: Candidate, others: readonly Candidate[]): void {
    for (const { key, limit, name, flag, format } of resources) {
      const most = this.#limits[limit];
      if (most === Number.POSITIVE_INFINITY) continue;
      const unlimited = this.#findUnlimited(candidate, key);
      if (unlimited !== undefined) {
        throw conflict(
          `Service ${unlimited.name} sets no limit of its ${name}, and this host limits that of a ` +
            `wallet (${flag}). Set it in the resources of its compute profile.`,
        );
      }
      const needed = this.#sum(candidate, key);
      const used = roundSum(others.reduce((sum, other) => sum + this.#sum(other, key), 0));
      if (roundSum(used + needed) <= most) continue;
      throw conflict(
        `The definition asks for ${format(needed)} of ${name}, the other open deployments of this ` +
          `wallet for ${format(used)}, and a wallet on this host may have ${format(most)} in sum ` +
          `(${flag}). Ask for less, or close one.`,
      );
    }
  }

  #findUnlimited(candidate: Candidate, key: keyof ResourceLimits): ServiceDefinition | undefined {
    const limits = this.#limitsOf(candidate);
    return candidate.services.find(({ name }) => limits.get(name)?.[key] === undefined);
  }

  #sum(candidate: Candidate, key: keyof ResourceLimits): number {
    const limits = this.#limitsOf(candidate);
    return roundSum(
      candidate.services.reduce(
        (sum, { name, count }) => sum + count * (limits.get(name)?.[key] ?? 0),
        0,
      ),
    );
  }

  #limitsOf(candidate: Candidate): ReadonlyMap<string, ResourceLimits> {
    const { services } = candidate;
    let limits = this.#resources.get(services);
    if (limits === undefined) {
      const sdl = 'sdl' in candidate ? candidate.sdl : this.#deployments.readSdl(candidate);
      limits = readResourceLimits(sdl);
      this.#resources.set(services, limits);
    }
    return limits;
  }
}
