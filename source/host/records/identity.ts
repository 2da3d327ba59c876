import { createHash, randomUUID } from 'node:crypto';
import { statSync } from 'node:fs';
import type { Storage } from './storage.ts';

/**
 * What tells the host of this data folder from all others, as a few hexadecimal digits. It stays
 * when the folder is moved; a copy of the folder is another host.
 */
export function hostIdentity(storage: Storage, dataDir: string): string {
  const key = 'identity';
  let made = storage.readMeta(key);
  if (made === undefined) {
    made = randomUUID();
    storage.writeMeta(key, made);
  }
  const { ino } = statSync(dataDir, { bigint: true });
  return createHash('sha256').update(`${made} ${ino}`).digest('hex').slice(0, 16);
}
