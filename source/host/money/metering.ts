import type { Atoms } from '../../contract/decimal.ts';
import { type HostClock, startInterval } from '../clock.ts';
import type { Deployments } from '../deployments.ts';
import type { LeftRun } from '../runtime/runtime.ts';
import type { Storage } from '../records/storage.ts';
import type { Billing } from './billing.ts';
import type { ChargedRuns, Moment, RunKey, ChargedRun } from './charged-runs.ts';
import { usageOf } from './ledger.ts';
import { readSdlPlacements } from '../../contract/sdl/parse.ts';
import type { DeploymentRecord } from '../deployment-record.ts';

const intervalMs = 1000;

/** Events of metering: a deployment can no longer be paid, or can be paid again. */
export interface MeteringEvents {
  onUnpaid(id: string): void;
  onAffordable(id: string): void;
  /** A charge could not be written. The time is charged with the next write that succeeds. */
  onFailure(error: unknown): void;
}

/** A running time to be charged. */
interface Advance {
  readonly run: LiveRun;
  readonly ranMs: number;
  readonly isOver: boolean;
}

/**
 * Charges each run of an instance, from its start to the exit of its processes, and no other time:
 * images that are pulled, pauses after crashes and suspended deployments cost nothing.
 *
 * While the host runs, time passes by its monotonic clock; a wall clock that is set neither adds nor
 * removes any. The records have the wall-clock time of each begin and the time charged since. What
 * a killed host has left is charged by {@link recover}.
 *
 * Every second all runs are charged in one transaction. A deployment that nobody can pay is then
 * suspended; it resumes once the owed amount and one more second can be paid.
 */
export class Metering {
  readonly #storage: Storage;
  readonly #clock: HostClock;
  readonly #boot: string;
  readonly #deployments: Deployments;
  readonly #runs: ChargedRuns;
  readonly #billing: Billing;
  readonly #events: MeteringEvents;
  /** Runs by id that are charged, or whose end is not written yet. */
  readonly #live = new Map<string, LiveRun>();
  /** Ids of deployments that owe an amount since a charge of this host. */
  readonly #owing = new Set<string>();
  readonly prices: KnownPrices;
  /** Runs whose begins and ends are written together; undefined outside of {@link together}. */
  #gathered: Set<LiveRun> | undefined;
  #stop: (() => void) | undefined;

  constructor(parts: {
    readonly storage: Storage;
    readonly clock: HostClock;
    /** Id of the machine's boot, within which monotonic times can be compared; empty for none. */
    readonly boot: string;
    readonly deployments: Deployments;
    readonly runs: ChargedRuns;
    readonly billing: Billing;
    readonly events: MeteringEvents;
  }) {
    this.#storage = parts.storage;
    this.#clock = parts.clock;
    this.#boot = parts.boot;
    this.#deployments = parts.deployments;
    this.prices = new KnownPrices(parts.deployments);
    this.#runs = parts.runs;
    this.#billing = parts.billing;
    this.#events = parts.events;
  }

  /** Returns the present moment, for {@link recover}. */
  moment(): Moment {
    const { now, monotonic } = this.#times();
    return { at: now, monotonic: Math.floor(monotonic), boot: this.#boot };
  }

  /**
   * Charges the runs that a killed host has left up to their ends. A run that was found running
   * ran until then; one whose end an engine recorded, until that; any other one until its last
   * recorded moment, at most a second before the kill. The time since the last record passes by the
   * machine's monotonic clock, and after a reboot by the wall clock, which never counts backwards.
   *
   * @param found the moment at which the search for `left` began.
   */
  recover(left: readonly LeftRun[], found: Moment): void {
    const byId = new Map(left.map((run) => [run.id, run]));
    const unended = this.#runs.listUnended();
    this.#storage.transaction(() => {
      for (const run of unended) {
        const more = msSince(run.seen, byId.get(run.id), found);
        this.#runs.store({ ...run, ranMs: run.ranMs + more, isOver: true });
        const usage = usageOf(run.price, more);
        if (usage > 0n) this.#billing.charge(this.#deployments.getById(run.deployment), usage);
      }
    });
    for (const { id, phase } of this.#deployments.listOpen()) {
      if (phase === 'running' && this.#deployments.getAccount(id).owed > 0n) this.#owing.add(id);
    }
  }

