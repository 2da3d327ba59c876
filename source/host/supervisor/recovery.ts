import type { ClosedDeployments } from '../closed-deployments.ts';
import type { Deployments } from '../deployments.ts';
import { forEachConcurrently } from '../files/disk.ts';
import type { Files } from '../files/files.ts';
import type { Metering } from '../money/metering.ts';
import type { HostRuntime } from '../runtime/runtime.ts';
import type { VolumeFolders } from '../volumes/volume-folders.ts';

export interface RecoveryParts {
  readonly deployments: Pick<Deployments, 'listIncomplete' | 'listOpen' | 'remove'>;
  readonly closed: Pick<ClosedDeployments, 'listKept'>;
  readonly files: Pick<Files, 'recover' | 'remove'>;
  readonly volumes: Pick<VolumeFolders, 'migrate'>;
  readonly metering: Pick<Metering, 'moment' | 'recover'>;
  readonly runtime: Pick<HostRuntime, 'endOrphans'>;
  /** Milliseconds between SIGTERM and SIGKILL. */
  readonly graceMs: number;
}

/**
 * Cleans up after a killed host: ends its runs and their charges, removes deployments that never were
 * complete, and completes changes of files. No service may run.
 */
export async function recoverDeployments(parts: RecoveryParts): Promise<void> {
  const { deployments, closed, files, volumes, metering, runtime, graceMs } = parts;
  const found = metering.moment();
  metering.recover(await runtime.endOrphans(graceMs), found);
  for (const id of deployments.listIncomplete()) {
    await files.remove(id);
    deployments.remove(id);
  }
  for (const { id, generation } of deployments.listOpen()) {
    await files.recover(id, generation);
    await volumes.migrate(id);
  }
  await forEachConcurrently(closed.listKept(), ({ id }) => files.recover(id, undefined));
}
