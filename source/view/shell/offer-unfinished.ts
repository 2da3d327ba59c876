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

/** Maximum drafts in the box; the file trees mark the others. */
const maxOffered = 6;

/**
 * Offers the drafts and pending restarts of earlier runs. A draft can be opened from here, because
 * no list may show its file. Nothing is sent without an answer.
 */
export function offerUnfinished(
  deck: Pick<
    Deck,
    'clock' | 'screen' | 'messages' | 'deployments' | 'restarts' | 'drafts' | 'editor'
  >,
): void {
  const restarts = pendingRestarts(deck);
  const drafts = newestFirst(deck);
  const since = Math.min(...drafts.map(({ at }) => at));
  const sent = drafts.some(({ sentAt }) => sentAt !== undefined);
  const now = deck.clock.now();
  const sentence = unfinishedSentence(restarts, { count: drafts.length, since, sent }, now);
  if (sentence === undefined) return;
  deck.messages.say(sentence);
  if (drafts.length === 0 || deck.screen.getState().overlay !== undefined) return;
  deck.screen.overlay.open(confirmBox(unfinishedBox(deck, sentence, drafts, restarts)));
}

/** Returns one pending restart per deployment, without closed deployments. */
function pendingRestarts({ restarts }: Pick<Deck, 'restarts'>): readonly PendingRestart[] {
  return [...restarts.state.getState().values()].flatMap((one) =>
    one.kind === 'owed' ? [one.entry] : [],
  );
}

function newestFirst(deck: Pick<Deck, 'drafts'>): readonly DraftHead[] {
  const { drafts } = deck.drafts.state.getState();
  return [...drafts.values()].sort((left, right) => right.at - left.at);
}

function unfinishedBox(
  deck: Pick<Deck, 'clock' | 'screen' | 'messages' | 'deployments' | 'restarts' | 'editor'>,
  sentence: string,
  drafts: readonly DraftHead[],
  restarts: readonly PendingRestart[],
): Confirmation {
  const restartsText = pendingRestartText(restarts);
  const choices: { readonly option: Option; choose(): void }[] = drafts
    .slice(0, maxOffered)
    .map((draft) => ({
      option: {
        label: isNewDeployment(draft) ? 'Open new deployment' : `Open ${nameIn(draft.path)}`,
        meaning: draftText(deck, draft),
      },
      choose: () => void (isNewDeployment(draft) ? goOnWith(deck, draft) : editFile(deck, draft)),
    }));
  if (restartsText !== undefined) {
    choices.unshift({
      option: { label: 'Restart now', meaning: restartsText },
      choose: () => {
        // Some of the offered restarts may have ended while the box was open.
        for (const { deploymentId } of pendingRestarts(deck)) restartNow(deck, deploymentId);
      },
    });
  }
  return {
    title: 'unfinished work',
    lines: [sentence],
    options: [
      { label: 'Later', meaning: 'keep everything as it is' },
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
