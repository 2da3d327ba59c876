import { existsSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Storage } from '../../source/host/records/storage.ts';
import { wrongInTheEnd } from '../support/bounded-wait.ts';
import { removeMachineVolumes } from '../host/support/machine-volumes.ts';
import { Home } from '../e2e/harness-home.ts';
import { HostClock } from './host-clock.ts';
import { Clients, type Overseer } from './host-clients.ts';
import { judgeMoney } from './host-judge.ts';
import { leftoversIn } from './host-leftovers.ts';
import { minFree, SmallDataDisk } from './host-disk.ts';
import { type Life, moneyIn } from './host-ledger.ts';
import type { ActionKind, HostMoment, HostPlan } from './host-plan.ts';
import type { Judgement } from './judge.ts';
import { type Carrier, carriersOf, MortalHost } from './mortal-host.ts';

/** Ms of work after which the host is killed where the moment does not come. */
const longestWork = 1_500;

/** Ms in which the clients work on the last life of the host. */
const lastWork = 300;

/** Ms in which what goes on after a start is done. */
const settlesWithin = 10_000;

/** Kills a host at the moments of a plan while clients work on it, and looks at what is left. */
export async function runHostRound(plan: HostPlan): Promise<Judgement> {
  const home = new Home();
  let disk: SmallDataDisk | undefined;
  try {
    if (plan.disk !== 'ample') disk = SmallDataDisk.mount(dataDirOf(home), plan.disk);
    const round = new HostRound(plan, home, disk);
    return await round.run();
  } finally {
    disk?.empty();
    removeMachineVolumes(dataDirOf(home));
    disk?.unmount();
    home.remove();
  }
}

function dataDirOf(home: Home): string {
  return path.join(home.folder, 'host');
}

class HostRound implements Overseer {
  readonly disk: SmallDataDisk | undefined;
  readonly clock: HostClock;
  readonly #plan: HostPlan;
  readonly #home: Home;
  readonly #dataDir: string;
  readonly #mark: string;
  readonly #broken: string[] = [];
  readonly #lives: Life[] = [];
  #clients: Clients | undefined;
  #over = true;
  #gone = Promise.withResolvers<never>();
  #sent: (kind: ActionKind) => void = () => undefined;

  constructor(plan: HostPlan, home: Home, disk: SmallDataDisk | undefined) {
    this.disk = disk;
    this.#plan = plan;
    this.#home = home;
    this.#dataDir = dataDirOf(home);
    this.clock = new HostClock(path.join(home.folder, 'clock'));
    this.#mark = `HOSTDECK_FAULTS=${path.basename(home.folder)}`;
  }

  onSend = (kind: ActionKind): void => {
    this.#sent(kind);
  };

  onBroken = (sentence: string): void => {
    this.#broken.push(`life ${this.#lives.length + 1}: ${sentence}`);
  };

  isOver = (): boolean => this.#over;

  mayLackSpace = (since: number): boolean => this.disk?.wasShort(since) === true;

  gone = (): Promise<never> => this.#gone.promise;

  async run(): Promise<Judgement> {
    if (!existsSync(this.#dataDir)) mkdirSync(this.#dataDir, { mode: 0o700 });
    const storage = Storage.open(this.#dataDir);
    storage.writeMeta('sample', 'none');
    storage.close();
    for (const moment of this.#plan.kills) await this.#live(moment);
    await this.#live(undefined);
    this.disk?.empty();
    const left = carriersOf(this.#mark);
    if (left.length > 0) this.onBroken(`${left.length} processes outlive a host that ended`);
    const money = moneyIn(this.#dataDir, this.#clients?.paid ?? [], this.#lives);
    this.#broken.push(...judgeMoney(money));
    const held = [
      `${this.#lives.length} lives`,
      `${this.#clients?.lines ?? 0} lines`,
      `${this.#clients?.backups ?? 0} backups`,
      `${this.#clients?.refused ?? 0} requests refused on a disk that was ${this.disk === undefined ? 'ample' : this.#plan.disk}`,
      `${money.costs.length} deployments`,
      `${money.grants.length} grants`,
    ];
    return { held, broken: [...new Set(this.#broken)] };
  }

  /** One life of the host: until it is killed, or ends in order without a moment. */
  async #live(moment: HostMoment | undefined): Promise<void> {
    const before = carriersOf(this.#mark);
    const { sandbox } = this.#plan;
    const host = MortalHost.spawn(this.#dataDir, {
      sandbox,
      env: { ...this.#home.env, HOSTDECK_FAULTS_CLOCK: this.clock.file },
      more: this.disk === undefined ? [] : ['--min-free', minFree],
    });
    this.#gone = Promise.withResolvers();
    this.#gone.promise.catch(() => undefined);
    let up = Number.POSITIVE_INFINITY;
    let until = Number.POSITIVE_INFINITY;
    try {
      if (moment?.kind === 'start') {
        await sleep(moment.after);
      } else {
        await host.up();
        up = performance.now();
        this.disk?.empty();
        await this.#morning(host, before);
        await this.#work(host, moment);
      }
    } finally {
      until = performance.now();
      await host.end(moment === undefined ? 'SIGTERM' : 'SIGKILL');
      this.#gone.reject(new Error('the host is gone'));
      this.#lives.push({ from: host.bornAt, up, until, to: performance.now() });
    }
  }

  /** Looks at what is there after a start. */
  async #morning(host: MortalHost, before: readonly Carrier[]): Promise<void> {
    const known = new Set(before.map(({ pid, since }) => `${pid} ${since}`));
    const orphans = carriersOf(this.#mark).filter(({ pid, since }) => known.has(`${pid} ${since}`));
    if (orphans.length > 0) this.onBroken(`${orphans.length} processes outlive a killed host`);
    const { dataDir, plan, mark } = { dataDir: this.#dataDir, plan: this.#plan, mark: this.#mark };
    this.#clients ??= await Clients.settle({ dataDir, plan, mark, overseer: this }, host.baseUrl);
    const clients = this.#clients;
    await clients.check(host.baseUrl, new Set(before.map(({ pid }) => pid)));
    const look = () => {
      const leftovers = leftoversIn(dataDir, clients.closed);
      return leftovers.length === 0 ? undefined : leftovers;
    };
    const leftovers = await wrongInTheEnd(look, { within: settlesWithin, every: 20 });
    for (const leftover of leftovers ?? []) this.onBroken(leftover);
  }

  /** Lets the clients work until the moment is there. */
  async #work(host: MortalHost, moment: HostMoment | undefined): Promise<void> {
    const killed = Promise.withResolvers<void>();
    const end = (): void => {
      if (this.#over) return;
      this.#over = true;
      if (moment === undefined) killed.resolve();
      else host.end('SIGKILL').then(killed.resolve, killed.reject);
    };
    const gone = async (): Promise<void> => {
      await killed.promise;
      if (moment !== undefined) this.#gone.reject(new Error('the host was killed'));
    };
    this.#over = false;
    let nth = 0;
    this.#sent = (kind) => {
      if (moment?.kind !== 'sent' || moment.what !== kind) return;
      nth += 1;
      if (nth === moment.nth) setTimeout(end, moment.after);
    };
    const late = setTimeout(end, workFor(moment));
    const work = this.#clients?.work();
    await Promise.all([work, gone()]);
    clearTimeout(late);
    this.#sent = () => undefined;
  }
}

function workFor(moment: HostMoment | undefined): number {
  if (moment === undefined) return lastWork;
  return moment.kind === 'clock' ? moment.after : longestWork;
}
