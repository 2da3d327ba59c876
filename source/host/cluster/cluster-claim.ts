import type { EngineClient } from '../engine/engine-client.ts';
import { engineStatus, shorten } from '../engine/engine-error.ts';
import { createConfig, findConfig, updateConfig } from '../engine/swarm.ts';
import { StartFailure } from '../start-failure.ts';
import { type Claim, claimLabels, claimStep, readClaim, termOf } from './claim.ts';

/** Another host has taken the services over; this one may change nothing any more. */
export class ClaimLost extends Error {
  override readonly name = 'ClaimLost';
}

export interface ClaimParts {
  readonly client: EngineClient;
  /** Id of the host, unique on the cluster. */
  readonly host: string;
  readonly onLost: (error: ClaimLost) => void;
}

/** Attempts to create or to take a claim, each of which fails only when another host was faster. */
const maxAttempts = 3;

/** The claim of a host on its services. Without it, the host changes nothing on the cluster. */
export class ClusterClaim {
  readonly #client: EngineClient;
  readonly #host: string;
  readonly #claim: Claim;
  readonly #onLost: (error: ClaimLost) => void;
  /** True when another host had the claim before. */
  readonly isTaken: boolean;

  private constructor(
    { client, host, onLost }: ClaimParts,
    claim: Claim,
    { isTaken }: { readonly isTaken: boolean },
  ) {
    this.#client = client;
    this.#host = host;
    this.#onLost = onLost;
    this.#claim = claim;
    this.isTaken = isTaken;
  }

  /**
   * Resolves with the claim on the services of a host id. Throws a `StartFailure` when another host
   * has it and `takesOver` is false.
   */
  static async acquire(
    parts: ClaimParts,
    own: Omit<Claim, 'term' | 'since'>,
    takesOver: boolean,
  ): Promise<ClusterClaim> {
    const { client, host } = parts;
    const since = new Date().toISOString();
    for (let attempt = 1; ; attempt += 1) {
      const config = await findConfig(client, nameOf(host));
      const present = config === undefined ? undefined : readClaim(config.labels);
      const { kind, claim } = claimStep(present, { ...own, since }, takesOver);
      if (kind === 'refuse') throw heldElsewhere(claim);
      if (kind === 'hold') return new ClusterClaim(parts, claim, { isTaken: false });
      try {
        const labels = claimLabels(host, claim);
        if (config === undefined) await createConfig(client, nameOf(host), labels);
        else await updateConfig(client, config, labels);
        return new ClusterClaim(parts, claim, { isTaken: kind === 'take' });
      } catch (error) {
        // A name that exists: 409; a version that is not the present one: 500.
        const status = engineStatus(error);
        if (attempt === maxAttempts || (status !== 409 && status !== 500)) throw error;
      }
    }
  }

  get term(): number {
    return this.#claim.term;
  }

  /** Throws a {@link ClaimLost} when another host has changed one of these services since. */
  assertOwn(services: readonly Parameters<typeof termOf>[0][]): void {
    if (services.some((service) => termOf(service) > this.term)) this.#lose();
  }

  /** Rejects with a {@link ClaimLost} when another host has the claim by now. */
  async assertHeld(): Promise<void> {
    const config = await findConfig(this.#client, nameOf(this.#host));
    const { holder, term } = readClaim(config?.labels ?? {});
    if (holder !== this.#claim.holder || term !== this.term) this.#lose();
  }

  #lose(): never {
    const error = new ClaimLost(
      'another host has taken over the services of this one on the cluster',
    );
    this.#onLost(error);
    throw error;
  }
}

function nameOf(host: string): string {
  return `hostdeck-${host}`;
}

function heldElsewhere({ place, since }: Claim): StartFailure {
  return new StartFailure(
    'held-cluster',
    `Another host runs the services of this data folder on the cluster: ${shorten(place)}, since ${shorten(since)}.`,
    'Use that one. If it has ended for good, or its folder was moved here, start with --take-over.',
  );
}
