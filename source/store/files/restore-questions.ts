import { nameIn } from '../drafts/places.ts';
import type { TrashEntry } from '../drafts/trash.ts';
import type { Confirmation } from '../prompts/confirm.ts';
import { namesOf } from './questions.ts';

type Question = Omit<Confirmation, 'answer'>;

const count = (number: number): string => number.toLocaleString('en');

/**
 * Returns the box that confirms the restore of a batch from the trash.
 * @param when local time at which the newest file of the batch was removed.
 * @param newer paths of discarded drafts that have a newer draft.
 */
export function restoreQuestion(
  batch: readonly Pick<TrashEntry, 'path' | 'reason'>[],
  where: string,
  when: string,
  newer: readonly string[],
): Question {
  const [first] = batch;
  const isOne = batch.length === 1;
  const reasons = new Set(batch.map(({ reason }) => reason));
  const reason = reasons.size === 1 && first !== undefined ? first.reason : 'removed';
  const isDrafts = reason === 'discarded';
  const name = first === undefined ? '' : nameIn(first.path);
  const subject = isOne
    ? `${isDrafts ? 'the draft of ' : ''}${name}`
    : `${count(batch.length)} ${isDrafts ? 'drafts' : 'files'}`;
  const paths = batch.map(({ path }) => path);
  return {
    title: `restore ${subject}?`,
    lines: [
      ...(isOne
        ? [`${where} ${paths.join('')}`, `It was ${reason} at ${when}.`]
        : [`In ${where}, ${reason} at ${when}:`, ...namesOf(paths)]),
      ...(reasons.has('replaced') ? [currentFiles(isOne)] : []),
      ...(newer.length > 0 ? [newerDrafts(isOne, newer)] : []),
    ],
    options: [{ label: 'Cancel' }, { label: 'Undo' }],
    escape: 'cancel',
  };
}

function currentFiles(isOne: boolean): string {
  return isOne
    ? 'The current file goes to the trash; u again restores it.'
    : 'The current files go to the trash; u again restores them.';
}

function newerDrafts(isOne: boolean, newer: readonly string[]): string {
  return isOne
    ? 'Your newer draft goes to the trash; u again restores it.'
    : `Newer drafts go to the trash; u again restores them: ${newer.join(', ')}.`;
}

/** Returns the box that names the files that exist again and that a restore would replace. */
export function existingQuestion(paths: readonly string[], where: string): Question {
  const [only] = paths;
  const isOne = paths.length === 1 && only !== undefined;
  return {
    title: `replace ${isOne ? nameIn(only) : `${count(paths.length)} files`}?`,
    lines: isOne
      ? [`${only} already exists in ${where}.`, 'Its file goes to the trash; u undoes this.']
      : [
          `In ${where} these files exist again:`,
          `${paths.join(', ')}.`,
          'They go to the trash; u undoes this.',
        ],
    options: [{ label: 'Cancel' }, { label: 'Replace', destroys: true }],
    escape: 'cancel',
  };
}

/** Reports restored files and drafts; empty for none. */
export function restoredSentence(
  restored: readonly { readonly path: string; readonly isDraft: boolean }[],
): string {
  const [first] = restored;
  if (first === undefined) return '';
  const isDrafts = restored.every(({ isDraft }) => isDraft);
  if (restored.length > 1) {
    return `Restored ${count(restored.length)} ${isDrafts ? 'drafts' : 'files'}.`;
  }
  return isDrafts
    ? `Restored the draft of ${nameIn(first.path)}. e opens it.`
    : `Restored ${first.path}.`;
}
