import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';

/** Folder in which hosts of root store run trees accessible to other users. */
const sharedFolder = '/var/lib/hostdeck/runs';

/** Returns the folder of a deployment's run trees. */
export function runsOf(dataDir: string, deployment: string): string {
  const hosts = existsSync(sharedFolder) ? readdirSync(sharedFolder) : [];
  const ownFolder = path.join(dataDir, 'deployments', deployment, 'runs');
  return (
    [ownFolder, ...hosts.map((host) => path.join(sharedFolder, host, deployment))].find((folder) =>
      existsSync(folder),
    ) ?? ownFolder
  );
}
