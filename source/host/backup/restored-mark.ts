import type { Deployments } from '../deployments.ts';
import type { HostLogs } from '../logs/logs.ts';
import type { Storage } from '../records/storage.ts';

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
