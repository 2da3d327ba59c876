import { randomUUID } from 'node:crypto';
import { formatDecimal } from '../contract/decimal.ts';
import type { SdlDefinition } from '../contract/sdl/definition.ts';
import type { HostClock } from './clock.ts';
import {
  archivedOfOwner,
  findArchived,
  listedColumns,
  readArchivedSdl,
} from './archived-deployments.ts';
import { readSdl, writeDefinition } from './definitions.ts';
import {
  type DeploymentAccount,
  type DeploymentPhase,
  type DeploymentRecord,
  type ListedDeployment,
  toDeploymentRecord,
  toListedDeployment,
} from './deployment-record.ts';
import { parseStoredAmount } from './money/wallets.ts';
import { conflict, notFound } from './refusal.ts';
import type { Storage } from './records/storage.ts';

/** Selects deployments with the services of their definitions. */
const selectRecords = `
  select deployments.*, definitions.services from deployments
  join definitions on definitions.deployment = deployments.number`;

/**
 * The records of all deployments. Open ones are cached in memory and written through to the
 * storage; closed ones, of which a wallet may have any number, are read when they are needed. A
 * caller cannot tell a deployment of another wallet from a missing one.
 */
export class Deployments {
  readonly changes = new ChangeCounter();
  readonly #storage: Storage;
  readonly #clock: HostClock;
  readonly #open = new OpenDeployments();
  /** Number of closed deployments by owner. */
  readonly #closedCounts: Map<string, number>;

  constructor(storage: Storage, clock: HostClock) {
    this.#storage = storage;
    this.#clock = clock;
    const open = storage
      .prepare(`${selectRecords} where phase <> 'closed' and generation > 0 order by number`)
      .all();
    for (const row of open) this.#store(toDeploymentRecord(row));
    const counts = storage
      .prepare(
        `select owner, sum(count) as count from (
           select owner, count(*) as count from deployments where phase = 'closed' group by owner
           union all select address, count(*) from archived_deployments
             join archived_owners on archived_owners.number = owner group by owner
         ) group by owner`,
      )
      .all();
    this.#closedCounts = new Map(counts.map(({ owner, count }) => [String(owner), Number(count)]));
  }

