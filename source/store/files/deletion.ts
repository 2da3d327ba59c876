import { keyName } from '../prompts/key-names.ts';
import { isRequestablePath } from '../../contract/routes.ts';
import { done, failed, type FileOutcome, type FileRefusal, unreachable } from './outcome.ts';
import { type FileWriteOptions, putIntoTrash } from './trashing.ts';
import type { FilesPlace } from './files.ts';
import type { LocalPlace } from '../drafts/places.ts';

/**
 * Deletes files one after the other, each after a copy of it went to the trash. Skips files that no
 * longer exist and stops at the first one that can't be deleted.
 */
export async function deleteFiles(
  options: FileWriteOptions,
  place: FilesPlace,
  paths: readonly string[],
  unkept: boolean,
): Promise<FileOutcome> {
  const invalidPath = paths.find((path) => !isRequestablePath(path));
  if (invalidPath !== undefined) return unreachable(invalidPath);
  const deleted: string[] = [];
  let missing: FileRefusal | undefined;
  for (const path of paths) {
    const outcome = await deleteFile(options, { ...place, path }, unkept);
    if (outcome.kind === 'deleted') deleted.push(path);
    else if (outcome.kind === 'missing') missing = outcome.refusal;
    else return withProgress(outcome.refusal, deleted, paths.length);
  }
  if (deleted.length === 0 && missing !== undefined) return missing;
  return done(deletedSentence(place, deleted, paths.length, unkept));
}

function deletedSentence(
  { service }: FilesPlace,
  deleted: readonly string[],
  requested: number,
  unkept: boolean,
): string {
  const [first = ''] = deleted;
  const subject = deleted.length === 1 ? first : `${deleted.length} files of ${service}`;
  const missing = requested - deleted.length;
  const rest =
    missing === 0
      ? ''
      : ` ${missing} of ${requested} ${missing === 1 ? 'was' : 'were'} already gone.`;
  const undo = unkept ? '' : ` ${keyName('trash.undo', 'u')} undoes this.`;
  return `Deleted ${subject}.${rest}${undo}`;
}

type Deletion =
  | { readonly kind: 'deleted' }
  | { readonly kind: 'missing' | 'blocked'; readonly refusal: FileRefusal };

async function deleteFile(
  options: FileWriteOptions,
  place: LocalPlace,
  unkept: boolean,
): Promise<Deletion> {
  const { client, trash, writes } = options;
  const { deploymentId, service, path } = place;
  const trashing = await putIntoTrash(options, place, 'deleted', unkept);
  if (trashing.kind !== 'trashed') return trashing;
  await writes.intend(place, { kind: 'deleted' });
  const result = await client.delete(deploymentId, service, path);
  if (result.ok) {
    void writes.fileChanged(place);
    return { kind: 'deleted' };
  }
  const { error } = result;
  if (!error.unknownOutcome) writes.notChanged(place);
  if (error.code === 'not-found')
    return { kind: 'missing', refusal: failed(path, 'deleted', error) };
  // The file still exists: its copy would hide older entries of the trash.
  if (trashing.id !== undefined && !error.unknownOutcome) await trash.remove(trashing.id);
  return { kind: 'blocked', refusal: failed(path, 'deleted', error) };
}

/** Returns the refusal with the number of files deleted before it. */
function withProgress(
  refusal: FileRefusal,
  deleted: readonly string[],
  requested: number,
): FileRefusal {
  if (requested === 1) return refusal;
  const sentence = `Deleted ${deleted.length} of ${requested} files, then stopped. ${refusal.sentence}`;
  return { ...refusal, sentence, done: deleted };
}
