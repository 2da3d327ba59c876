/**
 * The compact records of closed deployments whose files, volumes and logs are removed: they stay for
 * ever, so each takes little space. Deployments with the same definition share it.
 */
import { createHash } from 'node:crypto';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { readSdl } from './definitions.ts';
import type { Storage } from './records/storage.ts';

/** Bytes of a digest; definitions are compared too, so that equal digests do no harm. */
const digestBytes = 8;

/** Returns SQL for the text of a UUID. */
const uuidText = [
  [1, 8],
  [9, 4],
  [13, 4],
  [17, 4],
  [21, 12],
]
  .map(([from, length]) => `substr(lower(hex(uuid)), ${from}, ${length})`)
  .join(` || '-' || `);

/** Columns of `deployments` that a list reads. */
export const listedColumns =
  'number, id, name, owner, counts, warnings, phase, price, created_at, restarted_at, closed_at';

/** Selects archived deployments with the columns of `deployments`. */
const archivedRows = `
  select archived.number, ${uuidText} || '-' || archived.number as id, name, address as owner, counts,
    warnings, 'closed' as phase, price, created_at, restarted_at, closed_at, generation,
    removed_at as removal_began_at, carry, owed, paid
  from archived_deployments as archived
  join archived_owners on archived_owners.number = archived.owner
  join archived_definitions on archived_definitions.number = archived.definition`;

/** Selects {@link listedColumns} of the archived deployments of an owner, `?1`. */
export const archivedOfOwner = `
  select ${listedColumns} from (${archivedRows}
    where archived.owner = (select number from archived_owners where address = ?1))`;

/** A row with the columns of `deployments`, apart from those that only open deployments need. */
type Row = Readonly<Record<string, unknown>>;

/** Returns the row of an archived deployment, with its account; undefined when there is none. */
export function findArchived(storage: Storage, id: string): Row | undefined {
  const row = storage.prepare(`${archivedRows} where archived.number = ?`).get(numberOf(id));
  return row?.['id'] === id ? row : undefined;
}

/** Returns the SDL of an archived deployment; undefined when there is none. */
export function readArchivedSdl(storage: Storage, deployment: number): string | undefined {
  const deflated = storage
    .prepare(
      `select deflated_sdl from archived_definitions
       where number = (select definition from archived_deployments where number = ?)`,
    )
    .get(deployment)?.['deflated_sdl'];
  return deflated instanceof Uint8Array ? inflateRawSync(deflated).toString() : undefined;
}

/** Adds to the usage of an archived deployment. */
export function addArchivedUsage(storage: Storage, id: string, usage: bigint): void {
  const number = numberOf(id);
  const row = storage
    .prepare('select run_usage from archived_deployments where number = ?')
    .get(number);
  storage
    .prepare('update archived_deployments set run_usage = ? where number = ?')
    .run((BigInt(String(row?.['run_usage'] ?? 0)) + usage).toString(), number);
}

/** Replaces all records of a removed deployment by its compact one. Must be in a transaction. */
export function archiveDeployment(storage: Storage, number: number): void {
  const definition = archiveDefinition(storage, number);
  storage
    .prepare(
      `insert or ignore into archived_owners (address)
       select owner from deployments where number = ?`,
    )
    .run(number);
  storage
    .prepare(
      `insert into archived_deployments
       select deployments.number, unhex(substr(id, 1, 36), '-'), name, archived_owners.number, ?,
         generation, created_at, restarted_at, closed_at, removal_began_at, carry, owed, paid,
         run_usage
       from deployments join archived_owners on address = owner where deployments.number = ?`,
    )
    .run(definition, number);
  for (const table of ['service_users', 'exceeded_volumes']) {
    storage
      .prepare(
        `delete from ${table} where deployment = (select id from deployments where number = ?)`,
      )
      .run(number);
  }
  storage.prepare('delete from deployments where number = ?').run(number);
}

/** Moves the definition of a deployment to the archive. Returns its number there. */
function archiveDefinition(storage: Storage, deployment: number): number {
  const deflated = deflateRawSync(readSdl(storage, deployment));
  const digest = createHash('sha256').update(deflated).digest().subarray(0, digestBytes);
  // Deleted first, so that the archive can use its pages on a full disk.
  storage.prepare('delete from definitions where deployment = ?').run(deployment);
  const shared = storage
    .prepare(
      `select archived_definitions.number
       from archived_definitions join deployments using (counts, warnings, price)
       where digest = ? and deflated_sdl = ? and deployments.number = ?`,
    )
    .get(digest, deflated, deployment);
  if (shared !== undefined) return Number(shared['number']);
  const { lastInsertRowid } = storage
    .prepare(
      `insert into archived_definitions (digest, deflated_sdl, counts, warnings, price)
       select ?, ?, counts, warnings, price from deployments where number = ?`,
    )
    .run(digest, deflated, deployment);
  return Number(lastInsertRowid);
}

/** Returns the number at the end of an id. */
function numberOf(id: string): number {
  return Number(id.slice(id.lastIndexOf('-') + 1));
}
