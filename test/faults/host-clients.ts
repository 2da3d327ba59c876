import { setTimeout as sleep } from 'node:timers/promises';
import { issueToken, walletBalance } from '../../source/host/administration.ts';
import { wrongInTheEnd } from '../support/bounded-wait.ts';
import { deploy, readDeployment, readLines } from '../host/support/bodies.ts';
import { type Caller, callHost } from '../host/support/temporary-host.ts';
import { BackupClient } from './host-backups.ts';
import type { HostClock } from './host-clock.ts';
import { deploymentsOf, paidPrice } from './host-deployments.ts';
import type { SmallDataDisk } from './host-disk.ts';
import { FileClient, type Line } from './host-files.ts';
import { LogClient } from './host-logs.ts';
import { carriersOf } from './mortal-host.ts';
import { MoneyClient } from './host-money.ts';
import { OwnerClient } from './host-owner.ts';
import type { ActionKind, HostPlan } from './host-plan.ts';
import { judgeCounts, lastCount } from './host-volumes.ts';

/** Ms in which a service is up after its host, on a machine that is busy. */
const runsWithin = 15_000;

const names = ['owner', 'many', 'poor', 'sponsor'] as const;

/** Observes the actions of the clients. */
export interface Overseer {
  readonly onSend: (kind: ActionKind) => void;
  readonly onBroken: (sentence: string) => void;
  readonly isOver: () => boolean;
  /** The file system of the data folder; undefined where it is never full. */
  readonly disk: SmallDataDisk | undefined;
  readonly clock: HostClock;
  readonly mayLackSpace: (since: number) => boolean;
  /** Rejects when the host of the moment is gone. */
  readonly gone: () => Promise<never>;
}

/** A deployment of the clients, with the times from and to which it may have cost something. */
export interface Paid {
  readonly id: string;
  readonly name: string;
  readonly from: number;
  readonly to: number;
  /** Since when it must have cost something; never where it may have been without money. */
  readonly surely: number;
}

interface Parts {
  readonly dataDir: string;
  readonly plan: HostPlan;
  readonly mark: string;
  readonly overseer: Overseer;
}

/** All who work on a host, over its lives: each goes on where it was when the host was killed. */
export class Clients {
  /** Number of requests that were refused for want of disk space. */
  refused = 0;
  readonly #parts: Parts;
  readonly #callers: Readonly<Record<(typeof names)[number], Caller>>;
  readonly #fixed: readonly Paid[];
  readonly #shop: string;
  readonly #files: { readonly web: FileClient; readonly job: FileClient };
  readonly #owner: OwnerClient;
  readonly #money: MoneyClient;
  readonly #backups: BackupClient;
  readonly #logs: readonly { readonly log: LogClient; readonly caller: Caller }[];
  readonly #work: readonly AsyncIterator<void>[];
  /** The count of runs that the service has printed by the last look. */
  #counted = 0;
  /** The address of the current host. */
  readonly #place: { baseUrl: string };

