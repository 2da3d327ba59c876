import { keyName } from '../prompts/key-names.ts';
import { nameIn } from '../drafts/places.ts';
import type { FileRefusal } from './outcome.ts';
import { folderOf } from './targets.ts';
import type { Move } from './move-plan.ts';
import type { Confirmation } from '../prompts/confirm.ts';

type Question = Omit<Confirmation, 'answer'>;

/** Largest number of lines for a list of names in a box. */
const maxNames = 6;

const count = (number: number): string => number.toLocaleString('en');

/** Returns the paths, one a line; a long list ends in the number of paths left out. */
export function namesOf(paths: readonly string[]): readonly string[] {
  if (paths.length <= maxNames) return paths;
  const shown = paths.slice(0, maxNames - 1);
  return [...shown, `and ${count(paths.length - shown.length)} more`];
}

/** Formats the name of one file or a number of files: `app.yaml`, `3 files`. */
export function filesText(paths: readonly string[]): string {
  const [only] = paths;
  return paths.length === 1 && only !== undefined ? nameIn(only) : `${count(paths.length)} files`;
}

/**
 * Returns the box that confirms a deletion; several files need a typed word.
 * @param where label of the service, like `shop/web`.
 */
export function deletionQuestion(paths: readonly string[], where: string): Question {
  const isOne = paths.length === 1;
  return {
    title: `delete ${filesText(paths)}?`,
    lines: [`In ${where}:`, ...namesOf(paths), `${keyName('trash.undo', 'u')} undoes this.`],
    options: [{ label: 'Cancel' }, { label: 'Delete', destroys: true }],
    ...(isOne ? {} : { typed: `delete ${paths.length}`, typedIs: 'text' }),
    escape: 'cancel',
  };
}

/** Returns the box shown after no copy of a file could go to the trash. The file still exists. */
export function unkeptQuestion(refusal: FileRefusal, verb: string): Question {
  return {
    title: `can't move ${nameIn(refusal.path)} to the trash`,
    lines: [refusal.sentence, refusal.next],
    options: [{ label: 'Cancel' }, { label: `${verb} for good`, destroys: true }],
    escape: 'cancel',
  };
}

/** Reports deleted files, `lost` of them without a copy in the trash. */
export function deletedSentence(paths: readonly string[], lost: number, where: string): string {
  if (lost === paths.length) return `Deleted ${filesText(paths)} of ${where} for good.`;
  return `Deleted ${filesText(paths)} of ${where}, ${count(lost)} for good.`;
}

/** Reports a deletion cancelled at a file that has no copy in the trash. */
export function stoppedSentence(path: string, deleted: number): string {
  const earlier =
    deleted === 0
      ? ''
      : ` Deleted ${count(deleted)} ${deleted === 1 ? 'file' : 'files'} before it.`;
  return `${path} was not deleted.${earlier}`;
}

/** Returns the box shown after an operation found a file at its target. */
export function replaceQuestion({ path }: FileRefusal, where: string): Question {
  return {
    title: `replace ${nameIn(path)}?`,
    lines: [
      `${path} already exists in ${where}.`,
      `Its file goes to the trash; ${keyName('trash.undo', 'u')} undoes this.`,
    ],
    options: [{ label: 'Cancel' }, { label: 'Replace', destroys: true }],
    escape: 'cancel',
  };
}

/** Returns the box that confirms a move or a copy; files at a target are replaced only by choice. */
export function moveQuestion(
  moves: readonly Move[],
  where: string,
  verb: 'move' | 'copy' = 'move',
): Question {
  const conflicts = moves.filter(({ replaces }) => replaces).map(({ to }) => to);
  const others = moves.length - conflicts.length;
  const conflictOptions = [
    { label: 'Cancel', meaning: 'nothing is sent' },
    ...(others > 0
      ? [
          {
            label: 'Skip',
            meaning: `${verb === 'move' ? 'moves' : 'copies'} the other ${count(others)}`,
          },
        ]
      : []),
    {
      label: 'Replace',
      meaning: `old files go to the trash; ${keyName('trash.undo', 'u')} undoes this`,
      destroys: true,
    },
  ] as const;
  const [only] = moves;
  return {
    title: `${verb} ${filesText(moves.map(({ from }) => from))}?`,
    lines: [
      `In ${where}:`,
      ...(moves.length === 1 && only !== undefined
        ? [only.from, `to ${only.to}`]
        : namesOf(moves.map(({ from, to }) => `${from} to ${to}`))),
      ...(conflicts.length === 0 ? [] : [`Already there: ${namesOf(conflicts).join(', ')}.`]),
    ],
    options:
      conflicts.length === 0
        ? [{ label: 'Cancel' }, { label: verb === 'move' ? 'Move' : 'Copy' }]
        : [...conflictOptions],
    escape: 'cancel',
  };
}

/** Reports moved or copied files. */
export function movedSentence(moves: readonly Move[], verb: 'move' | 'copy' = 'move'): string {
  const folders = new Set(moves.map(({ to }) => folderOf(to)));
  const [folder] = folders;
  const into = folders.size === 1 && folder !== undefined && folder !== '' ? ` to ${folder}` : '';
  return `${verb === 'move' ? 'Moved' : 'Copied'} ${filesText(moves.map(({ from }) => from))}${into}.`;
}
