/** Tells which files of a proved restart have an earlier version in the trash. */
import type { RestartUndo } from '../drafts/trash-list.ts';
import type { TrashBatch, TrashEntry } from '../drafts/trash.ts';
import type { ChangedFile } from '../restarts/journal.ts';
import type { ProofRecord } from './proof-record.ts';

/** A file that can be restored to its version before the restart. */
export interface RestorableFile extends ChangedFile {
  /** The entry of the trash that has this version, or that undoes a move. */
  readonly entry: TrashEntry;
  /** Digest of the content that was written last; anything else is a later change. */
  readonly written: string | undefined;
}

export interface RestorableFiles {
  /** Newest change first, the order in which they are undone. */
  readonly files: readonly RestorableFile[];
  /** Changed files without an earlier version: new ones, and those whose copy is gone. */
  readonly others: readonly ChangedFile[];
}

/** Milliseconds between the copy of a file and the report of its change, at most. */
const longestWrite = 120_000;

/**
 * Returns the files of a proved restart that can be restored: of each file, the oldest version from
 * between the restart before and this one.
 *
 * @param records records of the deployment, of which one may tell the restart before.
 */
export function restorableFiles(
  record: ProofRecord,
  batches: readonly TrashBatch[],
  records: readonly ProofRecord[] = [],
): RestorableFiles {
  const { deploymentId, changedFrom, requestedAt } = record;
  const earlier = records
    .filter((one) => one.deploymentId === deploymentId && one.requestedAt < requestedAt)
    .map((one) => one.requestedAt);
  const from = Math.max(changedFrom - longestWrite, ...earlier);
  const entries = batches
    .flat()
    .filter((entry) => entry.deploymentId === deploymentId && entry.reason !== 'discarded')
    .filter(({ at }) => at >= from && at <= requestedAt)
    .toSorted((left, right) => right.at - left.at);
  const files: RestorableFile[] = [];
  const others: ChangedFile[] = [];
  for (const file of record.files) {
    const own = entries.filter((entry) => entry.service === file.service && isOf(entry, file));
    const copies = own.filter(({ reason }) => reason !== 'moved');
    const [newest, oldest] = [copies[0], copies.at(-1)];
    const move = own.find(({ reason }) => reason === 'moved');
    if (move !== undefined && move.path === file.path) {
      files.push({ ...file, entry: move, written: undefined });
    }
    if (oldest !== undefined) files.push({ ...file, entry: oldest, written: newest?.written });
    if (move === undefined && oldest === undefined) others.push(file);
  }
  return { files: files.toSorted((left, right) => right.entry.at - left.entry.at), others };
}

function isOf(entry: TrashEntry, { path }: ChangedFile): boolean {
  return entry.path === path || entry.movedTo === path;
}

/**
 * Returns the restarts whose changes can be undone together, newest first: of each deployment the last
 * one, unless it brought no new problems.
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
    if (lasts.get(deploymentId) !== record || isUndone || verdict === 'unchanged') return [];
    const { files, others } = restorableFiles(record, batches, records);
    const [first, ...rest] = files.map(({ entry, written }) => ({ entry, expected: written }));
    if (first === undefined) return [];
    const id = JSON.stringify([deploymentId, requestedAt]);
    return [{ id, at: requestedAt, deploymentId, name, verdict, files: [first, ...rest], others }];
  });
}
