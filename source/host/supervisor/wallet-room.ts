import type { ServiceDefinition } from '../../contract/sdl/definition.ts';
import { readResourceLimits, type ResourceLimits } from '../../contract/sdl/resources.ts';
import type { DeploymentRecord } from '../deployment-record.ts';
import type { Deployments } from '../deployments.ts';
import { conflict } from '../refusal.ts';
import type { HostLimits } from '../server/limits.ts';

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
