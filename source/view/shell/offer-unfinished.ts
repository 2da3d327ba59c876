import type { Console } from '../../store/deck/deck.ts';
import type { DraftHead } from '../../store/drafts/drafts.ts';
import { isNewDeployment, nameIn } from '../../store/drafts/places.ts';
import { asking, type Option, type Question } from '../../store/prompts/confirm.ts';
import type { OwedRestart } from '../../store/restarts/journal.ts';
import { owedText } from '../../store/restarts/sentences.ts';
import { editFile } from '../editor/commands.ts';
import { goOnWith } from '../deployments/new-deployment.ts';
import { momentText, unfinishedSentence } from '../text/unfinished.ts';

/** Drafts that the box has room for; the others are marked in their trees. */
const mostOffered = 6;

/**
 * Offers what earlier runs left. Restarts have rows and boxes of their own; a draft may be of a
 * file that no list shows, so it can be opened from here. Nothing is sent by itself.
 */
export function offerUnfinished(console: Console): void {
  const owed = owedNow(console);
  const drafts = newestFirst(console);
  const since = Math.min(...drafts.map(({ at }) => at));
  const sent = drafts.some(({ sentAt }) => sentAt !== undefined);
  const now = console.clock.now();
  const sentence = unfinishedSentence(owed, { count: drafts.length, since, sent }, now);
  if (sentence === undefined) return;
  console.say(sentence);
  if (drafts.length === 0 || console.screen.getState().overlay !== undefined) return;
  console.screen.setState({ overlay: asking(questionOf(console, sentence, drafts, owed)) });
}

/** Each deployment once, and none that the service says is closed. */
function owedNow({ restarts }: Console): readonly OwedRestart[] {
  return [...restarts.state.getState().values()].flatMap((one) =>
    one.kind === 'owed' ? [one.entry] : [],
  );
}

function newestFirst(console: Console): readonly DraftHead[] {
  const { drafts } = console.drafts.state.getState();
  return [...drafts.values()].sort((left, right) => right.at - left.at);
}

function questionOf(
  console: Console,
  sentence: string,
  drafts: readonly DraftHead[],
  owed: readonly OwedRestart[],
): Question {
  const restarts = owedText(owed);
  const choices: { readonly option: Option; choose(): void }[] = drafts
    .slice(0, mostOffered)
    .map((draft) => ({
      option: {
        label: isNewDeployment(draft) ? 'Open new deployment' : `Open ${nameIn(draft.path)}`,
        meaning: draftText(console, draft),
      },
      choose: () =>
        void (isNewDeployment(draft) ? goOnWith(console, draft) : editFile(console, draft)),
    }));
  if (restarts !== undefined) {
    choices.unshift({
      option: { label: 'Restart now', meaning: restarts },
      choose: () => {
        // Of those that were offered, the box may have outlived some.
        for (const { deploymentId } of owedNow(console)) console.restart(deploymentId);
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

function draftText(console: Console, draft: DraftHead): string {
  const since = momentText(draft.at, console.clock.now());
  if (isNewDeployment(draft)) {
    const about = draft.name === undefined ? '' : `${draft.name}, `;
    return `${about}${draft.sentAt === undefined ? 'not sent' : 'sent, no answer'}, ${since}`;
  }
  const { deploymentId, service, path } = draft;
  return `${console.label(deploymentId)}/${service} ${path}, ${since}`;
}
