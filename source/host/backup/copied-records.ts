import { DatabaseSync } from 'node:sqlite';
import type { ServiceDefinition } from '../../contract/sdl/definition.ts';

/** Numbers of open deployments with persistent volumes. */
export interface VolumeCounts {
  readonly ofProcesses: number;
  /** Those with volumes of the engine. */
  readonly ofContainers: number;
}

/** A deployment whose files belong to a backup. */
export interface BackedUpDeployment {
  readonly id: string;
  /** The generation that runs; undefined for a closed deployment. */
  readonly generation: number | undefined;
}

/**
 * Prepares a copy of the records for an archive: one file without a write-ahead log, and without
 * the ids of the runs of this host, which a restored host must not end. Returns the deployments
 * whose files the copy needs.
 */
export function prepareRecords(file: string): {
  readonly deployments: readonly BackedUpDeployment[];
  readonly volumes: VolumeCounts;
} {
  const database = new DatabaseSync(file);
  try {
    database.exec('pragma journal_mode = delete; delete from runs');
    return { deployments: listDeployments(database), volumes: countVolumes(database) };
  } finally {
    database.close();
  }
}

/** Returns how many open deployments have persistent volumes. */
function countVolumes(database: DatabaseSync): VolumeCounts {
  const rows = database
    .prepare(
      `select services from definitions join deployments on number = deployment
       where phase <> 'closed'`,
    )
    .iterate();
  let [ofProcesses, ofContainers] = [0, 0];
  for (const { services } of rows) {
    const persistent = (JSON.parse(String(services)) as readonly ServiceDefinition[]).filter(
      ({ volumes = [] }) => volumes.some(({ kind }) => kind === 'persistent'),
    );
    if (persistent.some(({ image }) => image === undefined)) ofProcesses += 1;
    if (persistent.some(({ image }) => image !== undefined)) ofContainers += 1;
  }
  return { ofProcesses, ofContainers };
}

/** Makes a copy of the logs one file without a write-ahead log. */
export function prepareLogs(file: string): void {
  const database = new DatabaseSync(file);
  try {
    database.exec('pragma journal_mode = delete');
  } finally {
    database.close();
  }
}

/** Returns the deployments whose files records need; without those that never were complete. */
export function listDeployments(
  database: Pick<DatabaseSync, 'prepare'>,
): readonly BackedUpDeployment[] {
  return database
    .prepare(
      `select id, generation, phase from deployments
       where generation > 0 and removal_began_at is null order by number`,
    )
    .all()
    .map(({ id, generation, phase }) => ({
      id: String(id),
      generation: phase === 'closed' ? undefined : Number(generation),
    }));
}
