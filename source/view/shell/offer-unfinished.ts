import { keyName } from '../../store/prompts/key-names.ts';
import { restartNow } from '../restarts/control.ts';
import type { Deck } from '../../store/deck/deck.ts';
import { type AnsweredDrafts, draftId } from '../../store/drafts/answered.ts';
import type { DraftHead } from '../../store/drafts/drafts.ts';
import { isNewDeployment, nameIn } from '../../store/drafts/places.ts';
import { confirmBox, type Option, type Confirmation } from '../../store/prompts/confirm.ts';
import type { PendingRestart } from '../../store/restarts/journal.ts';
import { pendingRestartText } from '../../store/restarts/sentences.ts';
import { discardAll } from '../editor/discard-draft.ts';
import { editFile } from '../editor/document.ts';
import { goOnWith } from '../deployments/new-deployment.ts';
import { shortDateText, unfinishedSentence } from '../text/unfinished.ts';

/** Maximum drafts in the box; the file trees mark the others. */
const maxOffered = 6;

type Handles = Pick<
  Deck,
  'clock' | 'screen' | 'messages' | 'deployments' | 'files' | 'restarts' | 'drafts' | 'editor'
>;

/**
 * Offers the drafts and pending restarts of earlier runs. A draft can be opened or discarded from
 * here, because no list may show its file. Nothing is sent without an answer, and a draft that was
 * answered is offered again only after its text has changed.
 */
export function offerUnfinished(deck: Handles, answered: AnsweredDrafts): void {
  const restarts = pendingRestarts(deck);
  const before = answered.read();
  const all = newestFirst(deck);
  const drafts = all.filter((draft) => !before.has(draftId(draft)));
  const since = Math.min(...drafts.map(({ at }) => at));
  const sent = drafts.some(({ sentAt }) => sentAt !== undefined);
  const now = deck.clock.now();
  const sentence = unfinishedSentence(restarts, { count: drafts.length, since, sent }, now);
  if (sentence === undefined) return;
  deck.messages.say(sentence);
  if (drafts.length === 0 || deck.screen.getState().overlay !== undefined) return;
  const question = unfinishedBox(deck, sentence, drafts, restarts);
  const answer = (option: number) => {
    answered.write(all.map(draftId));
    question.answer(option);
  };
  deck.screen.overlay.open(confirmBox({ ...question, answer }));
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
  deck: Handles,
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
  const files = drafts.flatMap((draft) => (isNewDeployment(draft) ? [] : [draft]));
  if (files.length > 0) {
    const count = files.length === 1 ? '' : `all ${files.length} `;
    choices.push({
      option: {
        label: files.length === 1 ? 'Discard draft' : 'Discard drafts',
        meaning: `${count}to the trash; ${keyName('trash.undo', 'u')} undoes this`,
        destroys: true,
      },
      choose: () => void discardAll(deck, files),
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