  /** Inserts a deployment that stays hidden until {@link complete} is called. */
  insert(owner: string, sdl: string, definition: SdlDefinition): DeploymentRecord {
    const uuid = randomUUID();
    return this.#storage.transaction(() => {
      const { lastInsertRowid } = this.#storage
        .prepare(
          `insert into deployments (id, name, owner, counts, warnings, phase, generation, price, carry,
             owed, paid, created_at)
           values (?1 || '-' || (select ifnull(max(seq), 0) + 1 from sqlite_sequence
             where name = 'deployments'), ?, ?, ?, ?, 'running', 0, ?, '0', '0', '0', ?)`,
        )
        .run(
          uuid,
          definition.name,
          owner,
          countsJson(definition),
          JSON.stringify(definition.warnings),
          formatDecimal(definition.price),
          this.#clock.now(),
        );
      writeDefinition(this.#storage, Number(lastInsertRowid), sdl, definition.services);
      const record = this.findByNumber(Number(lastInsertRowid));
      if (record === undefined) throw new Error('the inserted deployment was not found');
      return record;
    });
  }

  /**
   * Makes a new deployment visible once its files are in place as generation 1, and gives it a name
   * that is unique among the open deployments of its owner.
   */
  complete(draft: DeploymentRecord, phase: 'running' | 'suspended'): DeploymentRecord {
    const name = this.#open.freeName(draft.owner, draft.name);
    this.#storage
      .prepare('update deployments set generation = 1, name = ?, phase = ? where id = ?')
      .run(name, phase, draft.id);
    return this.#store({ ...draft, name, phase, generation: 1 });
  }

  /** Returns the ids of deployments that were never completed. */
  listIncomplete(): readonly string[] {
    const rows = this.#storage
      .prepare(`select id from deployments where phase <> 'closed' and generation = 0`)
      .all();
    return rows.map((row) => String(row['id']));
  }

  /** Deletes a deployment that was never completed. */
  remove(id: string): void {
    this.#storage.transaction(() => {
      const removed = this.#storage
        .prepare('delete from deployments where id = ? and generation = 0 returning number')
        .get(id);
      this.#storage
        .prepare('delete from definitions where deployment = ?')
        .run(Number(removed?.['number'] ?? 0));
    });
  }

  /** Returns the open deployments of a wallet, newest first. */
  listOpenOf(owner: string): readonly DeploymentRecord[] {
    return this.#open.listOf(owner);
  }

  /** Returns the number of closed deployments of a wallet. */
  countClosedOf(owner: string): number {
    return this.#closedCounts.get(owner) ?? 0;
  }

  /** Yields the closed deployments of a wallet after the first `offset`, the last closed first. */
  *listClosedOf(owner: string, offset: number, limit: number): Generator<ListedDeployment> {
    // Indexes of both tables have this order.
    const rows = this.#storage
      .prepare(
        `select ${listedColumns} from deployments where owner = ?1 and phase = 'closed'
         union all ${archivedOfOwner}
         order by closed_at desc, number desc limit ?2 offset ?3`,
      )
      .iterate(owner, limit, offset);
    for (const row of rows) yield toListedDeployment(row);
  }

  /** Returns a deployment of a wallet. Throws a 404 when the wallet has none with this id. */
  get(owner: string, id: string): DeploymentRecord {
    const record = this.#find(id);
    if (record === undefined || record.owner !== owner) throw notFound('deployment with this id');
    return record;
  }

  /** Returns the phase of a deployment; undefined for an unknown one. */
  phaseOf(id: string): DeploymentPhase | undefined {
    return this.#find(id)?.phase;
  }

  /** Returns the record of a deployment that must exist. */
  getById(id: string): DeploymentRecord {
    const record = this.#find(id);
    if (record === undefined) throw new RangeError('no such deployment');
    return record;
  }

  /** Returns the record with a number, but for one that is archived; undefined for none. */
  findByNumber(number: number): DeploymentRecord | undefined {
    const row = this.#storage.prepare(`${selectRecords} where number = ?`).get(number);
    return row === undefined ? undefined : toDeploymentRecord(row);
  }

  /** Returns the text of a deployment's definition. */
  readSdl({ number }: Pick<DeploymentRecord, 'number'>): string {
    return readArchivedSdl(this.#storage, number) ?? readSdl(this.#storage, number);
  }

  /** Throws a 409 when the deployment is closed: its files are read-only. */
  assertOpen(id: string): void {
    if (this.#open.has(id)) return;
    if (this.#findClosed(id) !== undefined) {
      throw conflict('This deployment is closed; its files are read-only.');
    }
  }

  /** Throws a 409 when the deployment is closed or suspended, and so can't be restarted. */
  assertRunning(id: string): void {
    const { phase } = this.getById(id);
    if (phase === 'closed') throw conflict('This deployment is closed.');
    if (phase === 'suspended') {
      throw conflict('This deployment is suspended until a grant or a balance can pay for it.');
    }
  }

  /** Returns all deployments that are not closed. */
  listOpen(): readonly DeploymentRecord[] {
    return this.#open.list();
  }

  setPhase(id: string, phase: DeploymentPhase): void {
    const closedAt = phase === 'closed' ? this.#clock.now() : undefined;
    const record = { ...this.getById(id), phase, closedAt };
    this.#storage
      .prepare('update deployments set phase = ?, closed_at = ? where id = ?')
      .run(phase, closedAt ?? null, id);
    if (phase === 'closed') this.#forget(record);
    else this.#store(record);
  }

  /** Selects the copy of the files that runs from the next start on. */
  setGeneration(id: string, generation: number): void {
    const restartedAt = this.#clock.now();
    this.#storage
      .prepare(
        'update deployments set generation = ?, restarted_at = ?, rollback = null where id = ?',
      )
      .run(generation, restartedAt, id);
    this.#store({ ...this.getById(id), generation, restartedAt, rollback: undefined });
  }

  /** Returns a number for the next copy of the files that none has had. */
  nextGeneration(id: string): number {
    const { generation, rollback } = this.getById(id);
    return Math.max(generation, rollback?.generation ?? 0) + 1;
  }

  /** Records the generation to which a restart that fails goes back; undefined for none. */
  setApplied(id: string, appliedGeneration: number | undefined): void {
    this.#storage
      .prepare('update deployments set applied_generation = ? where id = ?')
      .run(appliedGeneration ?? null, id);
    this.#store({ ...this.getById(id), appliedGeneration });
  }

  /** Undoes a restart: the generation that ran before is to run again. */
  rollBack(id: string, generation: number, reason: string): void {
    const record = this.getById(id);
    const rollback = { generation: record.generation, at: this.#clock.now(), reason };
    this.#storage
      .prepare('update deployments set generation = ?, rollback = ? where id = ?')
      .run(generation, JSON.stringify(rollback), id);
    this.#store({ ...record, generation, rollback });
  }

  /** Replaces the definition of a deployment, whose name, files and account stay the same. */
  redefine(id: string, sdl: string, definition: SdlDefinition): void {
    const record = this.getById(id);
    const { services, warnings, price } = definition;
    this.#storage.transaction(() => {
      this.#storage
        .prepare('update deployments set counts = ?, warnings = ?, price = ? where id = ?')
        .run(countsJson(definition), JSON.stringify(warnings), formatDecimal(price), id);
      writeDefinition(this.#storage, record.number, sdl, services);
    });
    this.#store({ ...record, services, warnings, price });
  }

  getAccount(id: string): DeploymentAccount {
    const row =
      this.#storage.prepare('select carry, owed, paid from deployments where id = ?').get(id) ??
      findArchived(this.#storage, id);
    return {
      carry: BigInt(String(row?.['carry'])),
      owed: parseStoredAmount(row?.['owed']),
      paid: parseStoredAmount(row?.['paid']),
    };
  }

  setAccount(id: string, account: DeploymentAccount): void {
    this.#storage
      .prepare('update deployments set carry = ?, owed = ?, paid = ? where id = ?')
      .run(account.carry.toString(), formatDecimal(account.owed), formatDecimal(account.paid), id);
  }

  #find(id: string): DeploymentRecord | undefined {
    return this.#open.get(id) ?? this.#findClosed(id);
  }

  #findClosed(id: string): DeploymentRecord | undefined {
    const row =
      this.#storage.prepare(`${selectRecords} where id = ? and phase = 'closed'`).get(id) ??
      findArchived(this.#storage, id);
    return row === undefined ? undefined : toDeploymentRecord(row);
  }

  #store(record: DeploymentRecord): DeploymentRecord {
    this.#open.set(record);
    this.changes.add(record);
    return record;
  }

  /** Removes a deployment that was just closed from memory. */
  #forget(record: DeploymentRecord): void {
    this.#open.delete(record);
    this.#closedCounts.set(record.owner, this.countClosedOf(record.owner) + 1);
    this.changes.add(record);
  }
}

