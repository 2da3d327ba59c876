import type { Atoms } from '../../contract/decimal.ts';
import type { DeploymentRecord } from '../deployment-record.ts';
import type { Deployments } from '../deployments.ts';
import type { Grants } from '../grants.ts';
import { accrueCost, type Payer, splitPayment, type Usage, usageOf } from './ledger.ts';
import type { Wallets } from './wallets.ts';

/** Running time that must be payable before a deployment starts or resumes, in milliseconds. */
const advanceMs = 1000;

/**
 * Books the usage of deployments: first to the creator's active grants, the soonest-expiring one
 * first, then to the creator's balance. An amount that nobody covers is owed.
 */
export class Billing {
  readonly #deployments: Deployments;
  readonly #grants: Grants;
  readonly #wallets: Wallets;

  constructor(parts: {
    readonly deployments: Deployments;
    readonly grants: Grants;
    readonly wallets: Wallets;
  }) {
    this.#deployments = parts.deployments;
    this.#grants = parts.grants;
    this.#wallets = parts.wallets;
  }

  /** Charges a deployment for a usage and for what it owes. Returns the amount that stays owed. */
  charge(record: DeploymentRecord, usage: Usage): Atoms {
    const account = this.#deployments.getAccount(record.id);
    const { cost, carry } = accrueCost(usage, account.carry);
    const due = account.owed + cost;
    const { payments, unpaid } = this.#split(record.owner, due);
    for (const { payer, amount } of payments) {
      this.#wallets.setBalance(payer.wallet, this.#wallets.getBalance(payer.wallet) - amount);
      if (payer.grant !== undefined) this.#grants.spend(payer.grant.id, amount);
    }
    const paid = account.paid + due - unpaid;
    this.#deployments.setAccount(record.id, { carry, owed: unpaid, paid });
    return unpaid;
  }

  /** Returns the price of all running deployments of a wallet for a block. */
  runningPrice(owner: string): Atoms {
    return this.#deployments
      .listOpenOf(owner)
      .reduce((sum, { phase, price }) => (phase === 'running' ? sum + price : sum), 0n);
  }

  /**
   * Returns true when the owed amount and one more second of a deployment that does not run can be
   * paid, next to a second of the running deployments of its wallet: together they must not outrun
   * what pays for each of them.
   * @param others the price of those running deployments for a block.
   */
  canPay(record: DeploymentRecord, others = this.runningPrice(record.owner)): boolean {
    const { owed, carry } = this.#deployments.getAccount(record.id);
    if (record.price === 0n && owed === 0n) return true;
    const { cost } = accrueCost(usageOf(record.price + others, advanceMs), carry);
    return this.#split(record.owner, owed + cost).unpaid === 0n;
  }

  #split(owner: string, due: Atoms) {
    const payers: Payer[] = this.#grants
      .listSpendable(owner)
      .map(({ id, grantor, remaining }) => ({ wallet: grantor, grant: { id, left: remaining } }));
    payers.push({ wallet: owner });
    return splitPayment(due, payers, (wallet) => this.#wallets.getBalance(wallet));
  }
}
