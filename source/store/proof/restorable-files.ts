/** Tells which files of a proved restart have an earlier version in the trash. */
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
