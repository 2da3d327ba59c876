import type { Client } from '../../client/client.ts';
import { recordDeploymentWrites } from '../deployments/recorded.ts';
import { recordFileWrites } from '../files/recorded.ts';
import { recordGrantWrites } from '../grants/recorded.ts';
import type { History } from '../history/history.ts';
import { createWriteRecorder } from '../history/record-writes.ts';

/**
 * Returns a client whose writes are recorded in the history.
 * @param label returns the name of a deployment.
 * @param grantee returns the wallet that a grant is given to.
 */
export function recordedClient(
  client: Client,
  history: History,
  label: (deployment: string) => string,
  grantee: (grant: string) => string | undefined,
): Client {
  const record = createWriteRecorder(history);
  return {
    ...client,
    deployments: recordDeploymentWrites(client.deployments, record, label),
    files: recordFileWrites(client.files, record, label),
    grants: recordGrantWrites(client.grants, record, grantee),
  };
}
