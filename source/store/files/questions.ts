import { nameIn } from '../drafts/places.ts';
import type { FileRefusal } from './outcome.ts';
import { folderOf } from './targets.ts';
import type { Move } from './move-plan.ts';
import type { Confirmation } from '../prompts/confirm.ts';

type Asked = Omit<Confirmation, 'answer'>;

/** Lines of a box for what may be many. */
const mostNames = 6;

const count = (number: number): string => number.toLocaleString('en');

/** The paths, one a line; of many the first ones and how many more. */
export function namesOf(paths: readonly string[]): readonly string[] {
  if (paths.length <= mostNames) return paths;
  const shown = paths.slice(0, mostNames - 1);
  return [...shown, `and ${count(paths.length - shown.length)} more`];
}

/** `app.yaml`, or `3 files`. */
export function filesText(paths: readonly string[]): string {
  const [only] = paths;
  return paths.length === 1 && only !== undefined ? nameIn(only) : `${count(paths.length)} files`;
}

/** Before files are deleted. Several want a word; `where` is what the service is called. */
export function deletionQuestion(paths: readonly string[], where: string): Asked {
  const isOne = paths.length === 1;
  return {
    title: `delete ${filesText(paths)}?`,
    lines: [
      `In ${where}:`,
      ...namesOf(paths),
      isOne
        ? 'It is kept on this machine first; u puts it back.'
        : 'They are kept on this machine first; u puts back one by one.',
    ],
    options: [{ label: 'Cancel' }, { label: 'Delete', destroys: true }],
    ...(isOne ? {} : { typed: `delete ${paths.length}` }),
    escape: 'cancels',
  };
}

/** After an operation was refused, as what would be lost could not be kept. Nothing was lost yet. */
export function unkeptQuestion(refused: FileRefusal, verb: string): Asked {
  return {
    title: `${nameIn(refused.path)} cannot be kept`,
    lines: [refused.sentence, refused.next],
    options: [{ label: 'Cancel' }, { label: `${verb} for good`, destroys: true }],
    escape: 'cancels',
  };
}

/** All are deleted, `lost` of them without having been kept. */
export function deletedSentence(paths: readonly string[], lost: number, where: string): string {
  if (lost === paths.length) return `Deleted ${filesText(paths)} of ${where} for good.`;
  return `Deleted ${filesText(paths)} of ${where}, ${count(lost)} for good.`;
}

/** A person stopped at a file that could not be kept. */
export function stoppedSentence(path: string, deleted: number): string {
  const before =
    deleted === 0 ? '' : ` ${count(deleted)} before it ${deleted === 1 ? 'is' : 'are'}.`;
  return `${path} is not deleted.${before}`;
}

/** After an operation was refused, as something is at the path. */
export function replaceQuestion({ path }: FileRefusal, where: string): Asked {
  return {
    title: `replace ${nameIn(path)}?`,
    lines: [
      `${path} exists in ${where}.`,
      'What is there is kept on this machine first; u puts it back.',
    ],
    options: [{ label: 'Cancel' }, { label: 'Replace', destroys: true }],
    escape: 'cancels',
  };
}

/** Before files get other paths. What is at one of them is only replaced when that is chosen. */
export function moveQuestion(moves: readonly Move[], where: string): Asked {
  const taken = moves.filter(({ replaces }) => replaces).map(({ to }) => to);
  const others = moves.length - taken.length;
  const replacing = [
    { label: 'Cancel', meaning: 'nothing is sent' },
    ...(others > 0 ? [{ label: 'Skip', meaning: `moves the other ${count(others)}` }] : []),
    { label: 'Replace', meaning: 'what is there is kept first; u puts it back', destroys: true },
  ] as const;
  const [only] = moves;
  return {
    title: `move ${filesText(moves.map(({ from }) => from))}?`,
    lines: [
      `In ${where}:`,
      ...(moves.length === 1 && only !== undefined
        ? [only.from, `to ${only.to}`]
        : namesOf(moves.map(({ from, to }) => `${from} to ${to}`))),
      ...(taken.length === 0 ? [] : [`There already: ${namesOf(taken).join(', ')}.`]),
    ],
    options: taken.length === 0 ? [{ label: 'Cancel' }, { label: 'Move' }] : [...replacing],
    escape: 'cancels',
  };
}

export function movedSentence(moves: readonly Move[]): string {
  const folders = new Set(moves.map(({ to }) => folderOf(to)));
  const [folder] = folders;
  const into = folders.size === 1 && folder !== undefined && folder !== '' ? ` to ${folder}` : '';
  return `Moved ${filesText(moves.map(({ from }) => from))}${into}.`;
}

/** Before a deleted or replaced file is uploaded again. `when` is the time it was kept at. */
export function putBackQuestion(
  entry: { readonly path: string; readonly reason: 'deleted' | 'replaced' },
  where: string,
  when: string,
): Asked {
  const isReplaced = entry.reason === 'replaced';
  return {
    title: `put ${nameIn(entry.path)} back?`,
    lines: [
      `${where} ${entry.path}`,
      `It was ${entry.reason} ${when}.`,
      ...(isReplaced ? ['What is there now is kept instead; u again puts that back.'] : []),
    ],
    options: [{ label: 'Cancel' }, { label: 'Put back' }],
    escape: 'cancels',
  };
}
