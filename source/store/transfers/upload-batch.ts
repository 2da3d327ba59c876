import type { FilesClient } from '../../client/files.ts';
import type { ServiceError } from '../../client/http/errors.ts';
import type { UploadWrites } from '../drafts/file-writes.ts';
import type { ExcludedPath } from './local-files.ts';
import type { UploadItem } from './upload-plan.ts';
import { describeUpload } from './upload-note.ts';
import { storeReplaced, type StoreReplacedOptions } from './upload-replaced.ts';

export interface BatchOptions extends Omit<StoreReplacedOptions, 'client'> {
  readonly client: Pick<FilesClient, 'get' | 'upload'>;
  readonly writes: Pick<UploadWrites, 'intendUpload'>;
  /** Called with the content bytes sent so far and their items. */
  readonly onProgress: (items: readonly UploadItem[], bytes: number) => void;
}

/** Outcome of one request. `leftOut` are files that were not sent, each with its reason. */
export type BatchOutcome = { readonly leftOut: readonly ExcludedPath[] } & (
  | { readonly kind: 'sent'; readonly items: readonly UploadItem[] }
  /** The batch was too large: nothing was written, and a smaller batch may succeed. */
  | { readonly kind: 'refused'; readonly items: readonly UploadItem[] }
  | {
      readonly kind: 'failed';
      readonly error: ServiceError;
      /** Items that were sent without an answer; they may have arrived. */
      readonly unknown: readonly UploadItem[];
      readonly unsent: readonly UploadItem[];
    }
);

/** Stores the replaced files in the trash, notes the items, and sends them in one request. */
export async function sendBatch(sending: BatchOptions): Promise<BatchOutcome> {
  const { client, local, place, signal, onProgress, writes } = sending;
  const keeping = await storeReplaced(sending);
  if (!keeping.ok) {
    const { error } = keeping;
    return { kind: 'failed', error, unknown: [], unsent: sending.items, leftOut: [] };
  }
  const { items, leftOut } = keeping.value;
  if (items.length === 0) return { kind: 'sent', items, leftOut };
  const parts = items.map(({ file, path }) => ({ path, source: { file } }));
  const noted = await writes.intendUpload(place, await describeUpload(items, local));
  const result = await client.upload(place.deploymentId, place.service, parts, {
    signal,
    onProgress: (bytes) => onProgress(items, bytes),
  });
  if (result.ok) {
    void noted.arrived();
    return { kind: 'sent', items, leftOut };
  }
  const { error } = result;
  if (!error.unknownOutcome) noted.refused();
  const isAlone = items.length === 1;
  if (error.code !== 'too-large' && !(isAlone && error.code === 'invalid')) {
    const [unknown, unsent] = error.unknownOutcome ? [items, []] : [[], items];
    return { kind: 'failed', error, unknown, unsent, leftOut };
  }
  const [only] = items;
  if (only === undefined || !isAlone) return { kind: 'refused', items, leftOut };
  const isTooLarge = error.code === 'too-large' && error.status !== undefined;
  const reason = isTooLarge
    ? 'too large for the service'
    : (error.errorMessage ?? error.sentence).replace(/\.$/, '');
  return { kind: 'sent', items: [], leftOut: [...leftOut, { path: only.file, reason }] };
}
