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
import type { Remaining } from '../../store/files/restore-outcome.ts';
import { restartUndos } from '../../store/proof/restorable-files.ts';
import { confirm, openBox } from '../command/confirm.ts';
import { closeEditor } from '../editor/discard-draft.ts';
import { reportOutcome } from '../files/attempt.ts';
import { moveCursorToFile } from '../files/subject.ts';
import { placeText } from './rows.ts';

/** Handles used by most functions of this module. */
export type UndoHandles = Pick<
  Deck,
  | 'clock'
  | 'lists'
  | 'screen'
  | 'messages'
  | 'deployments'
  | 'files'
  | 'drafts'
  | 'editor'
  | 'proofs'
  | 'restarts'
>;

/** A change to undo: where its file is, and what may be replaced. */
type RestoredEntry = FilesPlace & Remaining;

/** Batches that the box of `u` lists. */
const mostListed = 50;

/**
 * Opens the box that lists the changes that can be undone, newest first: the newest ones (`u`), or all
 * of them (`:trash`).
 */
export async function openTrash(deck: UndoHandles, isWhole: boolean): Promise<void> {
  const { operations } = await deck.files.work();
  const batches = await operations.undoable(isWhole ? undefined : mostListed);
  const open = batches.filter(([newest]) => !isOfClosed(deck, newest));
  if (open.length === 0) return deck.messages.say('Nothing to undo.');
  const records = await deck.proofs.records.read();
  const restarts = records.length === 0 ? [] : restartUndos(records, await operations.undoable());
  const undoable = restarts.filter((restart) => !isOfClosed(deck, restart));
  openBox(deck, () => openedTrash(open, isWhole, undoable));
}

/** Tells whether a change belongs to a closed deployment, whose files are gone. */
function isOfClosed(
  { deployments }: Pick<Deck, 'deployments'>,
  { deploymentId }: { readonly deploymentId: string },
) {
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
  const over =
    batch.length > 1 ? deck.messages.begin(`Restoring ${batch.length} files...`) : () => {};
  const { operations } = await deck.files.work();
  const outcomes = await restoreAll(deck, operations, batch);
  over();
  reportRestored(deck, outcomes);
  const [newest] = batch;
  const { place } = deck.files.state.getState();
  if (place !== undefined && isSamePlace(place, newest)) {
    await moveCursorToFile(deck, place, newest.path);
  }
}

/** Reports the outcomes of one undo in one sentence. Returns whether all of it was restored. */
export function reportRestored(deck: UndoHandles, outcomes: readonly RestoreOutcome[]): boolean {
  const failed = outcomes.find(({ ok }) => !ok);
  const sentence = outcomes.map((outcome) => outcome.sentence).join(' ');
  reportOutcome(deck, failed === undefined ? { ok: true, sentence } : { ...failed, sentence });
  return failed === undefined;
}

/** Restores changes, service by service. */
export async function restoreAll(
  deck: UndoHandles,
  operations: FileOperations,
  entries: readonly RestoredEntry[],
): Promise<readonly RestoreOutcome[]> {
  const outcomes: RestoreOutcome[] = [];
  for (const group of byPlace(entries)) {
    outcomes.push(await restore(deck, operations, group.place, { entries: group.entries }));
  }
  return outcomes;
}

/** Groups the entries of a batch by service; drafts of several services may be discarded together. */
function byPlace(batch: readonly RestoredEntry[]) {
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
    const given = new Map(first.entries?.map((entry) => [entry.id, entry]));
    const entries = outcome.remaining.map((entry) => given.get(entry.id) ?? entry);
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
