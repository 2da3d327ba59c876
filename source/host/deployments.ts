import { randomUUID } from 'node:crypto';
import { type Atoms, formatDecimal } from '../contract/decimal.ts';
import type { SdlDefinition, SdlWarning, ServiceDefinition } from '../contract/sdl/definition.ts';
import { ChangeCounter } from './changes.ts';
import type { HostClock } from './clock.ts';
import type { Carry } from './money/ledger.ts';
import { parseStoredAmount } from './money/wallets.ts';
import { conflict, notFound } from './refusal.ts';
import type { Storage } from './records/storage.ts';

/** The intended state of a deployment; the supervisor reports the actual one. */
export type DeploymentPhase = 'running' | 'suspended' | 'closed';

export interface DeploymentRecord {
  /** Sequence number on this host; the short key of the deployment's log lines. */
  readonly number: number;
  /** A UUID, a hyphen and the number (contract, part 2). */
  readonly id: string;
  readonly name: string;
  readonly owner: string;
  readonly sdl: string;
  /** Services as parsed from the SDL at creation. */
  readonly services: readonly ServiceDefinition[];
  /** Mistakes in the SDL that do not prevent a start, and parts without effect here. */
  readonly warnings: readonly SdlWarning[];
  readonly phase: DeploymentPhase;
  /** Number of the running copy of the files; each restart through the API increments it. */
  readonly generation: number;
  /** Price of all instances for a block of 6 s. */
  readonly price: Atoms;
  readonly createdAt: number;
  readonly restartedAt: number | undefined;
  readonly closedAt: number | undefined;
}

/** The usage and payments of a deployment. */
export interface DeploymentAccount {
  readonly carry: Carry;
  /** Usage that nobody could pay; the deployment is suspended because of it. */
  readonly owed: Atoms;
  /** Total paid since creation. */
  readonly paid: Atoms;
}

/**
 * The records of all deployments, cached in memory and written through to the storage. A caller
 * cannot tell a deployment of another wallet from a missing one.
 */
export class Deployments {
  readonly changes = new ChangeCounter();
  readonly #storage: Storage;
  readonly #clock: HostClock;
  readonly #records = new Map<string, DeploymentRecord>();
  /** The same records by owner and id. */
  readonly #byOwner = new Map<string, Map<string, DeploymentRecord>>();

  constructor(storage: Storage, clock: HostClock) {
    this.#storage = storage;
    this.#clock = clock;
    for (const row of storage.prepare('select * from deployments order by number').all()) {
      if (row['generation'] !== 0) this.#store(toRecord(row));
    }
  }

  /** Inserts a deployment that stays hidden until {@link complete} is called. */
  insert(owner: string, sdl: string, definition: SdlDefinition): DeploymentRecord {
    const uuid = randomUUID();
    const { lastInsertRowid } = this.#storage
      .prepare(
        `insert into deployments (id, name, owner, sdl, services, warnings, phase, generation, price, carry,
           owed, paid, created_at)
         values (?1 || '-' || (select ifnull(max(seq), 0) + 1 from sqlite_sequence
           where name = 'deployments'), ?, ?, ?, ?, ?, 'running', 0, ?, '0', '0', '0', ?)`,
      )
      .run(
        uuid,
        definition.name,
        owner,
        sdl,
        JSON.stringify(definition.services),
        JSON.stringify(definition.warnings),
        formatDecimal(definition.price),
        this.#clock.now(),
      );
    const row = this.#storage
      .prepare('select * from deployments where number = ?')
      .get(lastInsertRowid);
    if (row === undefined) throw new Error('the inserted deployment was not found');
    return toRecord(row);
  }

  /**
   * Makes a new deployment visible once its files are in place as generation 1, and gives it a name
   * that is unique among the open deployments of its owner.
   */
  complete(draft: DeploymentRecord, phase: 'running' | 'suspended'): DeploymentRecord {
    const name = this.#freeName(draft.owner, draft.name);
    this.#storage
      .prepare('update deployments set generation = 1, name = ?, phase = ? where id = ?')
      .run(name, phase, draft.id);
    return this.#store({ ...draft, name, phase, generation: 1 });
  }

  /** Returns the ids of deployments that were never completed. */
  listIncomplete(): readonly string[] {
    const rows = this.#storage.prepare('select id from deployments where generation = 0').all();
    return rows.map((row) => String(row['id']));
  }

  /** Deletes a deployment that was never completed. */
  remove(id: string): void {
    this.#storage.prepare('delete from deployments where id = ? and generation = 0').run(id);
  }

