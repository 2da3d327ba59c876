import type { FilesClient } from '../../client/client.ts';
import type { ServiceError } from '../../client/http/errors.ts';
import type { LeftOut } from './local-files.ts';
import type { UploadItem } from './upload-plan.ts';
import { keepReplaced, type Keeping } from './upload-replaced.ts';

export interface Sending extends Omit<Keeping, 'client'> {
  readonly client: Pick<FilesClient, 'get' | 'upload'>;
  /** Told the bytes of contents sent so far, and of which items. */
  readonly onProgress: (items: readonly UploadItem[], bytes: number) => void;
}

/** What became of one request. `leftOut` is what was not sent for a reason of its own. */
export type BatchOutcome = { readonly leftOut: readonly LeftOut[] } & (
  | { readonly kind: 'sent'; readonly items: readonly UploadItem[] }
  /** Too large together: nothing of them is written, and fewer of them may be taken. */
  | { readonly kind: 'refused'; readonly items: readonly UploadItem[] }
  | {
      readonly kind: 'failed';
      readonly error: ServiceError;
      /** No answer came to these: they may have arrived. */
      readonly unknown: readonly UploadItem[];
      readonly unsent: readonly UploadItem[];
    }
);

/** Keeps what the items replace, then sends them in one request. */
export async function sendBatch(sending: Sending): Promise<BatchOutcome> {
  const { client, place, signal, onProgress } = sending;
  const keeping = await keepReplaced(sending);
  if (!keeping.ok) {
    const { error } = keeping;
    return { kind: 'failed', error, unknown: [], unsent: sending.items, leftOut: [] };
  }
  const { items, leftOut } = keeping.value;
  if (items.length === 0) return { kind: 'sent', items, leftOut };
  const parts = items.map(({ file, path }) => ({ path, source: { file } }));
  const result = await client.upload(place.deploymentId, place.service, parts, {
    signal,
    onProgress: (bytes) => onProgress(items, bytes),
  });
  if (result.ok) return { kind: 'sent', items, leftOut };
  const { error } = result;
  if (error.code !== 'too-large') {
    const [unknown, unsent] = error.unknownOutcome ? [items, []] : [[], items];
    return { kind: 'failed', error, unknown, unsent, leftOut };
  }
  const [only, ...others] = items;
  if (only === undefined || others.length > 0) return { kind: 'refused', items, leftOut };
  const alone = { path: only.file, reason: 'too large for the service' };
  return { kind: 'sent', items: [], leftOut: [...leftOut, alone] };
}
