import { deploymentLabel, type DeploymentsStore, shortId } from '../deployments/deployments.ts';
import { rowWithId } from '../lists/row-with-id.ts';
import type { PendingRestart } from '../restarts/journal.ts';

/** Returns the label of a deployment, as far as it is listed, read, or named by a pending restart. */
export function labelOfDeployment(
  { list, details }: Pick<DeploymentsStore, 'list' | 'details'>,
  owed: readonly PendingRestart[] | undefined,
  id: string,
): string {
  const record = rowWithId(list.state.getState().rows, id) ?? details.getState().get(id);
  if (record !== undefined) return deploymentLabel(record.value);
  return owed?.find((one) => one.deploymentId === id)?.name ?? shortId(id);
}
