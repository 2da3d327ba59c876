import { nameIn } from '../../store/drafts/places.ts';
import type { Deck } from '../../store/deck/deck.ts';
import type { RestartUndo, RestartedFile } from '../../store/drafts/trash-list.ts';
import type { FileOperations } from '../../store/files/operations.ts';
import { namesOf } from '../../store/files/questions.ts';
import type { TrashDifference } from '../../store/files/trash-difference.ts';
import type { Confirmation, ConfirmLine } from '../../store/prompts/confirm.ts';
import { formatTimeOfDay } from '../../store/time/time-of-day.ts';
import { confirm } from '../command/confirm.ts';
import { changeExcerpt, lineCountsText } from '../editor/conflict.ts';
import { compareRestart } from '../log/patterns/worse-run.ts';
import { reportRestored, restoreAll, type UndoHandles } from './undo.ts';

/** The option that compares the run with what was before. */
const comparesRuns = 1;

/** A file of a restart, and the way back to its earlier version. */
interface ComparedFile {
  readonly file: RestartedFile;
  /** Undefined for a move, which is undone without a difference. */
  readonly difference: TrashDifference | undefined;
}

/**
 * Shows the way back of each file of a restart, and restores them when the person agrees. The deployment
 * restarts at once, and that restart is proved as well.
 */
export async function undoRestart(
  deck: UndoHandles & Pick<Deck, 'opened'>,
  restart: RestartUndo,
): Promise<void> {
  const { operations } = await deck.files.work();
  const compared: ComparedFile[] = [];
  for (const file of restart.files) {
    compared.push({ file, difference: await compare(operations, file) });
  }
  const answer = await confirm(deck, restartQuestion(restart, compared));
  if (answer === 0) return;
  const { deploymentId, at } = restart;
  const records = await deck.proofs.records.read(deploymentId);
  const record = records.find(({ requestedAt }) => requestedAt === at);
  if (answer === comparesRuns) {
    // Without its record, this machine's clock stands for that of the service.
    return compareRestart(deck, record ?? { deploymentId, at });
  }
  const entries = restart.files.map(({ entry, expected }) => ({ ...entry, expected }));
  const isWhole = reportRestored(deck, await restoreAll(deck, operations, entries));
  // The message names the files that were not restored, so that the person decides about a restart.
  if (!isWhole) return;
  if (record !== undefined) await deck.proofs.undone(record);
  const pending = deck.restarts.state.getState().get(deploymentId);
  // Without a delay the restart has been sent already, and another one would end its proof.
  if (pending !== undefined) deck.restarts.restart(deploymentId);
}

async function compare(
  operations: FileOperations,
  { entry, expected }: RestartedFile,
): Promise<TrashDifference | undefined> {
  return entry.reason === 'moved' ? undefined : operations.compare(entry, expected);
}

/** Returns the box with the differences of a restart's files. */
function restartQuestion(
  { name, at, verdict, others }: RestartUndo,
  compared: readonly ComparedFile[],
): Omit<Confirmation, 'answer'> {
  const otherNames = others.map(({ service, path }) => `${service}/${path}`);
  return {
    title: `undo restart of ${name}?`,
    lines: [
      `Restarted ${formatTimeOfDay(at)}, ${verdict}. Restores these files, then restarts:`,
      ...compared.flatMap(fileLines),
      ...(otherNames.length === 0
        ? []
        : ['Without an earlier version, these stay:', ...namesOf(otherNames)]),
    ],
    options: [{ label: 'Cancel' }, { label: 'Compare' }, { label: 'Restore', destroys: true }],
    escape: 'cancel',
  };
}

/** Returns the lines of a file: its path, the counts, and the first changed lines. */
function fileLines({ file: { entry }, difference }: ComparedFile): readonly ConfirmLine[] {
  const name = `${entry.service}/${entry.path}`;
  if (difference === undefined) return [`${name}: back from ${nameIn(entry.movedTo ?? '')}`];
  switch (difference.kind) {
    case 'text': {
      const { counts, lines } = difference;
      const later = difference.isLater ? ', changed by others since' : '';
      return [
        `${name}: ${lineCountsText(counts)}${later}`,
        ...lines.map((line) => changeExcerpt(line, '')),
      ];
    }
    case 'other':
      return [`${name}: not text${difference.isLater ? ', changed by others since' : ''}`];
    case 'missing':
      return [`${name}: is created again`];
    case 'unread':
      return [`${name}: ${difference.sentence}`];
  }
}
