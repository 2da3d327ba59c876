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
import { reportOutcome } from './attempt.ts';
import { targetPaths, filesSubject, type FilesSubject, sayNoFile } from './subject.ts';

/** Deletes the marked files, else the row under the cursor, after a confirmation (`X`). */
export async function confirmDeletion(
  deck: Pick<Deck, 'lists' | 'screen' | 'messages' | 'deployments' | 'opened' | 'files'>,
): Promise<void> {
  const subject = filesSubject(deck);
  if (subject === undefined) return;
  const paths = filesBelow(deck.files.list.state.getState().rows, targetPaths(deck));
  if (paths.length === 0) return sayNoFile(deck);
  if ((await confirm(deck, deletionQuestion(paths, subject.where))) === 0) return;
  const over = deck.messages.begin(`Deleting ${filesText(paths)}...`);
  await deleteAll(deck, subject, paths);
  over();
  deck.screen.listViews.clearMarks('files');
  await deck.files.list.refresh();
}

/** Deletes files. Asks before deleting one that can't go to the trash. */
async function deleteAll(
  deck: Pick<Deck, 'screen' | 'messages' | 'files'>,
  { place, where }: FilesSubject,
  paths: readonly string[],
): Promise<void> {
  const { operations } = await deck.files.work();
  const batch = operations.newBatch();
  let lost = 0;
  for (let remaining = paths; remaining.length > 0; ) {
    const outcome = await operations.delete(place, remaining, { batch });
    if (outcome.ok && lost === 0) return reportOutcome(deck, outcome);
    if (outcome.ok) break;
    if (outcome.kind !== 'unkept') return reportOutcome(deck, outcome);
    const { path, done } = outcome;
    if ((await confirm(deck, unkeptQuestion(outcome, 'Delete'))) === 0) {
      return deck.messages.say(
        stoppedSentence(path, paths.length - remaining.length + done.length),
      );
    }
    const deletion = await operations.delete(place, [path], { unkept: true, batch });
    if (!deletion.ok) return reportOutcome(deck, deletion);
    lost += 1;
    const deleted = new Set([...done, path]);
    remaining = remaining.filter((one) => !deleted.has(one));
  }
  deck.messages.say(deletedSentence(paths, lost, where), 'good');
}
