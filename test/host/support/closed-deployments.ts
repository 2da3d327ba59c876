import { randomUUID } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import { parseSdl } from '../../../source/contract/sdl/parse.ts';
import type { SdlDefinition } from '../../../source/contract/sdl/definition.ts';

/** Adds closed deployments to the records of a host that is not running, the first closed first. */
export function fillClosed(records: DatabaseSync, owner: string, sdls: readonly string[]): void {
  const parsed = new Map<string, SdlDefinition>();
  const insertDeployment = records.prepare(
    `insert into deployments (id, name, owner, counts, warnings, phase, generation, price, carry,
       owed, paid, created_at, closed_at) values (?, ?, ?, ?, '[]', 'closed', 1, '0', '0', '0', '0', ?, ?)`,
  );
  const insertDefinition = records.prepare(
    'insert into definitions (deployment, sdl, services) values (?, ?, ?)',
  );
  const now = Date.now();
  records.exec('begin');
  for (const [index, sdl] of sdls.entries()) {
    const definition = parsed.get(sdl) ?? parseDefinition(sdl);
    parsed.set(sdl, definition);
    const { services } = definition;
    const counts = JSON.stringify(services.map(({ name, count }) => ({ name, count })));
    const at = now - sdls.length + index;
    const id = `${randomUUID()}-${index}`;
    const { lastInsertRowid } = insertDeployment.run(id, `closed ${index}`, owner, counts, at, at);
    insertDefinition.run(lastInsertRowid, sdl, JSON.stringify(services));
  }
  records.exec('commit');
}

function parseDefinition(sdl: string): SdlDefinition {
  const result = parseSdl(sdl);
  if (!result.ok) throw new Error(JSON.stringify(result.problems));
  return result.definition;
}
