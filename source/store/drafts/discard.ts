import type { Clock } from '../time/clock.ts';
import type { Draft, Drafts } from './drafts.ts';
import {
  definitionPlace,
  type DraftPlace,
  isNewDeployment,
  type LocalPlace,
  nameIn,
  placeKey,
} from './places.ts';
import type { Trash, TrashedFile } from './trash.ts';

/** The outcome of discarding drafts; `failure` reports the first one that stays. */
export interface Discarded {
  /** Names of the discarded files and definitions. */
  readonly names: readonly string[];
  readonly failure: string | undefined;
}

export interface DiscardOptions {
  readonly drafts: Pick<Drafts, 'state' | 'read' | 'saved'>;
  readonly trash: Pick<Trash, 'put' | 'remove'>;
  readonly clock: Clock;
}

const encoder = new TextEncoder();

/**
 * Moves drafts to the trash, together with the texts they are based on. A draft that another running
 * console wrote stays.
 */
export async function discardDrafts(
  { drafts, trash, clock }: DiscardOptions,
  places: readonly DraftPlace[],
): Promise<Discarded> {
  const names: string[] = [];
  let failure: string | undefined;
  const batch = `drafts ${clock.now()}`;
  for (const place of places) {
    const draft = await drafts.read(place);
    if (draft === undefined) continue;
    const kept = trashedPlace(place, draft);
    const name = nameIn(kept.path);
    const put = await trash.put({
      ...kept,
      reason: 'discarded',
      batch,
      bytes: encoder.encode(draft.text),
      base: draft.base === undefined ? undefined : encoder.encode(draft.base),
      at: clock.now(),
    });
    if (!put.ok) {
      failure ??= `The draft of ${name} was not discarded. ${put.sentence}`;
      continue;
    }
    await drafts.saved(place);
    if (drafts.state.getState().drafts.get(placeKey(place))?.at === draft.at) {
      await trash.remove(put.id);
      const owner = `The draft of ${name} belongs to another running hostdeck.`;
      failure ??= `${owner} It was not discarded.`;
      continue;
    }
    names.push(name);
  }
  return { names, failure };
}

/** Returns the place of a draft in the trash. */
function trashedPlace(
  place: DraftPlace,
  { name, sentAt }: Draft,
): LocalPlace & Pick<TrashedFile, 'newDeployment' | 'sentAt'> {
  if (!isNewDeployment(place)) {
    const { deploymentId, service, path } = place;
    return { deploymentId, service, path };
  }
  const { newDeployment } = place;
  return { ...definitionPlace(name ?? 'new deployment'), newDeployment, sentAt };
}
