import type { Discarded } from '../drafts/discard.ts';
import type { Drafts } from '../drafts/drafts.ts';
import { type LocalPlace, nameIn, placeKey } from '../drafts/places.ts';
import type { Trash, TrashedFile } from '../drafts/trash.ts';
import { done, type FileOutcome, refusal } from './outcome.ts';
import type { Agreed } from './transfer-check.ts';

/** The drafts, as the restore of a discarded one uses them. */
export interface RestoredDrafts extends Pick<Drafts, 'state' | 'typed' | 'flush'> {
  discard(places: readonly LocalPlace[]): Promise<Discarded>;
}

const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/**
 * Makes a discarded draft a draft again. A newer draft of the file is replaced only with consent, and
 * goes to the trash.
 */
export async function restoreDraft(
  { drafts, trash }: { readonly drafts: RestoredDrafts; readonly trash: Pick<Trash, 'remove'> },
  id: string,
  { deploymentId, service, path, bytes, base }: TrashedFile,
  { replace = false }: Agreed,
): Promise<FileOutcome> {
  const place = { deploymentId, service, path };
  const key = placeKey(place);
  if (drafts.state.getState().drafts.has(key)) {
    const sentence = `${path} already has a draft.`;
    if (!replace) return refusal('exists', path, sentence, 'U discards it.');
    const { failure } = await drafts.discard([place]);
    if (failure !== undefined) return refusal('failed', path, failure, 'Nothing was restored.');
  }
  const text = decoder.decode(bytes);
  const baseText = base && decoder.decode(base);
  drafts.typed(place, () => ({ text, base: baseText }));
  await drafts.flush();
  const failure = drafts.state.getState().failures.get(key);
  if (failure !== undefined)
    return refusal('failed', path, failure, 'Its copy stays in the trash.');
  await trash.remove(id);
  return done(`Restored the draft of ${nameIn(path)}. e opens it.`);
}
