import { keyName } from '../prompts/key-names.ts';
import { nameIn } from '../drafts/places.ts';
import type { Confirmation } from '../prompts/confirm.ts';
import type { FileRefusal } from './outcome.ts';
import { namesOf } from './questions.ts';

type Question = Omit<Confirmation, 'answer'>;

const count = (number: number): string => number.toLocaleString('en');

/** Returns the box that names the later changes that an undo would replace. */
export function existingQuestion(
  { sentence }: Pick<FileRefusal, 'sentence'>,
  paths: readonly string[],
  where: string,
): Question {
  const [only] = paths;
  const isOne = paths.length === 1 && only !== undefined;
  return {
    title: `replace ${isOne ? nameIn(only) : `${count(paths.length)} files`}?`,
    lines: isOne
      ? [
          `In ${where}: ${sentence}`,
          `What is there goes to the trash; ${keyName('trash.undo', 'u')} undoes this.`,
        ]
      : [
          `In ${where} these exist again or changed since:`,
          ...namesOf(paths),
          `They go to the trash; ${keyName('trash.undo', 'u')} undoes this.`,
        ],
    options: [{ label: 'Cancel' }, { label: 'Replace', destroys: true }],
    escape: 'cancel',
  };
}

/** Reports restored files and drafts; empty for none. */
export function restoredSentence(
  restored: readonly { readonly path: string; readonly draftKey: string | undefined }[],
): string {
  const [first] = restored;
  if (first === undefined) return '';
  if (restored.length > 1) {
    const isDrafts = restored.every(({ draftKey }) => draftKey !== undefined);
    return `Restored ${count(restored.length)} ${isDrafts ? 'drafts' : 'files'}.`;
  }
  return first.draftKey === undefined
    ? `Restored ${first.path}.`
    : `Restored the draft of ${nameIn(first.path)}. ${first.draftKey} opens it.`;
}
