import type { RuntimeName } from '../runtime/names.ts';
import type { Isolation } from './isolation.ts';

export interface WalletTrustParts {
  readonly isolation: Pick<Isolation, 'isInForce' | 'weakness'>;
  readonly runtime: RuntimeName;
  /** The wallet of the person at this machine. */
  readonly ownWallet: string;
  /** Whether that person lets every wallet run what it likes. */
  readonly trustWallets: boolean;
}

/**
 * Decides whose services may run. Tokens are free to make, so a wallet says nothing about who
 * stands behind it: without isolation another wallet's service could do all that the host's own
 * user can.
 */
export class WalletTrust {
  readonly #parts: WalletTrustParts;

  constructor(parts: WalletTrustParts) {
    this.#parts = parts;
  }

  /** Whether services can't reach the host and those of other wallets, or are trusted to. */
  get isSafe(): boolean {
    return this.#parts.trustWallets || this.#areApart;
  }

  /** Whose deployments run where nothing keeps services apart, as a sentence; else undefined. */
  get note(): string | undefined {
    if (this.#areApart) return undefined;
    const whose = this.#parts.trustWallets
      ? 'the deployments of every wallet run (--trust-wallets)'
      : 'only the deployments of your own wallet run';
    return `Nothing keeps services from this user's files: ${whose}.`;
  }

  /**
   * Returns why this wallet's service may not run, as a sentence with what to do; undefined where
   * it may.
   */
  refusal(wallet: string, service: { readonly isContainer: boolean }): string | undefined {
    const { isolation, ownWallet, trustWallets } = this.#parts;
    if (trustWallets || wallet === ownWallet) return undefined;
    const isApart = service.isContainer ? isolation.weakness === undefined : isolation.isInForce;
    if (isApart) return undefined;
    return `This host runs only its own wallet's deployments, as nothing keeps services from it. ${this.ways}`;
  }

  /** The ways to have isolation, as sentences. */
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

  get #areApart(): boolean {
    const { isolation, runtime } = this.#parts;
    return runtime === 'container' ? isolation.weakness === undefined : isolation.isInForce;
  }
}
