import type { FileWrites } from '../drafts/file-writes.ts';
import type { FilesClient } from '../../client/files.ts';
import type { ErrorCode } from '../../client/http/errors.ts';
import type { Clock } from '../time/clock.ts';
import { digestOf } from '../drafts/digest.ts';
import { changed, type FileRefusal, failed, refusal } from './outcome.ts';
import type { LocalPlace } from '../drafts/places.ts';
import type { Trash } from '../drafts/trash.ts';

/** The outcome of copying a file to the trash; `id` is undefined when the person waived the copy. */
export type Trashing =
  | { readonly kind: 'trashed'; readonly id: string | undefined }
  | { readonly kind: 'missing'; readonly refusal: FileRefusal }
  | { readonly kind: 'blocked'; readonly refusal: FileRefusal };

export interface TrashingOptions {
  readonly client: FilesClient;
  readonly trash: Trash;
  readonly clock: Clock;
  /** The batch of the files that the command puts into the trash. */
  readonly batch?: string | undefined;
  /** Digest of the content that the command writes. */
  readonly written?: string | undefined;
}

export interface FileWriteOptions extends TrashingOptions {
  /** Receives the report of each change of a file, before it is requested and when it has happened. */
  readonly writes: Pick<FileWrites, 'intend' | 'notChanged' | 'fileChanged'>;
}

/** Errors of files too large to be fetched; another request fails in the same way. */
const sizeErrors: ReadonlySet<ErrorCode> = new Set(['oversized-answer', 'too-large']);

/**
 * Fetches a file and copies it to the trash before it is deleted or replaced. Refuses content that
 * may be wrapped in an envelope, because restoring it would write another file.
 * @param unkept continues without a copy when none can be made; the person has agreed to that.
 * @param expected digest of the only content that may be removed; any content by default.
 */
export async function putIntoTrash(
  { client, trash, clock, batch, written }: TrashingOptions,
  { deploymentId, service, path }: LocalPlace,
  reason: 'deleted' | 'replaced',
  unkept: boolean,
  expected?: string,
): Promise<Trashing> {
  const withoutCopy = (cause: string): Trashing => {
    if (unkept) return { kind: 'trashed', id: undefined };
    const sentence = `${path} was not ${reason}. ${cause}`;
    const next = `It can be ${reason} without a copy in the trash; then u can't undo it.`;
    return { kind: 'blocked', refusal: refusal('unkept', path, sentence, next) };
  };
  const got = await client.get(deploymentId, service, path);
  if (!got.ok) {
    const { error } = got;
    if (sizeErrors.has(error.code)) return withoutCopy(error.sentence);
    const kind = error.code === 'not-found' ? 'missing' : 'blocked';
    return { kind, refusal: failed(path, reason, error) };
  }
  const { bytes, certainty } = got.value;
  if (expected !== undefined && (await digestOf(bytes)) !== expected) {
    return { kind: 'blocked', refusal: changed(path) };
  }
  if (certainty === 'ambiguous') return withoutCopy(ambiguousContent);
  const file = { deploymentId, service, path, reason, bytes, batch, written, at: clock.now() };
  const put = await trash.put(file);
  return put.ok ? { kind: 'trashed', id: put.id } : withoutCopy(put.sentence);
}

/** The service's answer is JSON that may be the file or an envelope around it. */
export const ambiguousContent = "The service's answer may contain more than the file.";
