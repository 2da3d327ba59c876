import type { Atoms } from '../../contract/decimal.ts';
import { type HostClock, startInterval } from '../clock.ts';
import type { DeploymentRecord } from '../deployment-record.ts';
import type { Deployments } from '../deployments.ts';
import type { Grants } from '../grants.ts';
import type { Storage } from '../records/storage.ts';
import { accrueCost, type Payer, splitPayment } from './ledger.ts';
import type { Wallets } from './wallets.ts';

const intervalMs = 1000;

/** Events of metering: a deployment can no longer be paid, or can be paid again. */
export interface MeteringEvents {
  onUnpaid(id: string): void;
  onAffordable(id: string): void;
  /** A charge could not be written. The time is charged with the next write that succeeds. */
  onFailure(error: unknown): void;
}

/**
 * Charges running deployments each second for the time since their last charge: first to the
 * creator's soonest-expiring active grants, then to the creator's balance. An unpaid amount is owed
 * and suspends the deployment. The deployment resumes when the owed amount and one more second can
 * be paid.
 */
export class Metering {
  readonly #storage: Storage;
  readonly #clock: HostClock;
  readonly #deployments: Deployments;
  readonly #grants: Grants;
  readonly #wallets: Wallets;
  readonly #events: MeteringEvents;
  /** Monotonic time of the last charge, by id of each running deployment. */
  readonly #chargedAt = new Map<string, number>();
  #stop: (() => void) | undefined;

  constructor(parts: {
    readonly storage: Storage;
    readonly clock: HostClock;
    readonly deployments: Deployments;
    readonly grants: Grants;
    readonly wallets: Wallets;
    readonly events: MeteringEvents;
  }) {
    this.#storage = parts.storage;
    this.#clock = parts.clock;
    this.#deployments = parts.deployments;
    this.#grants = parts.grants;
    this.#wallets = parts.wallets;
    this.#events = parts.events;
  }

  /** Starts charging every second. */
  start(): void {
    this.#stop = startInterval(this.#clock, intervalMs, () => {
      this.charge();
    });
  }

  /** Charges for the time up to now, then stops charging. */
  stop(): void {
    this.#stop?.();
    this.charge();
  }

  /** Starts metering a deployment, unless it is metered already. */
  track(id: string): void {
    if (!this.#chargedAt.has(id)) this.#chargedAt.set(id, this.#clock.monotonic());
  }

  /**
   * Charges a deployment for the time up to now, applies `change` and stops metering. Metering
   * continues when the charge or `change` fails.
   */
  untrack(id: string, change: () => void): void {
    this.#chargeAll([this.#deployments.getById(id)]);
    change();
    this.#chargedAt.delete(id);
  }

  /** Returns true when the owed amount and one more second can be paid. */
  canPay(record: DeploymentRecord): boolean {
    const { owed, carry } = this.#deployments.getAccount(record.id);
    const due = owed + accrueCost(record.price, intervalMs, carry).cost;
    return this.#split(record, due).unpaid === 0n;
  }

  /** Charges every running deployment in one transaction, then sends the events. */
  charge(): void {
    try {
      const open = this.#deployments.listOpen();
      const unpaid = this.#chargeAll(open.filter(({ phase }) => phase === 'running'));
      const affordable = open.filter(
        (record) => record.phase === 'suspended' && this.canPay(record),
      );
      for (const id of unpaid) this.#events.onUnpaid(id);
      for (const { id } of affordable) this.#events.onAffordable(id);
    } catch (error) {
      this.#events.onFailure(error);
    }
  }

  /** Charges deployments in one transaction. Returns the ids of those not paid in full. */
  #chargeAll(records: readonly DeploymentRecord[]): readonly string[] {
    const charged = new Map<string, number>();
    const unpaid = this.#storage.transaction(() =>
      records.filter((record) => {
        const since = this.#chargedAt.get(record.id);
        if (since === undefined) return false;
        // Charge whole milliseconds; the next charge includes the fraction.
        const elapsed = Math.max(0, Math.floor(this.#clock.monotonic() - since));
        charged.set(record.id, since + elapsed);
        return this.#chargeOne(record, elapsed) > 0n;
      }),
    );
    // Advance the times only after the transaction has committed.
    for (const [id, at] of charged) this.#chargedAt.set(id, at);
    return unpaid.map(({ id }) => id);
  }

  /** Charges a deployment for `elapsed` milliseconds. Returns the unpaid amount. */
  #chargeOne(record: DeploymentRecord, elapsed: number): Atoms {
    if (record.price === 0n) return 0n;
    const account = this.#deployments.getAccount(record.id);
    const { cost, carry } = accrueCost(record.price, elapsed, account.carry);
    const due = account.owed + cost;
    const { payments, unpaid } = this.#split(record, due);
    for (const { payer, amount } of payments) {
      this.#wallets.setBalance(payer.wallet, this.#wallets.getBalance(payer.wallet) - amount);
      if (payer.grant !== undefined) this.#grants.spend(payer.grant.id, amount);
    }
    const paid = account.paid + due - unpaid;
    this.#deployments.setAccount(record.id, { carry, owed: unpaid, paid });
    return unpaid;
  }

  #split(record: DeploymentRecord, due: Atoms) {
    const payers: Payer[] = this.#grants
      .listSpendable(record.owner)
      .map(({ id, grantor, remaining }) => ({ wallet: grantor, grant: { id, left: remaining } }));
    payers.push({ wallet: record.owner });
    return splitPayment(due, payers, (wallet) => this.#wallets.getBalance(wallet));
  }
}
