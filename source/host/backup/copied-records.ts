import { DatabaseSync } from 'node:sqlite';
import type { ServiceDefinition } from '../../contract/sdl/definition.ts';

/** A deployment whose files belong to a backup. */
export interface BackedUpDeployment {
  readonly id: string;
  /** The generation that runs; undefined for a closed deployment. */
  readonly generation: number | undefined;
}

/** The persistent volumes that a deployment uses. */
export interface BackedUpVolumes {
  /** True when processes of it have volumes. */
  readonly hasFolders: boolean;
  /** Images by name of the services that have volumes on the container engine. */
  readonly images: ReadonlyMap<string, string>;
}

/**
 * Prepares a copy of the records for an archive: one file without a write-ahead log, and without
 * the ids of the runs of this host, which a restored host must not end. Returns the deployments
 * whose files the copy needs, and the volumes of the open ones by id.
 */
export function prepareRecords(file: string): {
  readonly deployments: readonly BackedUpDeployment[];
  readonly volumes: ReadonlyMap<string, BackedUpVolumes>;
} {
  const database = new DatabaseSync(file);
  try {
    database.exec('pragma journal_mode = delete; delete from runs');
    return { deployments: listDeployments(database), volumes: findVolumes(database) };
  } finally {
    database.close();
  }
}

/** Returns the volumes of open deployments that have persistent ones. */
function findVolumes(database: DatabaseSync): ReadonlyMap<string, BackedUpVolumes> {
  const rows = database
    .prepare(
      `select id, services from definitions join deployments on number = deployment
       where phase <> 'closed'`,
    )
    .iterate();
  const found = new Map<string, BackedUpVolumes>();
  for (const { id, services } of rows) {
    const persistent = (JSON.parse(String(services)) as readonly ServiceDefinition[]).filter(
      ({ volumes = [] }) => volumes.some(({ kind }) => kind === 'persistent'),
    );
    if (persistent.length === 0) continue;
    found.set(String(id), {
      hasFolders: persistent.some(({ image }) => image === undefined),
      images: new Map(
        persistent.flatMap(({ name, image }) => (image === undefined ? [] : [[name, image]])),
      ),
    });
  }
  return found;
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
