import type { PreparedDownload } from './downloads.ts';
import { filesText, namesOf } from '../files/questions.ts';
import { folderStart } from '../files/targets.ts';
import type { LeftOut } from './local-files.ts';
import type { Option, Confirmation } from '../prompts/confirm.ts';
import type { Decision, UploadPlan } from './upload-plan.ts';

type Asked = Omit<Confirmation, 'answer'>;

/** What is left out is told by its first: the plan may hold thousands. */
function leftOutLine(leftOut: readonly LeftOut[]): readonly string[] {
  const [first] = leftOut;
  if (first === undefined) return [];
  const others = leftOut.length - 1;
  const verb = others === 1 ? 'is' : 'are';
  const more = others === 0 ? '' : ` ${others} more ${verb} left out too.`;
  return [`Left out: ${first.path}, ${first.reason}.${more}`];
}

function conflictOptions(others: number, lost: string): readonly [Option, ...Option[]] {
  return [
    { label: 'Cancel', meaning: 'nothing is sent' },
    ...(others === 0 ? [] : [{ label: 'Skip', meaning: `only the other ${others}` }]),
    { label: 'Replace', meaning: lost, destroys: true },
  ];
}

/** Before an upload; one answer for all files that are there already. `size` is that of all. */
export function uploadQuestion(plan: UploadPlan, where: string, size: string): Asked {
  const paths = plan.items.map(({ path }) => path);
  const taken = plan.items.filter(({ replaces }) => replaces !== undefined);
  const unkept = taken.filter(({ replaces }) => replaces?.kept === false);
  const there = namesOf(taken.map(({ path }) => path)).join(', ');
  return {
    title: `upload ${filesText(paths)}?`,
    lines: [
      `To ${where}/${folderStart(plan.target)}, ${size}:`,
      ...namesOf(paths),
      ...leftOutLine(plan.leftOut),
      ...(taken.length === 0 ? [] : [`There already: ${there}.`]),
      ...(unkept.length === 0
        ? []
        : [`Too large to be kept: ${namesOf(unkept.map(({ path }) => path)).join(', ')}.`]),
    ],
    options:
      taken.length === 0
        ? [{ label: 'Cancel' }, { label: 'Upload' }]
        : conflictOptions(
            paths.length - taken.length,
            unkept.length === taken.length
              ? 'what is there is lost'
              : 'what is there is kept first; u puts it back',
          ),
    escape: 'cancels',
  };
}

/** Before a download that would replace files of this machine. */
export function downloadQuestion({ items, conflicts, folder, leftOut }: PreparedDownload): Asked {
  return {
    title: `save ${filesText(items.map(({ path }) => path))}?`,
    lines: [`To ${folder}. There already:`, ...namesOf([...conflicts]), ...leftOutLine(leftOut)],
    options: conflictOptions(items.length - conflicts.size, 'what is there is lost'),
    escape: 'cancels',
  };
}

const decisions: ReadonlyMap<string, Decision> = new Map([
  ['Skip', 'skip'],
  ['Replace', 'replace'],
  // Nothing is there that would be replaced.
  ['Upload', 'skip'],
]);

/** What the option chosen in such a box means. */
export function transferDecision({ options }: Asked, chosen: number): Decision {
  return decisions.get(options[chosen]?.label ?? '') ?? 'cancel';
}
