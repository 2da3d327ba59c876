/** Describes the files of a request for the journal, so that a later run can find out whether they arrived. */
import type { IntendedUpload } from '../drafts/file-writes.ts';
import type { LocalFiles } from './local-files.ts';
import type { UploadItem } from './upload-plan.ts';

/** Most files of a request whose digests are taken, each by reading it once more. */
const mostDigests = 20;

/** Bytes of the largest file whose digest is taken. */
const largestDigested = 4 * 2 ** 20;

/**
 * Returns the files of a request with the digests of some: they are spread over the request, because a service
 * may have written its first files only.
 */
export async function describeUpload(
  items: readonly UploadItem[],
  local: Pick<LocalFiles, 'digest'>,
): Promise<readonly IntendedUpload[]> {
  const small = items.filter(({ size }) => size <= largestDigested);
  const step = Math.ceil(small.length / mostDigests);
  const chosen = new Set(small.filter((_, index) => index % step === 0));
  return Promise.all(
    items.map(async (item) => {
      const { path, size, file } = item;
      return { path, size, digest: chosen.has(item) ? await local.digest(file) : undefined };
    }),
  );
}
