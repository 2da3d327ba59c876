import { isRequestablePath } from '../../contract/routes.ts';
import { done, failed, type FileOutcome, type FileRefusal, unreachable } from './outcome.ts';
import { putIntoTrash, type TrashingOptions } from './trashing.ts';
import type { FilesPlace } from './files.ts';
import type { FileWrites } from '../drafts/file-writes.ts';
import type { LocalPlace } from '../drafts/places.ts';

interface DeletionOptions extends TrashingOptions {
  readonly writes: Pick<FileWrites, 'fileChanged'>;
}

/**
 * Deletes files one after the other, each after it was put into the trash. Stops at the first that
 * could not be deleted; those that are gone already are passed over.
 */
export async function deleteFiles(
  options: DeletionOptions,
  place: FilesPlace,
  paths: readonly string[],
  unkept: boolean,
): Promise<FileOutcome> {
  const unreachablePath = paths.find((path) => !isRequestablePath(path));
  if (unreachablePath !== undefined) return unreachable(unreachablePath);
  const deleted: string[] = [];
  let gone: FileRefusal | undefined;
  for (const path of paths) {
    const outcome = await deleteFile(options, { ...place, path }, unkept);
    if (outcome.kind === 'deleted') deleted.push(path);
    else if (outcome.kind === 'gone') gone = outcome.refusal;
    else return stopped(outcome.refusal, deleted, paths.length);
  }
  if (deleted.length === 0 && gone !== undefined) return gone;
  const [only = ''] = deleted;
  const what = deleted.length === 1 ? only : `${deleted.length} files of ${place.service}`;
  const others = paths.length - deleted.length;
  const rest = others === 0 ? '' : ` ${others} of ${paths.length} were gone already.`;
  return done(`Deleted ${what}.${rest}${unkept ? '' : ' u puts the last one back.'}`);
}

type Deletion =
  | { readonly kind: 'deleted' }
  | { readonly kind: 'gone' | 'blocked'; readonly refusal: FileRefusal };

async function deleteFile(
  options: DeletionOptions,
  place: LocalPlace,
  unkept: boolean,
): Promise<Deletion> {
  const { client, trash, writes } = options;
  const { deploymentId, service, path } = place;
  const kept = await putIntoTrash(options, place, 'deleted', unkept);
  if (kept.kind !== 'kept') return kept;
  const result = await client.delete(deploymentId, service, path);
  if (result.ok) {
    void writes.fileChanged(place);
    return { kind: 'deleted' };
  }
  const { error } = result;
  if (error.code === 'not-found') return { kind: 'gone', refusal: failed(path, 'deleted', error) };
  // It is still there: what was kept would only hide what was deleted before.
  if (kept.id !== undefined && !error.unknownOutcome) await trash.remove(kept.id);
  return { kind: 'blocked', refusal: failed(path, 'deleted', error) };
}

/** Tells what was done before. */
function stopped(refused: FileRefusal, deleted: readonly string[], all: number): FileRefusal {
  if (all === 1) return refused;
  const sentence = `Deleted ${deleted.length} of ${all} files, then stopped. ${refused.sentence}`;
  return { ...refused, sentence, done: deleted };
}
