import { restartNow } from '../restarts/control.ts';
import type { Deck } from '../../store/deck/deck.ts';
import type { DraftHead } from '../../store/drafts/drafts.ts';
import { isNewDeployment, nameIn } from '../../store/drafts/places.ts';
import { confirmBox, type Option, type Confirmation } from '../../store/prompts/confirm.ts';
import type { PendingRestart } from '../../store/restarts/journal.ts';
import { pendingRestartText } from '../../store/restarts/sentences.ts';
import { editFile } from '../editor/document.ts';
import { goOnWith } from '../deployments/new-deployment.ts';
import { shortDateText, unfinishedSentence } from '../text/unfinished.ts';

/** Drafts that the box has room for; the others are marked in their trees. */
const mostOffered = 6;

/**
 * Offers what earlier runs left. Restarts have rows and boxes of their own; a draft may be of a
 * file that no list shows, so it can be opened from here. Nothing is sent by itself.
 */
export function offerUnfinished(
  deck: Pick<
    Deck,
    'clock' | 'screen' | 'messages' | 'deployments' | 'restarts' | 'drafts' | 'editor'
  >,
): void {
  const owed = owedNow(deck);
  const drafts = newestFirst(deck);
  const since = Math.min(...drafts.map(({ at }) => at));
  const sent = drafts.some(({ sentAt }) => sentAt !== undefined);
  const now = deck.clock.now();
  const sentence = unfinishedSentence(owed, { count: drafts.length, since, sent }, now);
  if (sentence === undefined) return;
  deck.messages.say(sentence);
  if (drafts.length === 0 || deck.screen.getState().overlay !== undefined) return;
  deck.screen.overlay.open(confirmBox(questionOf(deck, sentence, drafts, owed)));
}

/** Each deployment once, and none that the service says is closed. */
function owedNow({ restarts }: Pick<Deck, 'restarts'>): readonly PendingRestart[] {
  return [...restarts.state.getState().values()].flatMap((one) =>
    one.kind === 'owed' ? [one.entry] : [],
  );
}

function newestFirst(deck: Pick<Deck, 'drafts'>): readonly DraftHead[] {
  const { drafts } = deck.drafts.state.getState();
  return [...drafts.values()].sort((left, right) => right.at - left.at);
}

function questionOf(
  deck: Pick<Deck, 'clock' | 'screen' | 'messages' | 'deployments' | 'restarts' | 'editor'>,
  sentence: string,
  drafts: readonly DraftHead[],
  owed: readonly PendingRestart[],
): Confirmation {
  const restarts = pendingRestartText(owed);
  const choices: { readonly option: Option; choose(): void }[] = drafts
    .slice(0, mostOffered)
    .map((draft) => ({
      option: {
        label: isNewDeployment(draft) ? 'Open new deployment' : `Open ${nameIn(draft.path)}`,
        meaning: draftText(deck, draft),
      },
      choose: () => void (isNewDeployment(draft) ? goOnWith(deck, draft) : editFile(deck, draft)),
    }));
  if (restarts !== undefined) {
    choices.unshift({
      option: { label: 'Restart now', meaning: restarts },
      choose: () => {
        // Of those that were offered, the box may have outlived some.
        for (const { deploymentId } of owedNow(deck)) restartNow(deck, deploymentId);
      },
    });
  }
  return {
    title: 'left unfinished',
    lines: [sentence],
    options: [
      { label: 'Later', meaning: 'all of it stays as it is' },
      ...choices.map(({ option }) => option),
    ],
    escape: 'later',
    answer: (option) => choices[option - 1]?.choose(),
  };
}

function draftText(deck: Pick<Deck, 'clock' | 'deployments'>, draft: DraftHead): string {
  const since = shortDateText(draft.at, deck.clock.now());
  if (isNewDeployment(draft)) {
    const about = draft.name === undefined ? '' : `${draft.name}, `;
    return `${about}${draft.sentAt === undefined ? 'not sent' : 'sent, no answer'}, ${since}`;
  }
  const { deploymentId, service, path } = draft;
  return `${deck.deployments.label(deploymentId)}/${service} ${path}, ${since}`;
}
