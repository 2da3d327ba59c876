import type { Deck } from '../../store/deck/deck.ts';
import { putBackQuestion } from '../../store/files/questions.ts';
import { formatTimeOfDay } from '../../store/time/time-of-day.ts';
import { confirm } from '../command/confirm.ts';
import { attempt, tell } from './attempt.ts';
import { filesSubject, selectFile } from './subject.ts';

/** `u`: puts back what was deleted or replaced last in the service that is listed. */
export async function confirmRestore(
  deck: Pick<Deck, 'screen' | 'messages' | 'deployments' | 'opened' | 'files'>,
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
  const question = putBackQuestion(last, where, formatTimeOfDay(last.at));
  if ((await confirm(deck, question)) === 0) return;
  if ((await operations.lastKept(place))?.id !== last.id) {
    return deck.messages.say('Another file was deleted or replaced meanwhile. Press u again.');
  }
  const outcome = await attempt(deck, where, 'Restore', async (agreed) => {
    const first = await operations.putBack(place, { path, ...agreed });
    // That what replaced the file gives way is what was asked.
    const isAgreed = !first.ok && first.kind === 'exists' && last.reason === 'replaced';
    return isAgreed ? operations.putBack(place, { path, ...agreed, replace: true }) : first;
  });
  tell(deck, outcome);
  await selectFile(deck, place, path);
}
