import { randomUUID } from 'node:crypto';
import { type Atoms, formatDecimal } from '../contract/decimal.ts';
import type { Definition, SdlWarning, ServiceDefinition } from '../contract/sdl/definition.ts';
import { ChangeCounts } from './changes.ts';
import type { HostClock } from './clock.ts';
import type { Carry } from './money/ledger.ts';
import { storedAmount } from './money/wallets.ts';
import { conflict, notFound } from './refusal.ts';
import type { Storage } from './records/storage.ts';

/** What a deployment is meant to be doing; how it fares is the supervisor's to say. */
export type Phase = 'running' | 'suspended' | 'closed';

export interface DeploymentRecord {
  /** Counts the deployments of this host; short key of its log lines. */
  readonly number: number;
  /** A UUID, a hyphen and the number (contract, part 2). */
  readonly id: string;
  readonly name: string;
  readonly owner: string;
  readonly sdl: string;
  /** As the SDL was read when the deployment was made. */
  readonly services: readonly ServiceDefinition[];
  /** What the SDL says that is not as it should be, or has no effect here. */
  readonly warnings: readonly SdlWarning[];
  readonly phase: Phase;
  /** Which copy of its files runs; counted up by each restart through the API. */
  readonly generation: number;
  /** Of a block of 6 s, all instances together. */
  readonly price: Atoms;
  readonly createdAt: number;
  readonly restartedAt: number | undefined;
  readonly closedAt: number | undefined;
}

/** What a deployment has used and paid. */
export interface Account {
  readonly carry: Carry;
  /** Used, but not paid: what it was suspended for. */
  readonly owed: Atoms;
  /** All that was ever paid for it. */
  readonly paid: Atoms;
}

/**
 * The records of all deployments, kept in memory and written through. Those of other wallets are
 * as good as absent to a caller.
 */
export class Deployments {
  readonly changes = new ChangeCounts();
  readonly #storage: Storage;
  readonly #clock: HostClock;
  readonly #records = new Map<string, DeploymentRecord>();
  /** The same by their owners. */
  readonly #owned = new Map<string, Map<string, DeploymentRecord>>();

  constructor(storage: Storage, clock: HostClock) {
    this.#storage = storage;
    this.#clock = clock;
    for (const row of storage.prepare('select * from deployments order by number').all()) {
      if (row['generation'] !== 0) this.#keep(toRecord(row));
    }
  }

  /** Makes a deployment that nobody sees until it is {@link complete}. */
  insert(owner: string, sdl: string, definition: Definition): DeploymentRecord {
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
    if (row === undefined) throw new Error('a deployment vanished while it was made');
    return toRecord(row);
  }

  /** The files of a new deployment are in place, as generation 1. It gets a name of its own. */
  complete(draft: DeploymentRecord, phase: 'running' | 'suspended'): DeploymentRecord {
    const name = this.#freeName(draft.owner, draft.name);
    this.#storage
      .prepare('update deployments set generation = 1, name = ?, phase = ? where id = ?')
      .run(name, phase, draft.id);
    return this.#keep({ ...draft, name, phase, generation: 1 });
  }

  /** Ids of deployments that were never completed. */
  incomplete(): readonly string[] {
    const rows = this.#storage.prepare('select id from deployments where generation = 0').all();
    return rows.map((row) => String(row['id']));
  }

  /** Forgets a deployment that was never completed. */
  remove(id: string): void {
    this.#storage.prepare('delete from deployments where id = ? and generation = 0').run(id);
  }

  /** Newest first. */
  list(owner: string): readonly DeploymentRecord[] {
    return [...(this.#owned.get(owner)?.values() ?? [])].reverse();
  }

  /** Throws a 404 for an id that is not the owner's. */
  get(owner: string, id: string): DeploymentRecord {
    const record = this.#records.get(id);
    if (record === undefined || record.owner !== owner) throw notFound('deployment with this id');
    return record;
  }

  /** The record of a deployment that is known to exist. */
  read(id: string): DeploymentRecord {
    const record = this.#records.get(id);
    if (record === undefined) throw new RangeError('no such deployment');
    return record;
  }

  /** Throws a 409 for a closed deployment: its files stay as they are. */
  assertOpen(id: string): void {
    if (this.#records.get(id)?.phase === 'closed') {
      throw conflict('This deployment is closed; its files can only be read.');
    }
  }

  /** Every deployment, closed ones too. */
  all(): readonly DeploymentRecord[] {
    return [...this.#records.values()];
  }

  /** Every deployment that is not closed. */
  open(): readonly DeploymentRecord[] {
    return [...this.#records.values()].filter((record) => record.phase !== 'closed');
  }

  setPhase(id: string, phase: Phase): void {
    const closedAt = phase === 'closed' ? this.#clock.now() : undefined;
    this.#storage
      .prepare('update deployments set phase = ?, closed_at = ? where id = ?')
      .run(phase, closedAt ?? null, id);
    this.#keep({ ...this.read(id), phase, closedAt });
  }

  /** Makes another copy of the files the one that runs from the next start on. */
  setGeneration(id: string, generation: number): void {
    const restartedAt = this.#clock.now();
    this.#storage
      .prepare('update deployments set generation = ?, restarted_at = ? where id = ?')
      .run(generation, restartedAt, id);
    this.#keep({ ...this.read(id), generation, restartedAt });
  }

  /** Replaces the definition of a deployment; it keeps its name, its files and its account. */
  redefine(id: string, sdl: string, { services, warnings, price }: Definition): void {
    this.#storage
      .prepare('update deployments set sdl = ?, services = ?, warnings = ?, price = ? where id = ?')
      .run(sdl, JSON.stringify(services), JSON.stringify(warnings), formatDecimal(price), id);
    this.#keep({ ...this.read(id), sdl, services, warnings, price });
  }

  account(id: string): Account {
    const row = this.#storage
      .prepare('select carry, owed, paid from deployments where id = ?')
      .get(id);
    return {
      carry: BigInt(String(row?.['carry'])),
      owed: storedAmount(row?.['owed']),
      paid: storedAmount(row?.['paid']),
    };
  }

  setAccount(id: string, account: Account): void {
    this.#storage
      .prepare('update deployments set carry = ?, owed = ?, paid = ? where id = ?')
      .run(account.carry.toString(), formatDecimal(account.owed), formatDecimal(account.paid), id);
  }

  #keep(record: DeploymentRecord): DeploymentRecord {
    this.#records.set(record.id, record);
    let owned = this.#owned.get(record.owner);
    if (owned === undefined) this.#owned.set(record.owner, (owned = new Map()));
    owned.set(record.id, record);
    this.changes.add(record);
    return record;
  }

  /** A name that no open deployment of the owner has: the wanted one, else `NAME-2` and so on. */
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
    price: storedAmount(row['price']),
    createdAt: Number(row['created_at']),
    restartedAt: optionalTime(row['restarted_at']),
    closedAt: optionalTime(row['closed_at']),
  };
}

/** Those of before services waited for others wait for none. */
function storedServices(text: string): readonly ServiceDefinition[] {
  const services = JSON.parse(text) as readonly (Omit<ServiceDefinition, 'dependsOn'> &
    Partial<ServiceDefinition>)[];
  return services.map((service) => Object.assign(service, { dependsOn: service.dependsOn ?? [] }));
}

function optionalTime(value: unknown): number | undefined {
  return value === null ? undefined : Number(value);
}
