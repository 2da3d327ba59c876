import { keyName } from '../prompts/key-names.ts';
import type { Discarded } from '../drafts/discard.ts';
import type { Drafts } from '../drafts/drafts.ts';
import { type DraftPlace, nameIn, placeKey } from '../drafts/places.ts';
import type { Trash, TrashedFile } from '../drafts/trash.ts';
import { done, type FileOutcome, refusal } from './outcome.ts';
import type { Agreed } from './transfer-check.ts';

/** The drafts, as the restore of a discarded one uses them. */
export interface RestoredDrafts extends Pick<Drafts, 'state' | 'typed' | 'flush'> {
  discard(places: readonly DraftPlace[]): Promise<Discarded>;
}

const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/**
 * Makes a discarded draft a draft again. A newer draft of the file is replaced only with consent, and
 * goes to the trash.
 */
export async function restoreDraft(
  { drafts, trash }: { readonly drafts: RestoredDrafts; readonly trash: Pick<Trash, 'remove'> },
  id: string,
  { deploymentId, service, path, newDeployment, sentAt, bytes, base }: TrashedFile,
  { replace = false }: Agreed,
): Promise<FileOutcome> {
  const place = newDeployment === undefined ? { deploymentId, service, path } : { newDeployment };
  const key = placeKey(place);
  if (drafts.state.getState().drafts.has(key)) {
    const sentence = `${path} already has a draft.`;
    if (!replace)
      return refusal(
        'exists',
        path,
        sentence,
        newDeployment === undefined
          ? `${keyName('files.discard', 'U')} discards it.`
          : `${keyName('editor.discard', 'F6')} discards it.`,
      );
    const { failure } = await drafts.discard([place]);
    if (failure !== undefined) return refusal('failed', path, failure, 'Nothing was restored.');
  }
  const text = decoder.decode(bytes);
  const baseText = base && decoder.decode(base);
  const name = newDeployment === undefined ? undefined : path;
  drafts.typed(place, () => ({ text, base: baseText, name, sentAt }));
  await drafts.flush();
  const failure = drafts.state.getState().failures.get(key);
  if (failure !== undefined)
    return refusal('failed', path, failure, 'Its copy stays in the trash.');
  await trash.remove(id);
  return done(`Restored the draft of ${nameIn(path)}.`);
}
