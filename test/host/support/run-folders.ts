import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';

/** Where hosts of root keep run trees that other users may pass. */
const outside = '/var/lib/hostdeck/runs';

/** The folder of a deployment's run trees, wherever its host keeps them. */
export function runsOf(dataDir: string, deployment: string): string {
  const hosts = existsSync(outside) ? readdirSync(outside) : [];
  const inside = path.join(dataDir, 'deployments', deployment, 'runs');
  return (
    [inside, ...hosts.map((host) => path.join(outside, host, deployment))].find((folder) =>
      existsSync(folder),
    ) ?? inside
  );
}