/** Returns the names and instances of the services, which lists have. */
function countsJson({ services }: SdlDefinition): string {
  return JSON.stringify(services.map(({ name, count }) => ({ name, count })));
}

/** The records of open deployments in memory, in the order of their numbers. */
class OpenDeployments {
  readonly #byId = new Map<string, DeploymentRecord>();
  /** The same records by owner and id. */
  readonly #byOwner = new Map<string, Map<string, DeploymentRecord>>();

  has(id: string): boolean {
    return this.#byId.has(id);
  }

  get(id: string): DeploymentRecord | undefined {
    return this.#byId.get(id);
  }

  list(): readonly DeploymentRecord[] {
    return [...this.#byId.values()];
  }

  /** Returns the open deployments of a wallet, newest first. */
  listOf(owner: string): readonly DeploymentRecord[] {
    return [...(this.#byOwner.get(owner)?.values() ?? [])].reverse();
  }

  /** Adds a record, or replaces the one with its id. */
  set(record: DeploymentRecord): void {
    this.#byId.set(record.id, record);
    let owned = this.#byOwner.get(record.owner);
    if (owned === undefined) this.#byOwner.set(record.owner, (owned = new Map()));
    owned.set(record.id, record);
  }

  delete({ id, owner }: Pick<DeploymentRecord, 'id' | 'owner'>): void {
    this.#byId.delete(id);
    this.#byOwner.get(owner)?.delete(id);
  }

  /** Returns the wanted name, or `NAME-2` and so on when an open deployment of the owner has it. */
  freeName(owner: string, wanted: string): string {
    const taken = new Set(this.listOf(owner).map((record) => record.name));
    if (!taken.has(wanted)) return wanted;
    let number = 2;
    while (taken.has(`${wanted}-${number}`)) number += 1;
    return `${wanted}-${number}`;
  }
}

/** A changed deployment and the wallet that owns it. */
interface ChangedDeployment {
  readonly id: string;
  readonly owner: string;
}

/**
 * Counts the visible changes of deployments, in their records and in their running instances.
 * Cached output stays valid while the count it was made at stays the same.
 */
export class ChangeCounter {
  readonly #deploymentCounts = new Map<string, number>();
  readonly #ownerCounts = new Map<string, number>();

  /** Records one visible change of a deployment. */
  add({ id, owner }: ChangedDeployment): void {
    this.#deploymentCounts.set(id, this.deploymentCount(id) + 1);
    this.#ownerCounts.set(owner, this.ownerCount(owner) + 1);
  }

  /** Forgets a deployment whose output is not cached any more. */
  forget(id: string): void {
    this.#deploymentCounts.delete(id);
  }

  deploymentCount(id: string): number {
    return this.#deploymentCounts.get(id) ?? 0;
  }

  /** Returns the number of changes of all deployments of a wallet. */
  ownerCount(owner: string): number {
    return this.#ownerCounts.get(owner) ?? 0;
  }
}
