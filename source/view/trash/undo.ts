import type { Deck } from '../../store/deck/deck.ts';
import { isClosed } from '../../store/deployments/deployments.ts';
import { openedTrash } from '../../store/drafts/trash-list.ts';
import type { TrashBatch } from '../../store/drafts/trash.ts';
import type { FilesPlace } from '../../store/files/files.ts';
import type { FileOperations } from '../../store/files/operations.ts';
import { unkeptQuestion } from '../../store/files/questions.ts';
import type { RestoreOutcome } from '../../store/files/restore-outcome.ts';
import { existingQuestion } from '../../store/files/restore-questions.ts';
import type { AgreedRestore } from '../../store/files/restore.ts';
import { confirm, openBox } from '../command/confirm.ts';
import { closeEditor } from '../editor/discard-draft.ts';
import { reportOutcome } from '../files/attempt.ts';
import { moveCursorToFile } from '../files/subject.ts';
import { placeText } from './rows.ts';

/** Handles used by most functions of this module. */
export type UndoHandles = Pick<
  Deck,
  'clock' | 'lists' | 'screen' | 'messages' | 'deployments' | 'files' | 'drafts' | 'editor'
>;

/** Batches that the box of `u` lists. */
const mostListed = 50;

/**
 * Opens the box that lists the changes that can be undone, newest first: the newest ones (`u`), or all
 * of them (`:trash`).
 */
export async function openTrash(deck: UndoHandles, isWhole: boolean): Promise<void> {
  const { operations } = await deck.files.work();
  const batches = await operations.undoable(isWhole ? undefined : mostListed);
  const open = batches.filter((batch) => !isOfClosed(deck, batch));
  if (open.length === 0) return deck.messages.say('Nothing to undo.');
  openBox(deck, () => openedTrash(open, isWhole));
}

/** Tells whether a batch belongs to a closed deployment, whose files are gone. */
function isOfClosed({ deployments }: Pick<Deck, 'deployments'>, [{ deploymentId }]: TrashBatch) {
  const { rows } = deployments.list.state.getState();
  return rows.some(({ value }) => value.id === deploymentId && isClosed(value));
}

/** Undoes the change of a batch and reports it. */
export async function undoBatch(deck: UndoHandles, batch: TrashBatch): Promise<void> {
  for (const entry of batch) {
    const { newDeployment } = entry;
    const place = newDeployment === undefined ? entry : { newDeployment };
    if (entry.reason === 'discarded') closeEditor(deck, place);
  }
  if (batch.length > 1) deck.messages.say(`Restoring ${batch.length} files...`);
  const { operations } = await deck.files.work();
  const outcomes: RestoreOutcome[] = [];
  for (const { place, entries } of byPlace(batch)) {
    outcomes.push(await restore(deck, operations, place, { entries }));
  }
  const failed = outcomes.find(({ ok }) => !ok);
  const sentence = outcomes.map((outcome) => outcome.sentence).join(' ');
  reportOutcome(deck, failed === undefined ? { ok: true, sentence } : { ...failed, sentence });
  const [newest] = batch;
  const { place } = deck.files.state.getState();
  if (place !== undefined && isSamePlace(place, newest)) {
    await moveCursorToFile(deck, place, newest.path);
  }
}

/** Groups the entries of a batch by service; drafts of several services may be discarded together. */
function byPlace(batch: TrashBatch) {
  const groups = Map.groupBy(batch, ({ deploymentId, service }) =>
    JSON.stringify([deploymentId, service]),
  );
  return [...groups.values()].flatMap((entries) => {
    const [first] = entries;
    if (first === undefined) return [];
    const { deploymentId, service } = first;
    return [{ place: { deploymentId, service }, entries }];
  });
}

function isSamePlace(left: FilesPlace, right: FilesPlace): boolean {
  return left.deploymentId === right.deploymentId && left.service === right.service;
}

/** Restores files; asks before it replaces later changes or loses a file without a copy. */
async function restore(
  deck: UndoHandles,
  operations: FileOperations,
  place: FilesPlace,
  first: AgreedRestore,
): Promise<RestoreOutcome> {
  const where = placeText(deck, place);
  for (let agreed = first; ; ) {
    const outcome = await operations.putBack(place, agreed);
    if (outcome.ok || (outcome.kind !== 'exists' && outcome.kind !== 'unkept')) return outcome;
    const { remaining: entries } = outcome;
    const paths = entries.map(({ path }) => path);
    const isUnkept = outcome.kind === 'unkept';
    const question = isUnkept
      ? unkeptQuestion(outcome, 'Restore')
      : existingQuestion(outcome, paths, where);
    if ((await confirm(deck, question)) === 0) return outcome;
    agreed = isUnkept
      ? { ...agreed, entries, unkept: new Set([...(agreed.unkept ?? []), outcome.path]) }
      : { ...agreed, entries, replace: new Set([...(agreed.replace ?? []), ...paths]) };
  }
}
