import type { Trash, TrashEntry } from '../../source/store/drafts/trash.ts';

/** Returns the newest batch of a service in the trash; empty where it has none. */
export async function lastBatch(
  trash: Pick<Trash, 'batches'>,
  deploymentId: string,
  service: string,
): Promise<readonly TrashEntry[]> {
  return (await trash.batches({ most: 1, of: { deploymentId, service } }))[0] ?? [];
}
