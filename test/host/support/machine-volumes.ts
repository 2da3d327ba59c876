import { existsSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import { loadHostIdentity } from '../../../source/host/records/identity.ts';
import { Storage } from '../../../source/host/records/storage.ts';

/** Folder of volumes outside of data folders. */
export const machineVolumes = '/var/lib/hostdeck/volumes';

/** Removes the volumes of a host that has ended, which would be kept for a week without it. */
export function removeMachineVolumes(dataDir: string): void {
  if (!existsSync(machineVolumes) || !existsSync(path.join(dataDir, 'host.db'))) return;
  // Only a host of root has volumes there.
  if (statSync(dataDir).uid !== 0 || process.getuid?.() !== 0) return;
  const storage = Storage.open(dataDir);
  const identity = loadHostIdentity(storage, dataDir);
  storage.close();
  rmSync(path.join(machineVolumes, identity), { recursive: true, force: true });
}
