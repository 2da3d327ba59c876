import type { Deck } from '../../store/deck/deck.ts';
import {
  deletedSentence,
  deletionQuestion,
  filesText,
  stoppedSentence,
  unkeptQuestion,
} from '../../store/files/questions.ts';
import { filesBelow } from '../../store/files/targets.ts';
import { confirm } from '../command/confirm.ts';
import { tell } from './attempt.ts';
import { chosenHere, filesSubject, type FilesSubject } from './subject.ts';

/** `X`: deletes what is marked or under the cursor, when the box is answered so. */
export async function askDeletion(
  deck: Pick<Deck, 'screen' | 'messages' | 'deployments' | 'opened' | 'files'>,
): Promise<void> {
  const subject = filesSubject(deck);
  if (subject === undefined) return;
  const paths = filesBelow(deck.files.list.state.getState().rows, chosenHere(deck));
  if (paths.length === 0) return deck.messages.say('There is no file here to delete.');
  if ((await confirm(deck, deletionQuestion(paths, subject.where))) === 0) return;
  deck.messages.say(`Deleting ${filesText(paths)}...`);
  await deleteAll(deck, subject, paths);
  deck.screen.lists.clearMarks('files');
  await deck.files.list.refresh();
}

/** Deletes; what cannot be kept only when the person agrees to lose that file. */
async function deleteAll(
  deck: Pick<Deck, 'screen' | 'messages' | 'files'>,
  { place, where }: FilesSubject,
  paths: readonly string[],
): Promise<void> {
  const { operations } = await deck.files.work();
  let lost = 0;
  for (let waiting = paths; waiting.length > 0; ) {
    const outcome = await operations.delete(place, waiting);
    if (outcome.ok && lost === 0) return tell(deck, outcome);
    if (outcome.ok) break;
    if (outcome.kind !== 'unkept') return tell(deck, outcome);
    const { path, done } = outcome;
    if ((await confirm(deck, unkeptQuestion(outcome, 'Delete'))) === 0) {
      return deck.messages.say(stoppedSentence(path, paths.length - waiting.length + done.length));
    }
    const forGood = await operations.delete(place, [path], { unkept: true });
    if (!forGood.ok) return tell(deck, forGood);
    lost += 1;
    const gone = new Set([...done, path]);
    waiting = waiting.filter((one) => !gone.has(one));
  }
  deck.messages.say(deletedSentence(paths, lost, where), 'good');
}
