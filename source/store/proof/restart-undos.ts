import type { RestartUndo } from '../drafts/trash-list.ts';
import type { TrashBatch } from '../drafts/trash.ts';
import type { ProofRecord } from './proof-record.ts';
import { restorableFiles } from './restorable-files.ts';

/**
 * Returns the restarts whose changes can be undone together, newest first: of each deployment the last
 * one, unless it was no worse than usual.
 */
export function restartUndos(
  records: readonly ProofRecord[],
  batches: readonly TrashBatch[],
): readonly RestartUndo[] {
  const newestFirst = records.toSorted((left, right) => right.requestedAt - left.requestedAt);
  const lasts = new Map(
    newestFirst.toReversed().map((record) => [record.deploymentId, record] as const),
  );
  return newestFirst.flatMap((record) => {
    const { deploymentId, requestedAt, name, verdict, isUndone } = record;
    if (lasts.get(deploymentId) !== record || isUndone || verdict === 'no worse') return [];
    const { files, others } = restorableFiles(record, batches, records);
    const [first, ...rest] = files.map(({ entry, written }) => ({ entry, expected: written }));
    if (first === undefined) return [];
    const id = JSON.stringify([deploymentId, requestedAt]);
    return [{ id, at: requestedAt, deploymentId, name, verdict, files: [first, ...rest], others }];
  });
}
