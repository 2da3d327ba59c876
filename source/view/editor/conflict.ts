import { nameIn } from '../../store/drafts/places.ts';
import type { Option, Confirmation } from '../../store/prompts/confirm.ts';
import type { ConflictCounts, SaveChoice, SavePhase } from '../../store/editor/save-state.ts';
import { formatTimeOfDay } from '../../store/time/time-of-day.ts';
import type { EditorFile } from '../../store/editor/file.ts';

/** The file of a question and the label of its deployment. */
interface FileSubject {
  /** Display name of the deployment. */
  readonly label: string;
  readonly file: EditorFile;
}

type Conflict = Extract<SavePhase, { kind: 'conflict' }>;

/** An answer to a conflict; `compare` shows both texts and leaves the conflict open. */
export type ConflictChoice = SaveChoice | 'compare';

/** Asks how to resolve a save conflict; every answer keeps both texts. */
export function conflictQuestion(
  { theirs, counts }: Conflict,
  { label, file }: FileSubject,
  choose: (choice: ConflictChoice) => void,
): Confirmation {
  const { service, path } = file.place;
  const name = nameIn(path);
  const choices: readonly (readonly [ConflictChoice, Option])[] = [
    ['keep editing', { label: 'Keep editing', meaning: 'nothing is sent; draft kept' }],
    ...(theirs.text === undefined
      ? []
      : [['compare', { label: 'Compare', meaning: 'shows the difference' }] as const]),
    ...(counts?.touch === false
      ? [['merge', { label: 'Merge', meaning: 'into the editor; ^S saves' }] as const]
      : []),
    ['overwrite', { label: 'Overwrite', meaning: 'theirs goes to the trash; u undoes this' }],
    [
      'take theirs',
      {
        label: 'Use theirs',
        meaning:
          theirs.text === undefined ? 'closes the editor; draft kept' : 'draft kept; D shows it',
      },
    ],
  ];
  const [first, ...others] = choices.map(([, option]) => option);
  return {
    title: `${name} ${file.isNew() ? 'was created' : 'changed'} on the service`,
    lines: [
      `${label}/${service} ${path}, opened ${formatTimeOfDay(file.openedAt).slice(0, 5)}`,
      overlapLine(counts),
    ],
    options: [first ?? { label: 'Keep editing' }, ...others],
    escape: 'keep editing',
    answer: (option) => choose(choices[option]?.[0] ?? 'keep editing'),
  };
}

function overlapLine(counts: ConflictCounts | undefined): string {
  if (counts === undefined) return "Their version is not text and can't be merged.";
  const { theirs, mine, touch } = counts;
  const verb = touch ? 'overlap' : "don't overlap";
  return `Their change and yours ${verb} (theirs ${changeText(theirs)}, yours ${changeText(mine)}).`;
}

/** Formats added and removed lines: `+2 -1`, `+2`. */
function changeText({ added, removed }: ConflictCounts['theirs']): string {
  if (removed === 0) return `+${added}`;
  return added === 0 ? `-${removed}` : `+${added} -${removed}`;
}

/** Asks whether to create a file again that was deleted on the service. */
export function recreateQuestion(
  { label, file }: FileSubject,
  choose: (choice: SaveChoice) => void,
): Confirmation {
  const { service, path } = file.place;
  return {
    title: `${nameIn(path)} was deleted on the service`,
    lines: [`${label}/${service} ${path}`],
    options: [
      { label: 'Keep editing', meaning: 'nothing is sent; draft kept' },
      { label: 'Create again', meaning: 'with your text' },
    ],
    escape: 'keep editing',
    answer: (option) => choose(option === 1 ? 'create' : 'keep editing'),
  };
}
