import { keyName } from '../prompts/key-names.ts';
import type { PreparedDownload } from './downloads.ts';
import { filesText, namesOf } from '../files/questions.ts';
import { folderStart } from '../files/targets.ts';
import type { ExcludedPath } from './local-files.ts';
import type { Option, Confirmation } from '../prompts/confirm.ts';
import type { ConflictDecision, UploadPlan } from './upload-plan.ts';

type TransferQuestion = Omit<Confirmation, 'answer'>;

/** Names the first path that is left out, because a plan may leave out thousands. */
function leftOutLine(leftOut: readonly ExcludedPath[]): readonly string[] {
  const [first] = leftOut;
  if (first === undefined) return [];
  const others = leftOut.length - 1;
  const verb = others === 1 ? 'is' : 'are';
  const more = others === 0 ? '' : ` ${others} more ${verb} left out too.`;
  return [`Left out: ${first.path}, ${first.reason}.${more}`];
}

function conflictOptions(others: number, replaceMeaning: string): readonly [Option, ...Option[]] {
  return [
    { label: 'Cancel', meaning: 'nothing is sent' },
    ...(others === 0 ? [] : [{ label: 'Skip', meaning: `only the other ${others}` }]),
    { label: 'Replace', meaning: replaceMeaning, destroys: true },
  ];
}

/** Returns the confirmation of an upload. @param size formatted size of all files. */
export function uploadQuestion(plan: UploadPlan, where: string, size: string): TransferQuestion {
  const paths = plan.items.map(({ path }) => path);
  const existing = plan.items.filter(({ replaces }) => replaces !== undefined);
  const unrecoverable = existing.filter(({ replaces }) => replaces?.kept === false);
  const existingNames = namesOf(existing.map(({ path }) => path)).join(', ');
  return {
    title: `upload ${filesText(paths)}?`,
    lines: [
      `To ${where}/${folderStart(plan.target)}, ${size}:`,
      ...namesOf(paths),
      ...leftOutLine(plan.leftOut),
      ...(existing.length === 0 ? [] : [`Already there: ${existingNames}.`]),
      ...(unrecoverable.length === 0
        ? []
        : [
            `Too large for the trash: ${namesOf(unrecoverable.map(({ path }) => path)).join(', ')}.`,
          ]),
    ],
    options:
      existing.length === 0
        ? [{ label: 'Cancel' }, { label: 'Upload' }]
        : conflictOptions(
            paths.length - existing.length,
            unrecoverable.length === existing.length
              ? 'replaces the files'
              : `${keyName('trash.undo', 'u')} undoes this`,
          ),
    escape: 'cancel',
  };
}

/** Returns the confirmation of a download that would replace local files. */
export function downloadQuestion({
  items,
  conflicts,
  folder,
  leftOut,
}: PreparedDownload): TransferQuestion {
  return {
    title: `save ${filesText(items.map(({ path }) => path))}?`,
    lines: [`To ${folder}. Already there:`, ...namesOf([...conflicts]), ...leftOutLine(leftOut)],
    options: conflictOptions(items.length - conflicts.size, 'replaces the files'),
    escape: 'cancel',
  };
}

const decisionsByLabel: ReadonlyMap<string, ConflictDecision> = new Map([
  ['Skip', 'skip'],
  ['Replace', 'replace'],
  // Without conflicts, skipping them uploads everything.
  ['Upload', 'skip'],
]);

/** Returns the decision that belongs to the chosen option. */
export function transferDecision({ options }: TransferQuestion, chosen: number): ConflictDecision {
  return decisionsByLabel.get(options[chosen]?.label ?? '') ?? 'cancel';
}