  /** Starts charging every second. */
  start(): void {
    this.#stop = startInterval(this.#clock, intervalMs, () => {
      this.charge();
    });
  }

  /** Stops charging every second. */
  pause(): void {
    this.#stop?.();
  }

  /** Ends the charges of all runs, at the end of the host. */
  end(): void {
    const { monotonic } = this.#times();
    for (const run of this.#live.values()) run.endedAt ??= monotonic;
    this.leave();
  }

  /** Charges all runs so far, at the end of the host, and leaves them to the next one. */
  leave(): void {
    this.pause();
    try {
      this.#advanceAll([...this.#live.values()]);
    } catch (error) {
      this.#events.onFailure(error);
    }
  }

  /** Returns true when a running deployment owes an amount, so that it must be suspended. */
  owes(id: string): boolean {
    return this.#owing.has(id);
  }

  /**
   * Begins to charge a run that has started. The returned function ends it, at the exit of its
   * processes; it does nothing when the deployment was closed or suspended before.
   *
   * @param startedAt wall-clock time of a start in the past, in ms since the epoch. The returned
   *   function takes that of the end.
   */
  begin(key: RunKey, startedAt?: number): (endedAt?: number) => void {
    const record = this.#deployments.getById(key.deployment);
    if (record.phase !== 'running') return () => undefined;
    const run = beginRun(key, this.prices.find(record, key), this.#times(), startedAt);
    this.#live.set(key.id, run);
    this.#tryAdvance(run);
    return (endedAt) => {
      if (this.#live.get(key.id) !== run || run.endedAt !== undefined) return;
      endRun(run, this.#times(), endedAt);
      this.#tryAdvance(run);
    };
  }

  /** Writes the begins and ends of runs in `work` in one transaction, after it. */
  together(work: () => void): void {
    const gathered = (this.#gathered = new Set<LiveRun>());
    try {
      work();
    } finally {
      this.#gathered = undefined;
      this.#tryAdvance(...gathered);
    }
  }

  /**
   * Charges a run that began and ended unseen, once for each id.
   *
   * @param startedAt wall-clock time in ms since the epoch, as is `endedAt`.
   */
  chargeEnded(key: RunKey, startedAt: number, endedAt: number): void {
    const record = this.#deployments.getById(key.deployment);
    if (record.phase !== 'running' || this.#live.has(key.id) || this.#runs.has(key.id)) return;
    const run = beginRun(key, this.prices.find(record, key), this.#times(), startedAt);
    endRun(run, this.#times(), endedAt);
    this.#live.set(key.id, run);
    this.#tryAdvance(run);
  }

  /**
   * Ends the charges of a deployment now and applies `change`. The charges go on when either fails.
   */
  stopCharging(id: string, change: () => void): void {
    const { monotonic } = this.#times();
    const runs = [...this.#live.values()].filter(({ deployment }) => deployment === id);
    const stopped = runs.filter(({ endedAt }) => endedAt === undefined);
    for (const run of stopped) run.endedAt = monotonic;
    try {
      this.#advanceAll(runs);
      change();
    } catch (error) {
      for (const run of stopped) {
        run.endedAt = undefined;
        this.#live.set(run.id, run);
      }
      throw error;
    }
  }

  /** Charges all runs in one transaction, then sends the events. */
  charge(): void {
    try {
      this.#advanceAll([...this.#live.values()]);
      for (const id of this.#owing) {
        const { phase } = this.#deployments.getById(id);
        if (phase === 'running') this.#events.onUnpaid(id);
        else this.#owing.delete(id);
      }
      this.#resumeAll();
    } catch (error) {
      this.#events.onFailure(error);
    }
  }

  /** Resumes the deployments that can be paid; each one then counts for the next of its wallet. */
  #resumeAll(): void {
    const running = new Map<string, Atoms>();
    for (const record of this.#deployments.listOpen()) {
      if (record.phase !== 'suspended') continue;
      const { id, owner, price } = record;
      const others = running.get(owner) ?? this.#billing.runningPrice(owner);
      const canPay = this.#billing.canPay(record, others);
      running.set(owner, canPay ? others + price : others);
      if (canPay) this.#events.onAffordable(id);
    }
  }

  #times(): Times {
    return { now: Math.floor(this.#clock.now()), monotonic: this.#clock.monotonic() };
  }

  /** Writes begins and ends of runs; a failed write is repeated by the next charge. */
  #tryAdvance(...runs: readonly LiveRun[]): void {
    if (this.#gathered !== undefined) {
      for (const run of runs) this.#gathered.add(run);
      return;
    }
    if (runs.length === 0) return;
    try {
      this.#advanceAll(runs);
    } catch (error) {
      this.#events.onFailure(error);
    }
  }

  /** Charges runs up to now, or to their ends, in one transaction. */
  #advanceAll(runs: readonly LiveRun[]): void {
    const { now, monotonic } = this.#times();
    const advances = runs.map((run): Advance => {
      const until = run.endedAt ?? monotonic;
      // Whole milliseconds; the next charge includes the fraction.
      const ranMs = Math.max(run.ranMs, Math.floor(until - run.since));
      return { run, ranMs, isOver: run.endedAt !== undefined };
    });
    const owed = this.#storage.transaction(() => {
      for (const advance of advances) this.#store(advance, now);
      return this.#bill(advances);
    });
    // Only after the transaction has committed.
    for (const { run, ranMs, isOver } of advances) {
      run.ranMs = ranMs;
      run.isStored = true;
      if (isOver) this.#live.delete(run.id);
    }
    for (const [id, amount] of owed) {
      if (amount > 0n) this.#owing.add(id);
      else this.#owing.delete(id);
    }
  }

  #store({ run, ranMs, isOver }: Advance, now: number): void {
    // A free run costs no write a second.
    if (run.isStored && !isOver && run.price === 0n) return;
    this.#runs.store(chargedRun({ ...run, ranMs }, { now, boot: this.#boot }, isOver));
  }

  /** Charges each deployment once for all its runs. Returns the amounts that stay owed. */
  #bill(advances: readonly Advance[]): ReadonlyMap<string, Atoms> {
    const usages = new Map<string, Atoms>();
    for (const { run, ranMs } of advances) {
      const usage = usageOf(run.price, ranMs - run.ranMs);
      usages.set(run.deployment, (usages.get(run.deployment) ?? 0n) + usage);
    }
    const owed = new Map<string, Atoms>();
    for (const [id, usage] of usages) {
      if (usage > 0n) owed.set(id, this.#billing.charge(this.#deployments.getById(id), usage));
    }
    return owed;
  }
}

/** Returns the ms that a run went on after its last recorded moment. */
function msSince(seen: Moment, left: LeftRun | undefined, found: Moment): number {
  if (left === undefined) return 0;
  const isSameBoot = seen.boot !== '' && seen.boot === found.boot;
  const passed = isSameBoot ? found.monotonic - seen.monotonic : found.at - seen.at;
  const untilEnd = left.endedAt === undefined ? passed : Math.min(passed, left.endedAt - seen.at);
  return Math.max(0, Math.floor(untilEnd));
}

/** A run that is charged. */
interface LiveRun extends RunKey {
  readonly price: Atoms;
  /** Wall-clock time of its begin. */
  readonly beganAt: number;
  /** Monotonic time of its begin. */
  readonly since: number;
  /** Monotonic time of its end. */
  endedAt: number | undefined;
  /** Whole ms that are charged. */
  ranMs: number;
  isStored: boolean;
}

/** The present by the wall clock and by the monotonic one, in ms. */
interface Times {
  readonly now: number;
  readonly monotonic: number;
}

/** Returns a run that began now, or at a wall-clock time in the past, and is not charged yet. */
function beginRun(key: RunKey, price: Atoms, { now, monotonic }: Times, startedAt = now): LiveRun {
  const beganAt = Math.min(now, startedAt);
  const since = monotonic - (now - beganAt);
  return { ...key, price, beganAt, since, endedAt: undefined, ranMs: 0, isStored: false };
}

/**
 * Ends a run now, or at a wall-clock time in the past. An end before the time for which it is charged
 * is that time.
 */
function endRun(run: LiveRun, { now, monotonic }: Times, endedAt = now): void {
  run.endedAt = Math.max(run.since + run.ranMs, monotonic - Math.max(0, now - endedAt));
}

/** Returns the record of a run that is charged for `ranMs`, and was seen until then. */
function chargedRun(
  { id, deployment, service, instance, price, beganAt, ranMs, since }: Omit<LiveRun, 'isStored'>,
  { now, boot }: Pick<Times, 'now'> & { readonly boot: string },
  isOver: boolean,
): ChargedRun {
  const seen = { at: now, monotonic: Math.floor(since + ranMs), boot };
  return { id, deployment, service, instance, price, beganAt, ranMs, seen, isOver };
}

/** The prices of a service's instances for a block of 6 s, in the order of their numbers. */
type InstancePrices = ReadonlyMap<string, readonly Atoms[]>;

/** The prices of all deployments, read from their definitions when they are first needed. */
class KnownPrices {
  readonly #deployments: Pick<Deployments, 'readSdl'>;
  /** Prices by the services of a record, which only a new definition replaces. */
  readonly #byServices = new WeakMap<DeploymentRecord['services'], InstancePrices>();

  constructor(deployments: Pick<Deployments, 'readSdl'>) {
    this.#deployments = deployments;
  }

  /** Reads the prices of a deployment before they are needed, together with those of many others. */
  prepare(record: DeploymentRecord): void {
    this.#read(record);
  }

  /** Returns the price of an instance for a block of 6 s. */
  find(record: DeploymentRecord, { service, instance }: RunKey): Atoms {
    return this.#read(record).get(service)?.[instance - 1] ?? 0n;
  }

  #read(record: DeploymentRecord): InstancePrices {
    let prices = this.#byServices.get(record.services);
    if (prices === undefined) {
      prices = readInstancePrices(record, this.#deployments.readSdl(record));
      this.#byServices.set(record.services, prices);
    }
    return prices;
  }
}

type Priced = Pick<DeploymentRecord, 'services' | 'price'>;

/**
 * Returns the price of each instance of a deployment; their sum is the deployment's price. The
 * instances of a service are numbered by placement, in the order of the definition.
 */
export function readInstancePrices(record: Priced, sdl: string): InstancePrices {
  const prices = new Map<string, Atoms[]>();
  // A stored definition may hold what is refused in a new one.
  for (const { service, count, amount } of readSdlPlacements(sdl)) {
    const before = prices.get(service) ?? [];
    prices.set(service, [...before, ...Array<Atoms>(count).fill(amount)]);
  }
  return fits(prices, record) ? prices : splitEvenly(record);
}

/** Returns true when the prices are those of the stored services. */
function fits(prices: InstancePrices, { services, price }: Priced): boolean {
  const total = [...prices.values()].flat().reduce((sum, each) => sum + each, 0n);
  return total === price && services.every(({ name, count }) => prices.get(name)?.length === count);
}

/**
 * Splits the price over all instances, the first ones get the remainder. For definitions that an
 * earlier version read in another way: its total was agreed upon.
 */
function splitEvenly({ services, price }: Priced): InstancePrices {
  const instances = BigInt(services.reduce((sum, { count }) => sum + count, 0));
  let remainder = instances === 0n ? 0n : price % instances;
  return new Map(
    services.map(({ name, count }) => [
      name,
      Array.from({ length: count }, () => {
        const extra = remainder > 0n ? 1n : 0n;
        remainder -= extra;
        return price / instances + extra;
      }),
    ]),
  );
}
