import { keyName } from '../../store/prompts/key-names.ts';
import { nameIn } from '../../store/drafts/places.ts';
import type { ChangedLine, LineCounts } from '../../editor/diff.ts';
import type {
  ConfirmExcerpt,
  Option,
  Confirmation,
  ConfirmLine,
} from '../../store/prompts/confirm.ts';
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
  { file }: Pick<FileSubject, 'file'>,
  choose: (choice: ConflictChoice) => void,
): Confirmation {
  const name = nameIn(file.place.path);
  const choices: readonly (readonly [ConflictChoice, Option])[] = [
    ['keep editing', { label: 'Keep editing', meaning: 'nothing is sent' }],
    ...(theirs.text === undefined
      ? []
      : [['compare', { label: 'Compare', meaning: 'n N walk the changes' }] as const]),
    ...(counts?.touch === false
      ? [
          [
            'merge',
            { label: 'Merge', meaning: `no overlap; ${keyName('editor.save', '^S')} then saves` },
          ] as const,
        ]
      : []),
    ['overwrite', { label: 'Overwrite', meaning: 'save yours; theirs goes to the trash' }],
    [
      'take theirs',
      {
        label: 'Use theirs',
        meaning:
          theirs.text === undefined
            ? 'close the editor; draft kept'
            : 'your draft goes to the trash',
      },
    ],
  ];
  const [first, ...others] = choices.map(([, option]) => option);
  return {
    title: `${name} ${file.isNew() ? 'was created' : 'changed'} on the service`,
    lines: [
      `${timesText(file.openedAt, theirs.modifiedAt)} ${countsText(counts)}`,
      ...excerpts(counts),
    ],
    options: [first ?? { label: 'Keep editing' }, ...others],
    escape: 'keep editing',
    answer: (option) => choose(choices[option]?.[0] ?? 'keep editing'),
  };
}

/** Returns when the file was opened here and changed there: `Opened 11:48, changed 11:51.` */
function timesText(openedAt: number, modifiedAt: string | undefined): string {
  const changedAt = Date.parse(modifiedAt ?? '');
  const changed = Number.isNaN(changedAt) ? '' : `, changed ${minuteText(changedAt)}`;
  return `Opened ${minuteText(openedAt)}${changed}.`;
}

const minuteText = (at: number) => formatTimeOfDay(at).slice(0, 5);

function countsText(counts: ConflictCounts | undefined): string {
  if (counts === undefined) return "Their version is not text and can't be merged.";
  return `Theirs ${lineCountsText(counts.theirs)}, yours ${lineCountsText(counts.mine)}.`;
}

/** Returns the first changed lines of both sides: `  3 -   timeout: 5s      theirs`. */
function excerpts(counts: ConflictCounts | undefined): readonly ConfirmLine[] {
  if (counts === undefined) return [];
  const sides = [
    [counts.theirLines, 'theirs'],
    [counts.myLines, 'yours'],
  ] as const;
  return sides.flatMap(([lines, note]) => lines.map((line) => changeExcerpt(line, note)));
}

/** Returns a changed line of a box: `  3 -   timeout: 5s`. */
export function changeExcerpt({ number, sign, text }: ChangedLine, note: string): ConfirmExcerpt {
  return { excerpt: `${String(number).padStart(3)} ${sign} ${text.trimEnd()}`, note };
}

/** Formats added and removed lines: `+2 -1`, `+2`. */
export function lineCountsText({ added, removed }: LineCounts): string {
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
