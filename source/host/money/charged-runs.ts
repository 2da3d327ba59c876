import { type Atoms, formatDecimal } from '../../contract/decimal.ts';
import { addArchivedUsage } from '../archived-deployments.ts';
import type { Storage } from '../records/storage.ts';
import { type Usage, usageOf } from './ledger.ts';
import { parseStoredAmount } from './wallets.ts';

/** One start of one instance. */
export interface RunKey {
  /** The runtime's id of the run. */
  readonly id: string;
  readonly deployment: string;
  readonly service: string;
  /** Number of the instance among those of the service, from 1. */
  readonly instance: number;
}

/** A moment at which a run was seen, by the wall clock and by the machine's own. */
export interface Moment {
  /** Wall-clock time in ms since the epoch. */
  readonly at: number;
  /** Time of the host's monotonic clock in ms, comparable within one boot of the machine. */
  readonly monotonic: number;
  /** Id of the machine's boot; empty where the system has none. */
  readonly boot: string;
}

/** A run and the time for which it is charged. */
export interface ChargedRun extends RunKey {
  /** Price for a block of 6 s. */
  readonly price: Atoms;
  /** Wall-clock time of its begin in ms since the epoch. */
  readonly beganAt: number;
  /** Whole ms for which it is charged so far. It ended, or is charged, at `beganAt + ranMs`. */
  readonly ranMs: number;
  /** The last moment at which it was running for certain. */
  readonly seen: Moment;
  readonly isOver: boolean;
}

/** Number of the newest runs that keep a record of their own, to bound the records. */
const keptRuns = 1000;

/**
 * The records of runs: begin, charged time and price. The usage of runs older than the newest
 * {@link keptRuns} is added up for each deployment, so that bills can always be recomputed.
 */
export class ChargedRuns {
  readonly #storage: Storage;

  constructor(storage: Storage) {
    this.#storage = storage;
  }

  /** Inserts or updates the record of a run. */
  store(run: ChargedRun): void {
    const { at, monotonic, boot } = run.seen;
    this.#storage
      .prepare(
        `insert into charged_runs (run, deployment, service, instance, price, began_at, ran_ms,
           seen_at, seen_monotonic, boot, is_over)
         values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
         on conflict (run) do update set ran_ms = excluded.ran_ms, seen_at = excluded.seen_at,
           seen_monotonic = excluded.seen_monotonic, boot = excluded.boot,
           is_over = excluded.is_over`,
      )
      .run(
        run.id,
        run.deployment,
        run.service,
        run.instance,
        formatDecimal(run.price),
        run.beganAt,
        run.ranMs,
        at,
        monotonic,
        boot,
        run.isOver ? 1 : 0,
      );
    if (run.isOver) this.#foldOld();
  }

  /** Returns true for a run that has a record of its own, which older ones lose. */
  has(id: string): boolean {
    return this.#storage.prepare('select 1 from charged_runs where run = ?').get(id) !== undefined;
  }

  /** Returns the runs that an earlier host has not ended. */
  listUnended(): readonly ChargedRun[] {
    const rows = this.#storage.prepare('select * from charged_runs where is_over = 0').all();
    return rows.map((row) => ({
      id: String(row['run']),
      deployment: String(row['deployment']),
      service: String(row['service']),
      instance: Number(row['instance']),
      price: parseStoredAmount(row['price']),
      beganAt: Number(row['began_at']),
      ranMs: Number(row['ran_ms']),
      seen: {
        at: Number(row['seen_at']),
        monotonic: Number(row['seen_monotonic']),
        boot: String(row['boot']),
      },
      isOver: false,
    }));
  }

  #foldOld(): void {
    const old = this.#storage
      .prepare(
        `delete from charged_runs
         where is_over = 1 and number <= (select max(number) from charged_runs) - ?
         returning deployment, price, ran_ms`,
      )
      .all(keptRuns);
    for (const { deployment, price, ran_ms: ranMs } of old) {
      const usage = usageOf(parseStoredAmount(price), Number(ranMs));
      if (usage === 0n) continue;
      this.#addUsage(String(deployment), usage);
    }
  }

  #addUsage(id: string, usage: Usage): void {
    const row = this.#storage.prepare('select run_usage from deployments where id = ?').get(id);
    if (row === undefined) {
      addArchivedUsage(this.#storage, id, usage);
      return;
    }
    this.#storage
      .prepare('update deployments set run_usage = ? where id = ?')
      .run((BigInt(String(row['run_usage'])) + usage).toString(), id);
  }
}
