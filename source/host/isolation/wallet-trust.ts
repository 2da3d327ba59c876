import type { RuntimeName } from '../runtime/names.ts';
import type { Isolation } from './isolation.ts';

export interface WalletTrustParts {
  readonly isolation: Pick<Isolation, 'isInForce' | 'weakness'>;
  readonly runtime: RuntimeName;
  /** The wallet of the person at this machine. */
  readonly ownWallet: string;
  /** True when that person permits every wallet to run services. */
  readonly trustWallets: boolean;
}

/**
 * Decides which wallets' services may run. Tokens cost nothing to create, so a wallet does not
 * identify a person: without isolation, another wallet's service could do anything that the host's
 * own user can.
 */
export class WalletTrust {
  readonly #parts: WalletTrustParts;

  constructor(parts: WalletTrustParts) {
    this.#parts = parts;
  }

  /** True when services can't reach the host and other wallets' services, or are trusted. */
  get isSafe(): boolean {
    return this.#parts.trustWallets || this.#isIsolated;
  }

  /** A sentence on which deployments run when services are not isolated; else undefined. */
  get note(): string | undefined {
    if (this.#isIsolated) return undefined;
    const scope = this.#parts.trustWallets
      ? 'the deployments of every wallet run (--trust-wallets)'
      : 'only the deployments of your own wallet run';
    return `Services aren't isolated from this user's files: ${scope}.`;
  }

  /**
   * Returns sentences on why this wallet's service may not run and what to do; undefined when it
   * may run.
   */
  refusal(wallet: string, service: { readonly isContainer: boolean }): string | undefined {
    const { isolation, ownWallet, trustWallets } = this.#parts;
    if (trustWallets || wallet === ownWallet) return undefined;
    const isIsolated = service.isContainer ? isolation.weakness === undefined : isolation.isInForce;
    if (isIsolated) return undefined;
    return `This host runs only its own wallet's deployments, because services aren't isolated from it. ${this.ways}`;
  }

  /** Sentences on how to get isolation. */
  get ways(): string {
    const { weakness } = this.#parts.isolation;
    if (weakness !== undefined) {
      return `${weakness} Give that engine TLS, or start the host with --trust-wallets.`;
    }
    return (
      'Install bubblewrap and leave out --sandbox off (as root, install setpriv of util-linux), or ' +
      'start the host with --trust-wallets.'
    );
  }

  get #isIsolated(): boolean {
    const { isolation, runtime } = this.#parts;
    return runtime === 'container' || runtime === 'swarm'
      ? isolation.weakness === undefined
      : isolation.isInForce;
  }
}