  private constructor(
    parts: Parts,
    place: { baseUrl: string },
    callers: Readonly<Record<(typeof names)[number], Caller>>,
    fixed: readonly (Paid & { readonly owner: Caller })[],
  ) {
    this.#parts = parts;
    this.#place = place;
    this.#callers = callers;
    this.#fixed = fixed;
    const { dataDir, plan, mark } = parts;
    const { disk } = parts.overseer;
    const [shop, , paid] = fixed;
    this.#shop = shop?.id ?? '';
    this.#files = {
      web: new FileClient(this.#shop, 'web'),
      job: new FileClient(this.#shop, 'job'),
    };
    this.#owner = new OwnerClient(deploymentsOf(mark, plan.stubborn).spare);
    this.#money = new MoneyClient({
      dataDir,
      clock: parts.overseer.clock,
      poor: callers.poor,
      deployment: paid?.id ?? '',
      price: paidPrice,
    });
    this.#backups = new BackupClient({
      dataDir,
      deployment: this.#shop,
      files: this.#files,
      counted: () => this.#counted,
    });
    this.#logs = fixed.map(({ id, name, owner }) => ({
      log: new LogClient(id, name),
      caller: owner,
    }));
    const [owner, many, sponsor] = [callers.owner, callers.many, callers.sponsor].map((caller) =>
      this.#lineOf(caller),
    ) as [Line, Line, Line];
    this.#work = [
      each(plan.restarting, (action) => this.#files.web.act(action, owner)),
      each(plan.beside, (action) => this.#files.job.act(action, owner)),
      each(plan.owner, (action) => this.#owner.act(action, many)),
      each(plan.money, (action) => this.#money.act(action, sponsor)),
      each(disk === undefined ? [] : plan.fills, async (fill) =>
        disk?.act(fill, parts.overseer.gone),
      ),
      each(plan.backups, (wait) => this.#backups.act(wait, parts.overseer)),
    ];
  }

  /** Makes what they work on. */
  static async settle(parts: Parts, baseUrl: string): Promise<Clients> {
    const { dataDir, plan, mark, overseer } = parts;
    const place = { baseUrl };
    const callers = Object.fromEntries(
      await Promise.all(
        names.map(async (wallet): Promise<[string, Caller]> => {
          const token = await issueToken(dataDir, wallet);
          // Some requests that are on their way to a host that dies are never told so.
          const call: Caller['call'] = (operation, options) =>
            Promise.race([callHost(place.baseUrl, token, operation, options), overseer.gone()]);
          return [wallet, { wallet, token, call }];
        }),
      ),
    ) as Record<(typeof names)[number], Caller>;
    await walletBalance(dataDir, 'poor', firstBalances.poor);
    const sdls = deploymentsOf(mark, plan.stubborn);
    const fixed = [];
    for (const [name, owner, always] of [
      ['shop', callers.owner, true],
      ['broken', callers.owner, true],
      ['paid', callers.poor, false],
    ] as const) {
      const from = performance.now();
      const { id } = await deploy(owner, sdls[name]);
      const never = Number.POSITIVE_INFINITY;
      fixed.push({ id, name, from, to: never, surely: always ? performance.now() : never, owner });
    }
    return new Clients(parts, place, callers, fixed);
  }

  get paid(): readonly Paid[] {
    const more = this.#owner.all.map(({ id, name, from, to }) => ({
      id,
      name,
      from,
      to,
      surely: Number.POSITIVE_INFINITY,
    }));
    return [...this.#fixed, ...more];
  }

  get closed(): ReadonlySet<string> {
    return new Set(this.#owner.all.flatMap(({ id, closed }) => (closed === 'yes' ? id : [])));
  }

  /** Number of backups that were restored and compared. */
  get backups(): number {
    return this.#backups.count;
  }

  get lines(): number {
    return this.#logs.reduce((sum, { log }) => sum + log.lines, 0);
  }

  /** Holds what is there against what was answered, on a host that has just started. */
  async check(baseUrl: string, orphans: ReadonlySet<number>): Promise<void> {
    this.#place.baseUrl = baseUrl;
    const { owner, many, sponsor } = this.#callers;
    await this.#files.web.check(this.#lineOf(owner));
    await this.#files.job.check(this.#lineOf(owner));
    // A full disk loses lines of logs.
    const { plan, overseer } = this.#parts;
    const hasLines = plan.disk !== 'full' || !overseer.mayLackSpace(Number.NEGATIVE_INFINITY);
    if (hasLines) await this.#checkRunning(orphans);
    await this.#checkVolume(hasLines);
    await this.#owner.check(this.#lineOf(many));
    await this.#money.check(this.#lineOf(sponsor));
    for (const { log, caller } of this.#logs) {
      for (const sentence of hasLines ? await log.check(caller) : [])
        this.#parts.overseer.onBroken(sentence);
    }
  }

  /** Works until the host is gone or there is nothing to do any more. */
  async work(): Promise<void> {
    const { isOver, onBroken } = this.#parts.overseer;
    for (const { log, caller } of this.#logs) log.follow(this.#place.baseUrl, caller.token);
    const look = async (): Promise<void> => {
      while (!isOver()) {
        for (const { log, caller } of this.#logs) await log.look(caller);
        await sleep(200);
      }
    };
    const goOn = async (work: AsyncIterator<void>): Promise<void> => {
      while (!isOver() && (await work.next()).done !== true);
    };
    const lived = [look(), ...this.#work.map(goOn)].map((work) =>
      work.catch((error: unknown) => {
        // Whatever a dead host made fail is no failure.
        if (!isOver()) onBroken(`an answer did not come: ${String(error)}`);
      }),
    );
    await Promise.all(lived);
    for (const { log } of this.#logs) log.leave();
  }

  /** The service says what it runs in: what the last restart took along. */
  async #checkRunning(orphans: ReadonlySet<number>): Promise<void> {
    const { owner } = this.#callers;
    const look = async () => {
      const lines = await readLines(owner, this.#shop, { service: 'web', limit: 20 });
      const last = lines.findLast((line) => line.startsWith('tree '));
      const [, hash = '', run] = last?.split(' ') ?? [];
      // A process that ended with its generation may have printed something, too.
      if (
        last !== undefined &&
        carriersOf(`HOSTDECK_RUN=${run}`).some(({ pid }) => !orphans.has(pid))
      ) {
        if (!this.#files.web.running.includes(hash)) {
          this.#parts.overseer.onBroken('what runs is not what the last restart took along');
        }
        this.#files.web.told(hash);
        return undefined;
      }
      return 'its service does not run';
    };
    const wrong = await wrongInTheEnd(look, { within: runsWithin, every: 30 });
    if (wrong === undefined) return;
    const { state } = await readDeployment(owner, this.#shop);
    this.#parts.overseer.onBroken(`shop is ${state}, and ${wrong}`);
  }

  /** Its service has counted all its runs, over all lives of the host. */
  async #checkVolume(hasLines: boolean): Promise<void> {
    const query = { service: 'web', search: 'counted' };
    const lines = await readLines(this.#callers.owner, this.#shop, query);
    this.#counted = lastCount(lines);
    for (const sentence of judgeCounts(lines)) this.#parts.overseer.onBroken(sentence);
    if (lines.length === 0 && hasLines)
      this.#parts.overseer.onBroken('its service has counted no run');
  }

  #lineOf(caller: Caller): Line {
    const { onSend, onBroken, isOver, mayLackSpace } = this.#parts.overseer;
    return {
      call: (...request) => caller.call(...request),
      onSend,
      onBroken,
      isOver,
      mayLackSpace,
      onRefused: () => {
        this.refused += 1;
      },
    };
  }
}

/** Decimal text of what wallets have before they lose anything. */
export const firstBalances: Readonly<Record<(typeof names)[number], string>> = {
  owner: '1000',
  many: '1000',
  poor: '1.7',
  sponsor: '1000',
};

/** Does one after the other, each time it is asked to; one that failed is not done again. */
function each<T>(items: readonly T[], act: (item: T) => Promise<void>): AsyncIterator<void> {
  const rest = items.values();
  return {
    async next() {
      const { done, value } = rest.next();
      if (done === true) return { done: true, value: undefined };
      await act(value);
      return { done: false, value: undefined };
    },
  };
}
