import type { FilesClient } from '../client/files.ts';
import type { Deck } from '../store/deck/deck.ts';
import type { AnsweredDrafts } from '../store/drafts/answered.ts';
import type { PendingRestart } from '../store/restarts/journal.ts';
import { resolveIntents } from '../store/restarts/resolve-intents.ts';
import { firstAnswer } from './first-answer.ts';
import { lazyPart } from '../system/lazy-part.ts';

const unfinishedBox = lazyPart(() => import('../view/shell/offer-unfinished.ts'));

/** Offers pending restarts and drafts that earlier consoles left. */
export async function offerUnfinishedWork(
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
