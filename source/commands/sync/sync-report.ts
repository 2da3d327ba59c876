/** The words of a sync: its plan as a table and JSON, its result, its problems, and its question. Pure. */
import { capitaliseTitle } from '../../client/http/errors.ts';
import { type CommandProblem, failureProblem, usageProblem } from '../command-problem.ts';
import type { CommandQuestion } from '../confirm/confirm.ts';
import { exitCodes } from '../exit-codes.ts';
import { type NamedService, nextCommand } from '../output/next-command.ts';
import type { RecordView } from '../output/record-view.ts';
import { itemsOf, syncActions, type SyncItem } from './plan-sync.ts';

/** Plans as `files sync` prints them. */
export const planView: RecordView<SyncItem> = {
  columns: [
    { title: 'ACTION', value: ({ action }) => action },
    { title: 'PATH', value: ({ path }) => path },
    {
      title: 'SIZE',
      value: ({ size }) => (size === undefined ? undefined : String(size)),
      align: 'right',
      isOptional: true,
    },
    { title: 'REASON', value: ({ reason }) => reason, isShrinkable: true },
  ],
  fields: ['action', 'path', 'size', 'reason'],
  json: (item) => ({ ...item }),
  id: ({ path }) => path,
};

const actions = Object.keys(syncActions) as readonly SyncItem['action'][];

/** Returns the rows of a plan: first what is done, then what is not. */
export function planRows(items: readonly SyncItem[]): readonly SyncItem[] {
  return actions.flatMap((action) => itemsOf(items, action));
}

/** Returns the number of items of each action. */
export function planCounts(items: readonly SyncItem[]): Readonly<Record<string, number>> {
  return Object.fromEntries(actions.map((action) => [action, itemsOf(items, action).length]));
}

/** Returns the summary of a plan, such as `3 to create, 1 in conflict, 12 ignored.` */
export function planSummary(items: readonly SyncItem[], ignored: number): string {
  const changes = itemsOf(items, 'create', 'update', 'delete').length;
  const counts = actions.map((each) => [itemsOf(items, each).length, syncActions[each]] as const);
  const parts = [...counts, [ignored, 'ignored'] as const].flatMap(([count, words]) =>
    count === 0 ? [] : [`${count} ${words}`],
  );
  return `${(changes === 0 ? ['Nothing to send', ...parts] : parts).join(', ')}.`;
}

/** Returns a number of files, such as `1 file` or `3 files`. */
export function fileCount(count: number): string {
  return `${count} file${count === 1 ? '' : 's'}`;
}

/** Returns a list such as `sent 3 files, deleted 1 file`, without what no file counts for. */
function countList(counts: Readonly<Record<string, number>>): string {
  const counted = Object.entries(counts).filter(([, count]) => count > 0);
  return counted.map(([verb, count]) => `${verb} ${fileCount(count)}`).join(', ');
}

/** Returns the result of a sync that wrote files, such as `Sent 3 files, deleted 1 file.` */
export function sentSummary(written: readonly SyncItem[]): string {
  const deleted = itemsOf(written, 'delete').length;
  return `${capitaliseTitle(countList({ sent: written.length - deleted, deleted }))}.`;
}

/**
 * Returns the problems of files that were left alone: first those that someone else changed.
 * @param place the service, such as `shop/web`, for the commands that resolve a conflict.
 */
export function syncProblems(
  items: readonly SyncItem[],
  place: string,
  context: NamedService,
): readonly CommandProblem[] {
  const conflicts = itemsOf(items, 'conflict');
  const others = itemsOf(items, 'refused', 'unreadable', 'unstable');
  const problems: CommandProblem[] = [];
  if (conflicts.length > 0) {
    const takeOver = nextCommand(context, `files get ${place}:PATH`);
    problems.push({
      exit: exitCodes.conflict,
      code: 'conflict',
      sentence: `${fileCount(conflicts.length)} in conflict, left as on the service.`,
      next: `${takeOver} takes a file over, hostdeck files put replaces it.`,
      details: detailsOf(conflicts),
    });
  }
  if (others.length > 0) {
    const problem = failureProblem(`${fileCount(others.length)} not synced.`, '', 'not-synced');
    problems.push({ ...problem, details: detailsOf(others) });
  }
  return problems;
}

function detailsOf(items: readonly SyncItem[]): readonly string[] {
  return items.map(({ path, reason = '' }) => `${path}: ${reason}`);
}

/** Deletions up to which a yes is enough. */
const freeDeletions = 20;

/**
 * Returns the deletions that need no number typed. A folder without files may be one that is not mounted:
 * it deletes nothing by itself.
 * @param files files in the folder.
 */
export function mostDeletions(maxDelete: number | undefined, files: number): number {
  return files === 0 ? 0 : (maxDelete ?? freeDeletions);
}

export interface ApprovalQuery {
  readonly items: readonly SyncItem[];
  /** Ends of the sync, such as `./site to shop/web`. */
  readonly ends: string;
  /** Files in the folder. */
  readonly files: number;
  readonly flags: { readonly watch: boolean; readonly 'max-delete': number | undefined };
  /** True with `--yes`. */
  readonly yes: boolean;
}

/** Returns the question to answer before a plan is sent, or why it is refused; undefined for neither. */
export function approvalOf({
  items,
  ends,
  files,
  flags: { watch, 'max-delete': maxDelete },
  yes,
}: ApprovalQuery): CommandQuestion | CommandProblem | undefined {
  const updates = itemsOf(items, 'update').length;
  const deletes = itemsOf(items, 'delete').length;
  const most = mostDeletions(maxDelete, files);
  if (deletes > (yes ? most : (maxDelete ?? deletes))) {
    const isEmpty = files === 0;
    const why = isEmpty ? 'because the folder has none' : `more than ${maxDelete ?? most}`;
    const next = isEmpty ? '' : ` --max-delete ${deletes} allows it.`;
    const sentence = `${fileCount(deletes)} would be deleted, ${why}.`;
    return usageProblem(sentence, `Nothing was sent.${next}`);
  }
  if (updates + deletes === 0 && !watch) return undefined;
  const changes = countList({ overwrites: updates, deletes });
  const parts = [changes, watch ? 'sends every change until it is ended' : ''];
  return {
    facts: [`The sync of ${ends} ${parts.filter((part) => part !== '').join(', ')}.`],
    question: watch ? 'Start?' : 'Continue?',
    typed: deletes > most ? String(deletes) : undefined,
  };
}
