import type { Clock } from '../time/clock.ts';
import type { Drafts } from './drafts.ts';
import { type LocalPlace, nameIn, placeKey } from './places.ts';
import type { Trash } from './trash.ts';

/** The outcome of discarding drafts; `failure` reports the first one that stays. */
export interface Discarded {
  readonly places: readonly LocalPlace[];
  readonly failure: string | undefined;
}

export interface DiscardOptions {
  readonly drafts: Pick<Drafts, 'state' | 'read' | 'saved'>;
  readonly trash: Pick<Trash, 'put' | 'remove'>;
  readonly clock: Clock;
}

const encoder = new TextEncoder();

/**
 * Moves drafts of files to the trash, together with the texts they are based on. A draft that another
 * running console wrote stays.
 */
export async function discardDrafts(
  { drafts, trash, clock }: DiscardOptions,
  places: readonly LocalPlace[],
): Promise<Discarded> {
  const discarded: LocalPlace[] = [];
  let failure: string | undefined;
  const batch = `drafts ${clock.now()}`;
  for (const { deploymentId, service, path } of places) {
    const place = { deploymentId, service, path };
    const draft = await drafts.read(place);
    if (draft === undefined) continue;
    const put = await trash.put({
      ...place,
      reason: 'discarded',
      batch,
      bytes: encoder.encode(draft.text),
      base: draft.base === undefined ? undefined : encoder.encode(draft.base),
      at: clock.now(),
    });
    if (!put.ok) {
      failure ??= `The draft of ${nameIn(path)} was not discarded. ${put.sentence}`;
      continue;
    }
    await drafts.saved(place);
    if (drafts.state.getState().drafts.get(placeKey(place))?.at === draft.at) {
      await trash.remove(put.id);
      const owner = `The draft of ${nameIn(path)} belongs to another running hostdeck.`;
      failure ??= `${owner} It was not discarded.`;
      continue;
    }
    discarded.push(place);
  }
  return { places: discarded, failure };
}
