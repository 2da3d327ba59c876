import type { ClosedDeployments } from '../closed-deployments.ts';
import type { Deployments } from '../deployments.ts';
import { forEachConcurrently } from '../files/disk.ts';
import type { Files } from '../files/files.ts';
import type { Backend } from './backend.ts';

export interface RecoveryParts {
  readonly deployments: Pick<Deployments, 'listIncomplete' | 'listOpen' | 'remove'>;
  readonly closed: Pick<ClosedDeployments, 'listKept'>;
  readonly files: Pick<Files, 'recover' | 'remove'>;
  readonly backend: Pick<Backend, 'recover'>;
}

/**
 * Takes over from an earlier host: its services, deployments that never were complete, which are
 * removed, and changes of files, which are completed. No service may start before.
 */
export async function recoverDeployments(parts: RecoveryParts): Promise<void> {
  const { deployments, closed, files, backend } = parts;
  await backend.recover();
  for (const id of deployments.listIncomplete()) {
    await files.remove(id);
    deployments.remove(id);
  }
  for (const { id, generation, appliedGeneration } of deployments.listOpen()) {
    await files.recover(id, generation, appliedGeneration);
  }
  await forEachConcurrently(closed.listKept(), ({ id }) => files.recover(id, undefined));
}
