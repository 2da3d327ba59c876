import type { FilesClient } from '../client/files.ts';
import type { Deck } from '../store/deck/deck.ts';
import type { AnsweredDrafts } from '../store/drafts/answered.ts';
import type { PendingRestart } from '../store/restarts/journal.ts';
import { resolveIntents } from '../store/restarts/resolve-intents.ts';
import { firstAnswer } from './first-answer.ts';
import { lazyPart, PartError } from '../system/lazy-part.ts';

const unfinishedBox = lazyPart(() => import('../view/shell/offer-unfinished.ts'));

/** Milliseconds until parts that could not be loaded are tried again. */
const partsRetry = 3000;

/** Resolves when parts may be tried again; a program that has quit ends without waiting for it. */
export function untilPartsMayLoad(): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, partsRetry).unref();
  });
}

/**
 * Offers pending restarts and drafts that earlier consoles left, once the parts that read and offer them
 * can be loaded.
 */
export async function offerUnfinishedWork(
  ...given: Parameters<typeof readAndOffer>
): Promise<void> {
  const [{ messages }] = given;
  let isSaid = false;
  for (;;) {
    try {
      return await readAndOffer(...given);
    } catch (error) {
      if (!(error instanceof PartError)) throw error;
      if (!isSaid) messages.say(error.message, 'bad');
      isSaid = true;
    }
    await untilPartsMayLoad();
  }
}

async function readAndOffer(
  deck: Deck,
  owed: readonly PendingRestart[],
  answered: AnsweredDrafts,
  files: Pick<FilesClient, 'list' | 'get'>,
): Promise<void> {
  await deck.drafts.load();
  if (owed.length === 0 && deck.drafts.state.getState().drafts.size === 0) return;
  const { offerUnfinished } = await unfinishedBox();
  // The box needs the names of the deployments.
  await firstAnswer(deck);
  const found = await resolveIntents(deck.restarts, files, (...moved) => {
    void deck.files.work().then(({ operations }) => operations.foundMoved(...moved));
  });
  offerUnfinished(deck, answered);
  if (found.length > 0) deck.messages.say(found.join(' '));
}
