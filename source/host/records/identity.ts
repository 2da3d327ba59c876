import { createHash, randomUUID } from 'node:crypto';
import { statSync } from 'node:fs';
import type { Storage } from './storage.ts';

/**
 * Returns the identity of the host of this data folder as 16 hexadecimal digits. Moving the folder
 * keeps the identity; a copy of the folder gets another one.
 */
export function loadHostIdentity(storage: Storage, dataDir: string): string {
  const key = 'identity';
  let id = storage.readMeta(key);
  if (id === undefined) {
    id = randomUUID();
    storage.writeMeta(key, id);
  }
  const { ino } = statSync(dataDir, { bigint: true });
  return createHash('sha256').update(`${id} ${ino}`).digest('hex').slice(0, 16);
}
