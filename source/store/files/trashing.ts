import type { FilesClient } from '../../client/client.ts';
import type { ErrorCode } from '../../client/http/errors.ts';
import type { Clock } from '../time/clock.ts';
import { type FileRefusal, failed, refusal } from './outcome.ts';
import type { LocalPlace } from '../drafts/places.ts';
import type { Trash, TrashedFile } from '../drafts/trash.ts';

/** A file as it is on the service, put into the trash; no id where it was not kept. */
export type Trashing =
  | { readonly kind: 'kept'; readonly id: string | undefined }
  | { readonly kind: 'gone'; readonly refusal: FileRefusal }
  | { readonly kind: 'blocked'; readonly refusal: FileRefusal };

export interface TrashingOptions {
  readonly client: FilesClient;
  readonly trash: Trash;
  readonly clock: Clock;
}

/** Answers that say of a file that it is more than can be fetched: asking again changes nothing. */
const tooMuch: ReadonlySet<ErrorCode> = new Set(['oversized-answer', 'too-large']);

/**
 * Fetches a file and puts it into the trash, before it is deleted or replaced. Its content has to be
 * sure: one that may stand in an envelope would come back as another file.
 * @param unkept goes on where it cannot be kept, as the person said.
 */
export async function putIntoTrash(
  { client, trash, clock }: TrashingOptions,
  { deploymentId, service, path }: LocalPlace,
  reason: TrashedFile['reason'],
  unkept: boolean,
): Promise<Trashing> {
  const cannot = (why: string): Trashing => {
    if (unkept) return { kind: 'kept', id: undefined };
    const sentence = `${path} was not ${reason}. ${why}`;
    const next = `It can be ${reason} without being kept; then it cannot be put back.`;
    return { kind: 'blocked', refusal: refusal('unkept', path, sentence, next) };
  };
  const got = await client.get(deploymentId, service, path);
  if (!got.ok) {
    const { error } = got;
    if (tooMuch.has(error.code)) return cannot(error.sentence);
    const kind = error.code === 'not-found' ? 'gone' : 'blocked';
    return { kind, refusal: failed(path, reason, error) };
  }
  const { bytes, certainty } = got.value;
  if (certainty === 'ambiguous')
    return cannot('Whether its content is the whole answer is not sure.');
  const file = { deploymentId, service, path, reason, bytes, at: clock.now() };
  const put = await trash.put(file);
  return put.ok ? { kind: 'kept', id: put.id } : cannot(put.sentence);
}