  /** Returns the deployments of a wallet, newest first. */
  list(owner: string): readonly DeploymentRecord[] {
    return [...(this.#byOwner.get(owner)?.values() ?? [])].reverse();
  }

  /** Returns a deployment of a wallet. Throws a 404 when the wallet has none with this id. */
  get(owner: string, id: string): DeploymentRecord {
    const record = this.#records.get(id);
    if (record === undefined || record.owner !== owner) throw notFound('deployment with this id');
    return record;
  }

  /** Returns the record of a deployment that must exist. */
  getById(id: string): DeploymentRecord {
    const record = this.#records.get(id);
    if (record === undefined) throw new RangeError('no such deployment');
    return record;
  }

  /** Throws a 409 when the deployment is closed: its files are read-only. */
  assertOpen(id: string): void {
    if (this.#records.get(id)?.phase === 'closed') {
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

  /** Returns all deployments, including closed ones. */
  listAll(): readonly DeploymentRecord[] {
    return [...this.#records.values()];
  }

  /** Returns the deployments of a wallet that are not closed, oldest first. */
  listOpenOf(owner: string): readonly DeploymentRecord[] {
    return [...(this.#byOwner.get(owner)?.values() ?? [])].filter(
      ({ phase }) => phase !== 'closed',
    );
  }

  /** Returns all deployments that are not closed. */
  listOpen(): readonly DeploymentRecord[] {
    return [...this.#records.values()].filter((record) => record.phase !== 'closed');
  }

  setPhase(id: string, phase: DeploymentPhase): void {
    const closedAt = phase === 'closed' ? this.#clock.now() : undefined;
    this.#storage
      .prepare('update deployments set phase = ?, closed_at = ? where id = ?')
      .run(phase, closedAt ?? null, id);
    this.#store({ ...this.getById(id), phase, closedAt });
  }

  /** Selects the copy of the files that runs from the next start on. */
  setGeneration(id: string, generation: number): void {
    const restartedAt = this.#clock.now();
    this.#storage
      .prepare('update deployments set generation = ?, restarted_at = ? where id = ?')
      .run(generation, restartedAt, id);
    this.#store({ ...this.getById(id), generation, restartedAt });
  }

  /** Replaces the definition of a deployment, whose name, files and account stay the same. */
  redefine(id: string, sdl: string, { services, warnings, price }: SdlDefinition): void {
    this.#storage
      .prepare('update deployments set sdl = ?, services = ?, warnings = ?, price = ? where id = ?')
      .run(sdl, JSON.stringify(services), JSON.stringify(warnings), formatDecimal(price), id);
    this.#store({ ...this.getById(id), sdl, services, warnings, price });
  }

  getAccount(id: string): DeploymentAccount {
    const row = this.#storage
      .prepare('select carry, owed, paid from deployments where id = ?')
      .get(id);
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

  #store(record: DeploymentRecord): DeploymentRecord {
    this.#records.set(record.id, record);
    let owned = this.#byOwner.get(record.owner);
    if (owned === undefined) this.#byOwner.set(record.owner, (owned = new Map()));
    owned.set(record.id, record);
    this.changes.add(record);
    return record;
  }

  /** Returns the wanted name, or `NAME-2` and so on when an open deployment of the owner has it. */
  #freeName(owner: string, wanted: string): string {
    const taken = new Set(
      this.list(owner)
        .filter((record) => record.phase !== 'closed')
        .map((record) => record.name),
    );
    if (!taken.has(wanted)) return wanted;
    let number = 2;
    while (taken.has(`${wanted}-${number}`)) number += 1;
    return `${wanted}-${number}`;
  }
}

function toRecord(row: Record<string, unknown>): DeploymentRecord {
  const phase = row['phase'];
  return {
    number: Number(row['number']),
    id: String(row['id']),
    name: String(row['name']),
    owner: String(row['owner']),
    sdl: String(row['sdl']),
    services: storedServices(String(row['services'])),
    warnings: JSON.parse(String(row['warnings'])) as readonly SdlWarning[],
    phase: phase === 'closed' || phase === 'suspended' ? phase : 'running',
    generation: Number(row['generation']),
    price: parseStoredAmount(row['price']),
    createdAt: Number(row['created_at']),
    restartedAt: optionalTime(row['restarted_at']),
    closedAt: optionalTime(row['closed_at']),
  };
}

/** Parses stored services; services stored before `dependsOn` existed depend on nothing. */
function storedServices(text: string): readonly ServiceDefinition[] {
  const services = JSON.parse(text) as readonly (Omit<ServiceDefinition, 'dependsOn'> &
    Partial<ServiceDefinition>)[];
  return services.map((service) => Object.assign(service, { dependsOn: service.dependsOn ?? [] }));
}

function optionalTime(value: unknown): number | undefined {
  return value === null ? undefined : Number(value);
}
