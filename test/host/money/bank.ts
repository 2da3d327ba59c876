import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type Atoms, parseDecimal } from '../../../source/contract/decimal.ts';
import { Deployments } from '../../../source/host/deployments.ts';
import { Grants } from '../../../source/host/grants.ts';
import { Metering } from '../../../source/host/money/metering.ts';
import { Wallets } from '../../../source/host/money/wallets.ts';
import { Storage } from '../../../source/host/records/storage.ts';
import { ManualClock } from '../support/manual-clock.ts';

export const wallets = ['a', 'b', 'c'] as const;

/** A manual clock whose wall-clock time can jump without affecting durations. */
class JumpingClock extends ManualClock {
  #offset = 0;

  override now(): number {
    return super.now() + this.#offset;
  }

  jump(ms: number): void {
    this.#offset += ms;
  }
}

/** The money side of a host without instances, whose deployments are records only. */
export class Bank {
  readonly clock = new JumpingClock();
  /** Changes of phase with their monotonic times. */
  readonly events: { readonly id: string; readonly runs: boolean; readonly at: number }[] = [];
  readonly #dataDir = mkdtempSync(path.join(tmpdir(), 'hostdeck-bank-'));
  storage = Storage.open(this.#dataDir);
  deployments = new Deployments(this.storage, this.clock);
  grants = new Grants(this.storage, this.clock);
  wallets = new Wallets(this.storage);
  metering = this.#meter();

  constructor(balances: Readonly<Record<string, Atoms>> = {}) {
    for (const wallet of wallets) this.wallets.setBalance(wallet, balances[wallet] ?? 0n);
  }

  deploy(owner: string, price: Atoms): string {
    const definition = { name: 'x', services: [], placements: [], parts: [], warnings: [], price };
    const draft = this.deployments.insert(owner, '', definition);
    const phase = this.metering.canPay(draft) ? 'running' : 'suspended';
    const { id } = this.deployments.complete(draft, phase);
    if (phase === 'running') this.#begin(id, this.metering);
    return id;
  }

  close(id: string) {
    if (this.deployments.getById(id).phase === 'running') this.#end(id, 'closed', this.metering);
    else this.deployments.setPhase(id, 'closed');
  }

  grant(grantor: string, grantee: string, limit: Atoms, ms: number): string {
    return this.grants.insert({ grantor, grantee, limit, expiresAt: this.clock.now() + ms }).id;
  }

  spent(grant: string): Atoms {
    const row = this.storage.prepare('select spent from grants where id = ?').get(grant);
    return parseDecimal(String(row?.['spent'])) ?? 0n;
  }

  /** Stops the host and starts another one on the same records. */
  restart() {
    this.metering.stop();
    this.crash();
  }

  /** Simulates a killed host and starts another one on the same records. */
  crash() {
    const at = this.clock.monotonic();
    for (const { id, phase } of this.deployments.listOpen()) {
      if (phase === 'running') this.events.push({ id, runs: false, at });
    }
    this.clock.forget();
    this.storage.close();
    this.storage = Storage.open(this.#dataDir);
    this.deployments = new Deployments(this.storage, this.clock);
    this.grants = new Grants(this.storage, this.clock);
    this.wallets = new Wallets(this.storage);
    this.metering = this.#meter();
    for (const { id, phase } of this.deployments.listOpen()) {
      if (phase === 'running') this.#begin(id, this.metering);
    }
  }

  remove() {
    this.storage.close();
    rmSync(this.#dataDir, { recursive: true, force: true });
  }

  #begin(id: string, metering: Metering) {
    this.events.push({ id, runs: true, at: this.clock.monotonic() });
    metering.track(id);
  }

  #end(id: string, phase: 'suspended' | 'closed', metering: Metering) {
    metering.untrack(id, () => {
      this.deployments.setPhase(id, phase);
    });
    this.events.push({ id, runs: false, at: this.clock.monotonic() });
  }

  #meter(): Metering {
    const metering: Metering = new Metering({
      storage: this.storage,
      clock: this.clock,
      deployments: this.deployments,
      grants: this.grants,
      wallets: this.wallets,
      events: {
        onUnpaid: (id) => {
          this.#end(id, 'suspended', metering);
        },
        onAffordable: (id) => {
          this.deployments.setPhase(id, 'running');
          this.#begin(id, metering);
        },
        onFailure: (error) => {
          throw error;
        },
      },
    });
    metering.start();
    return metering;
  }
}
