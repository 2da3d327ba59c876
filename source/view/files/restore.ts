import type { Deck } from '../../store/deck/deck.ts';
import { placeKey } from '../../store/drafts/places.ts';
import type { TrashEntry } from '../../store/drafts/trash.ts';
import type { FileOperations } from '../../store/files/operations.ts';
import { unkeptQuestion } from '../../store/files/questions.ts';
import { existingQuestion, restoreQuestion } from '../../store/files/restore-questions.ts';
import type { AgreedRestore } from '../../store/files/restore.ts';
import { formatTimeOfDay } from '../../store/time/time-of-day.ts';
import { confirm } from '../command/confirm.ts';
import { closeEditor } from '../editor/discard-draft.ts';
import { reportOutcome } from './attempt.ts';
import { filesSubject, type FilesSubject, moveCursorToFile } from './subject.ts';

/** Handles used by most functions of this module. */
type Handles = Pick<
  Deck,
  'lists' | 'screen' | 'messages' | 'deployments' | 'opened' | 'files' | 'drafts' | 'editor'
>;

/** Restores what was deleted, replaced or discarded last in the listed service (`u`). */
export async function confirmRestore(deck: Handles): Promise<void> {
  const subject = filesSubject(deck);
  if (subject === undefined) return;
  const { place, where } = subject;
  const { operations } = await deck.files.work();
  const batch = await operations.lastBatch(place);
  const [newest] = batch;
  if (newest === undefined) return deck.messages.say(`The trash holds no file of ${where}.`);
  const newer = newerDrafts(deck, batch);
  const question = restoreQuestion(batch, where, formatTimeOfDay(newest.at), newer);
  if ((await confirm(deck, question)) === 0) return;
  const now = await operations.lastBatch(place);
  if (now.length !== batch.length || now[0]?.id !== newest.id) {
    return deck.messages.say('Another file was deleted or replaced meanwhile. Press u again.');
  }
  for (const entry of batch) if (entry.reason === 'discarded') closeEditor(deck, entry);
  if (batch.length > 1) deck.messages.say(`Restoring ${batch.length} files...`);
  // The question has named these.
  const replaced = batch.flatMap(({ path, reason }) => (reason === 'replaced' ? [path] : []));
  const replace = new Set([...replaced, ...newer]);
  await restore(deck, operations, subject, { entries: batch, replace });
  await moveCursorToFile(deck, place, newest.path);
}

/** Returns the paths of discarded drafts that have a newer draft. */
function newerDrafts(deck: Pick<Deck, 'drafts'>, batch: readonly TrashEntry[]): readonly string[] {
  const { drafts } = deck.drafts.state.getState();
  const discarded = batch.filter(({ reason }) => reason === 'discarded');
  return discarded.filter((entry) => drafts.has(placeKey(entry))).map(({ path }) => path);
}

/** Restores files; asks before it replaces files that exist again or loses one without a copy. */
async function restore(
  deck: Handles,
  operations: FileOperations,
  { place, where }: FilesSubject,
  first: AgreedRestore,
): Promise<void> {
  for (let agreed = first; ; ) {
    const outcome = await operations.putBack(place, agreed);
    if (outcome.ok || (outcome.kind !== 'exists' && outcome.kind !== 'unkept')) {
      return reportOutcome(deck, outcome);
    }
    const { remaining: entries } = outcome;
    const paths = entries.map(({ path }) => path);
    const isUnkept = outcome.kind === 'unkept';
    const question = isUnkept ? unkeptQuestion(outcome, 'Restore') : existingQuestion(paths, where);
    if ((await confirm(deck, question)) === 0) return reportOutcome(deck, outcome);
    agreed = isUnkept
      ? { ...agreed, entries, unkept: new Set([...(agreed.unkept ?? []), outcome.path]) }
      : { ...agreed, entries, replace: new Set([...(agreed.replace ?? []), ...paths]) };
  }
}
