import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import path from 'node:path';
import { type Atoms, parseDecimal } from '../../../source/contract/decimal.ts';
import { parseSdl } from '../../../source/contract/sdl/parse.ts';
import { startInterval } from '../../../source/host/clock.ts';
import { ClosedDeployments } from '../../../source/host/closed-deployments.ts';
import { Deployments } from '../../../source/host/deployments.ts';
import { Grants } from '../../../source/host/grants.ts';
import { Billing } from '../../../source/host/money/billing.ts';
import { ChargedRuns } from '../../../source/host/money/charged-runs.ts';
import { Metering } from '../../../source/host/money/metering.ts';
import { Wallets } from '../../../source/host/money/wallets.ts';
import { Storage } from '../../../source/host/records/storage.ts';
import type { LeftRun } from '../../../source/host/runtime/runtime.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { idle, sdlOf } from '../support/temporary-host.ts';
import { fastFolder } from '../../support/fast-folder.ts';

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

/** A run of an instance, as it went; times by the monotonic clock. */
export interface BankRun {
  readonly id: string;
  readonly deployment: string;
  readonly service: string;
  readonly instance: number;
  /** Wall-clock time of its begin. */
  readonly beganAt: number;
  readonly from: number;
  /** End of its charges; undefined while it runs. */
  to: number | undefined;
  readonly exit: () => void;
}

/** The money side of a host, whose runs have no processes. */
export class Bank {
  readonly clock = new JumpingClock();
  readonly runs: BankRun[] = [];
  readonly #dataDir = mkdtempSync(path.join(fastFolder, 'hostdeck-bank-'));
  boot = 'first boot';
  /** Times of the last charge of all runs. */
  lastCharge = this.#moment();
  storage = Storage.open(this.#dataDir);
  deployments = new Deployments(this.storage, this.clock);
  grants = new Grants(this.storage, this.clock);
  wallets = new Wallets(this.storage);
  billing = new Billing(this);
  metering = this.#meter([]);

  constructor(balances: Readonly<Record<string, Atoms>> = {}) {
    for (const wallet of wallets) this.wallets.setBalance(wallet, balances[wallet] ?? 0n);
  }

  /** Creates a deployment with one instance, whose price may be too fine for a definition. */
  deploy(owner: string, price: Atoms): string {
    const parsed = parseSdl(sdlOf({ web: idle }));
    if (!parsed.ok) throw new Error('not a definition');
    return this.#insert(owner, '', { ...parsed.definition, price });
  }

  deploySdl(owner: string, sdl: string): string {
    const parsed = parseSdl(sdl);
    if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems));
    return this.#insert(owner, sdl, parsed.definition);
  }

  close(id: string) {
    if (this.deployments.getById(id).phase === 'running') this.#end(id, 'closed', this.metering);
    else this.deployments.setPhase(id, 'closed');
  }

  /** Removes what is left of all closed deployments but their records. */
  removeClosed() {
    const closed = new ClosedDeployments(this.storage);
    closed.beginRemoval(closed.listKept(), this.clock.now());
    closed.completeRemoval(closed.listBegun());
  }

  /** Returns the runs that are charged now. */
  live(): readonly BankRun[] {
    return this.runs.filter(({ to }) => to === undefined);
  }

  /** Starts the instances of a running deployment that do not run. */
  start(id: string, metering = this.metering) {
    const { phase, services } = this.deployments.getById(id);
    if (phase !== 'running') return;
    for (const { name: service, count } of services) {
      for (let instance = 1; instance <= count; instance += 1) {
        const key = { deployment: id, service, instance };
        const isRunning = this.live().some((run) =>
          Object.entries(key).every(([name, value]) => run[name as keyof BankRun] === value),
        );
        if (!isRunning) this.#begin(key, metering);
      }
    }
  }

  /** Ends a run, as when its process exits. */
  exit(run: BankRun) {
    run.exit();
    run.to = this.clock.monotonic();
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
    this.metering.end();
    for (const run of this.live()) run.to = this.clock.monotonic();
    this.crash();
  }

  /**
   * Simulates a killed host and starts another one on the same records.
   * @param absence is called between the two; returns the runs that the next host finds.
   */
  crash(absence: () => readonly LeftRun[] = () => []) {
    this.clock.forget();
    this.storage.close();
    const left = absence();
    // The last charge is all that is known of a run that nobody has seen.
    for (const run of this.live()) {
      if (!left.some(({ id }) => id === run.id)) run.to = this.lastSeen(run).monotonic;
    }
    this.storage = Storage.open(this.#dataDir);
    this.deployments = new Deployments(this.storage, this.clock);
    this.grants = new Grants(this.storage, this.clock);
    this.wallets = new Wallets(this.storage);
    this.billing = new Billing(this);
    this.metering = this.#meter(left);
    for (const { id } of this.deployments.listOpen()) {
      if (this.metering.owes(id)) this.#end(id, 'suspended', this.metering);
      else this.start(id);
    }
  }

  /** Returns the last moment at which a run that is charged was recorded. */
  lastSeen(run: BankRun) {
    return run.from >= this.lastCharge.monotonic
      ? { monotonic: run.from, at: run.beganAt, boot: this.boot }
      : this.lastCharge;
  }

  remove() {
    this.storage.close();
    rmSync(this.#dataDir, { recursive: true, force: true });
  }

  #insert(owner: string, sdl: string, definition: Parameters<Deployments['insert']>[2]): string {
    const draft = this.deployments.insert(owner, sdl, definition);
    const phase = this.billing.canPay(draft) ? 'running' : 'suspended';
    const { id } = this.deployments.complete(draft, phase);
    this.start(id);
    return id;
  }

  #begin(key: Omit<Parameters<Metering['begin']>[0], 'id'>, metering: Metering) {
    const id = randomUUID();
    const { monotonic: from, at: beganAt } = this.#moment();
    this.runs.push({
      ...key,
      id,
      from,
      beganAt,
      to: undefined,
      exit: metering.begin({ ...key, id }),
    });
  }

  #end(id: string, phase: 'suspended' | 'closed', metering: Metering) {
    metering.stopCharging(id, () => {
      this.deployments.setPhase(id, phase);
    });
    for (const run of this.live()) {
      if (run.deployment === id) run.to = this.clock.monotonic();
    }
  }

  #moment() {
    return { monotonic: this.clock.monotonic(), at: this.clock.now(), boot: this.boot };
  }

  #meter(left: readonly LeftRun[]): Metering {
    const metering: Metering = new Metering({
      storage: this.storage,
      clock: this.clock,
      boot: this.boot,
      deployments: this.deployments,
      runs: new ChargedRuns(this.storage),
      billing: this.billing,
      events: {
        onUnpaid: (id) => {
          this.#end(id, 'suspended', metering);
        },
        onAffordable: (id) => {
          this.deployments.setPhase(id, 'running');
          this.start(id, metering);
        },
        onFailure: (error) => {
          throw error;
        },
      },
    });
    metering.recover(left, metering.moment());
    metering.start();
    startInterval(this.clock, 1000, () => {
      this.lastCharge = this.#moment();
    });
    return metering;
  }
}
