/** Finds out which files of an upload arrived, that an earlier run had no answer to. */
import type { FilesClient } from '../../client/files.ts';
import { digestOf } from '../drafts/digest.ts';
import type { ChangedFile, PendingRestart } from './journal.ts';

/** `unread`: a file of its size is there, and its content was not noted. */
type Sight = 'written' | 'other' | 'unknown' | 'unread';

export function isUpload({ files: [file] }: Pick<PendingRestart, 'files'>): boolean {
  return file?.size !== undefined;
}

/**
 * Returns the files that are as they were to be uploaded; undefined where the service does not tell. Where the
 * contents of some are noted, one of them must be there; files whose contents are not are known by their sizes.
 */
export async function findUploaded(
  { deploymentId, files: noted }: PendingRestart,
  files: Pick<FilesClient, 'list' | 'get'>,
): Promise<readonly ChangedFile[] | undefined> {
  const { service = '' } = noted[0] ?? {};
  const listed = await files.list(deploymentId, service);
  if (!listed.ok) return listed.error.code === 'not-found' ? [] : undefined;
  const there = new Map(listed.value.map(({ value }) => [value.path, value]));
  const sights = await Promise.all(
    noted.map(async ({ path, digest, size }): Promise<Sight> => {
      const record = there.get(path);
      if (record === undefined || (record.size ?? size) !== size) return 'other';
      if (digest === undefined) return 'unread';
      const content = await files.get(deploymentId, service, path);
      if (!content.ok) return content.error.code === 'not-found' ? 'other' : 'unknown';
      if ((await digestOf(content.value.bytes)) === digest) return 'written';
      return content.value.certainty === 'certain' ? 'other' : 'unknown';
    }),
  );
  const isWritten = sights.includes('written');
  if (!isWritten && sights.includes('unknown')) return undefined;
  const isKnownBySize = isWritten || noted.every(({ digest }) => digest === undefined);
  const found = new Set<Sight>(isKnownBySize ? ['written', 'unread'] : ['written']);
  return noted.filter((_, index) => found.has(sights[index] ?? 'other'));
}
