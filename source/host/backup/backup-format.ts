import type { Deployments } from '../deployments.ts';
import type { HostLogs } from '../logs/logs.ts';
import type { Storage } from '../records/storage.ts';

/** The layout of a backup's archive, for the program that writes it and the one that reads it. */

/** Increases when older programs can't restore an archive any more. */
const currentFormat = 2;

/** The format of an archive without volumes of containers, which older programs restore. */
const formatWithoutEngineVolumes = 1;

/** Name of the first entry. */
export const manifestName = 'hostdeck-backup.json';

/** Names of the two databases, in the archive as in a data folder. */
export const databaseNames = ['host.db', 'logs.db'] as const;

/** The folder of a data folder in which a backup collects its parts. */
export const workFolderName = 'backup-in-progress';

/** The content of the first entry. */
export interface BackupManifest {
  /** ISO 8601 time at which the backup began. */
  readonly createdAt: string;
  /** Version of the program that wrote it. */
  readonly version: string;
}

/** Returns the content of the first entry. */
export function writeManifest(
  { createdAt, version }: BackupManifest,
  hasEngineVolumes: boolean,
): Buffer {
  const format = hasEngineVolumes ? currentFormat : formatWithoutEngineVolumes;
  return Buffer.from(`${JSON.stringify({ format, createdAt, version })}\n`);
}

/**
 * Parses the content of the first entry. Returns `newer` for a format of a newer program, and
 * undefined for anything but a manifest.
 */
export function parseManifest(text: string): BackupManifest | 'newer' | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (typeof value !== 'object' || value === null) return undefined;
  const { format, createdAt, version } = value as Readonly<Record<string, unknown>>;
  if (typeof format !== 'number' || !Number.isInteger(format) || format < 1) return undefined;
  if (format > currentFormat) return 'newer';
  if (typeof createdAt !== 'string' || typeof version !== 'string') return undefined;
  return Number.isNaN(Date.parse(createdAt)) ? undefined : { createdAt, version };
}

const key = 'restored-from';

/** Notes in restored records when their backup began, as an ISO 8601 time, for the next start. */
export function markRestored(storage: Storage, createdAt: string): void {
  storage.writeMeta(key, createdAt);
}

/**
 * At the first start after a restore, writes to the logs of all open deployments that lines after
 * the backup are lost, though clients may know them.
 */
export function logRestore(
  storage: Storage,
  deployments: Pick<Deployments, 'listOpen'>,
  logs: Pick<HostLogs, 'event'>,
): void {
  const createdAt = storage.readMeta(key);
  if (createdAt === undefined) return;
  const time = `${createdAt.slice(0, 19).replace('T', ' ')} UTC`;
  for (const record of deployments.listOpen()) {
    for (const { name } of record.services) {
      logs.event(record, name, `restored from the backup of ${time}; later lines are lost`);
    }
  }
  storage.deleteMeta(key);
}
