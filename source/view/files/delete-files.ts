import type { Console } from '../../store/deck/deck.ts';
import {
  deletedSentence,
  deletionQuestion,
  filesText,
  stoppedSentence,
  unkeptQuestion,
} from '../../store/files/questions.ts';
import { filesBelow } from '../../store/files/targets.ts';
import { noMarks } from '../../store/deck/screen.ts';
import { ask } from '../command/confirm.ts';
import { tell } from './attempt.ts';
import { chosenHere, filesSubject, type FilesSubject } from './subject.ts';

/** `X`: deletes what is marked or under the cursor, when the box is answered so. */
export async function askDeletion(console: Console): Promise<void> {
  const subject = filesSubject(console);
  if (subject === undefined) return;
  const paths = filesBelow(console.files.list.state.getState().rows, chosenHere(console));
  if (paths.length === 0) return console.say('There is no file here to delete.');
  if ((await ask(console, deletionQuestion(paths, subject.where))) === 0) return;
  console.say(`Deleting ${filesText(paths)}...`);
  await deleteAll(console, subject, paths);
  console.screen.setState({ marks: noMarks });
  await console.files.list.refresh();
}

/** Deletes; what cannot be kept only when the person agrees to lose that file. */
async function deleteAll(
  console: Console,
  { place, where }: FilesSubject,
  paths: readonly string[],
): Promise<void> {
  const { operations } = await console.fileWork();
  let lost = 0;
  for (let waiting = paths; waiting.length > 0; ) {
    const outcome = await operations.delete(place, waiting);
    if (outcome.ok && lost === 0) return tell(console, outcome);
    if (outcome.ok) break;
    if (outcome.kind !== 'unkept') return tell(console, outcome);
    const { path, done } = outcome;
    if ((await ask(console, unkeptQuestion(outcome, 'Delete'))) === 0) {
      return console.say(stoppedSentence(path, paths.length - waiting.length + done.length));
    }
    const forGood = await operations.delete(place, [path], { unkept: true });
    if (!forGood.ok) return tell(console, forGood);
    lost += 1;
    const gone = new Set([...done, path]);
    waiting = waiting.filter((one) => !gone.has(one));
  }
  console.say(deletedSentence(paths, lost, where), 'good');
}
