import type { Deck } from '../../store/deck/deck.ts';
import { putBackQuestion } from '../../store/files/questions.ts';
import { placeKey } from '../../store/drafts/places.ts';
import { formatTimeOfDay } from '../../store/time/time-of-day.ts';
import { confirm } from '../command/confirm.ts';
import { closeEditor } from '../editor/discard-draft.ts';
import { runWithConfirmation, reportOutcome } from './attempt.ts';
import { filesSubject, moveCursorToFile } from './subject.ts';

/** Restores the file that was deleted or replaced last in the listed service (`u`). */
export async function confirmRestore(
  deck: Pick<
    Deck,
    'lists' | 'screen' | 'messages' | 'deployments' | 'opened' | 'files' | 'drafts' | 'editor'
  >,
): Promise<void> {
  const subject = filesSubject(deck);
  if (subject === undefined) return;
  const { place, where } = subject;
  const { operations } = await deck.files.work();
  const last = await operations.lastKept(place);
  if (last === undefined) {
    return deck.messages.say(`The trash holds no file of ${where}.`);
  }
  const { path } = last;
  const isDraft = last.reason === 'discarded';
  const hasNewer = isDraft && deck.drafts.state.getState().drafts.has(placeKey(last));
  const question = putBackQuestion(last, where, formatTimeOfDay(last.at), hasNewer);
  if ((await confirm(deck, question)) === 0) return;
  if ((await operations.lastKept(place))?.id !== last.id) {
    return deck.messages.say('Another file was deleted or replaced meanwhile. Press u again.');
  }
  if (isDraft) closeEditor(deck, last);
  const outcome = await runWithConfirmation(deck, where, 'Restore', async (agreed) => {
    const result = await operations.putBack(place, { path, ...agreed });
    // The question already covered replacing the file or the draft that took its place.
    const isCovered = last.reason === 'replaced' || hasNewer;
    const isAgreed = !result.ok && result.kind === 'exists' && isCovered;
    return isAgreed ? operations.putBack(place, { path, ...agreed, replace: true }) : result;
  });
  reportOutcome(deck, outcome);
  await moveCursorToFile(deck, place, path);
}
