import type { EditorFile } from '../../store/editor/editor.ts';
import { nameIn } from '../../store/drafts/places.ts';
import type { Option, Confirmation } from '../../store/prompts/confirm.ts';
import type { ConflictCounts, SaveChoice, SavePhase } from '../../store/editor/save-state.ts';
import { formatTimeOfDay } from '../../store/time/time-of-day.ts';

interface Names {
  /** What people call the deployment. */
  readonly label: string;
  readonly file: EditorFile;
}

type Conflict = Extract<SavePhase, { kind: 'conflict' }>;

/** Asks what is to become of mine and theirs; nothing is lost by any answer (screens, section 3). */
export function conflictQuestion(
  { theirs, counts }: Conflict,
  { label, file }: Names,
  choose: (choice: SaveChoice | 'show both') => void,
): Confirmation {
  const { service, path } = file.place;
  const name = nameIn(path);
  const offers: readonly (readonly [SaveChoice | 'show both', Option])[] = [
    ['keep editing', { label: 'Keep editing', meaning: 'nothing is sent, draft kept' }],
    ...(theirs.text === undefined
      ? []
      : [['show both', { label: 'Show both', meaning: 'diff' }] as const]),
    ...(counts?.touch === false
      ? [['merge', { label: 'Merge', meaning: 'into the editor; ^S sends it' }] as const]
      : []),
    ['overwrite', { label: 'Overwrite theirs', meaning: 'theirs is kept, u puts it back' }],
    [
      'take theirs',
      theirs.text === undefined
        ? { label: 'Leave it to them', meaning: 'closes; your draft is kept' }
        : { label: 'Take theirs', meaning: 'your draft is kept, D shows it' },
    ],
  ];
  const [first, ...others] = offers.map(([, option]) => option);
  return {
    title: `${name} was changed by someone else`,
    lines: [
      `${label}/${service} ${path}, opened ${formatTimeOfDay(file.openedAt).slice(0, 5)}`,
      countsLine(counts),
    ],
    options: [first ?? { label: 'Keep editing' }, ...others],
    escape: 'keeps editing',
    answer: (option) => choose(offers[option]?.[0] ?? 'keep editing'),
  };
}

function countsLine(counts: ConflictCounts | undefined): string {
  if (counts === undefined) return 'Theirs is no text any more. It cannot be merged.';
  const { theirs, mine, touch } = counts;
  const both = `Theirs: +${theirs.added} -${theirs.removed} lines. Yours: +${mine.added} -${mine.removed}.`;
  return `${both} They ${touch ? 'touch' : 'do not touch'}.`;
}

/** Asks whether a file that is gone on the service is to be made again. */
export function createQuestion(
  { label, file }: Names,
  choose: (choice: SaveChoice) => void,
): Confirmation {
  const { service, path } = file.place;
  return {
    title: `${nameIn(path)} was deleted on the service`,
    lines: [`${label}/${service} ${path}`],
    options: [
      { label: 'Keep editing', meaning: 'nothing is sent, draft kept' },
      { label: 'Create it again', meaning: 'with your text' },
    ],
    escape: 'keeps editing',
    answer: (option) => choose(option === 1 ? 'create' : 'keep editing'),
  };
}
