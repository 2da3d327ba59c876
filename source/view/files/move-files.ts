import type { Deck } from '../../store/deck/deck.ts';
import { type Move, planMoves } from '../../store/files/move-plan.ts';
import { movedSentence, moveQuestion } from '../../store/files/questions.ts';
import { folderOf, folderPaths, folderStart } from '../../store/files/targets.ts';
import { nameIn } from '../../store/drafts/places.ts';
import { type Prompt, promptingDefault } from '../../store/prompts/prompt.ts';
import { confirm } from '../command/confirm.ts';
import { promptAgain, type ReportProblem } from '../command/prompt-again.ts';
import { runWithConfirmation, reportOutcome } from './attempt.ts';
import {
  targetPaths,
  filesSubject,
  type FilesSubject,
  moveCursorToFile,
  sayNoFile,
  treeRowUnderCursor,
} from './subject.ts';
import type { FileOutcome } from '../../store/files/outcome.ts';

/** Handles used by most functions of this module. */
type Handles = Pick<Deck, 'lists' | 'screen' | 'messages' | 'files'>;

type PromptHandles = Handles & Pick<Deck, 'deployments' | 'opened'>;

/** Prompts for a path, then moves the marked files, else the row, after a confirmation (`m`). */
export function promptMove(deck: PromptHandles): void {
  promptFor(deck, 'move');
}

/** Prompts for a path, then copies the marked files, else the row (`A`). Several need a confirmation. */
export function promptCopy(deck: PromptHandles): void {
  promptFor(deck, 'copy');
}

type Verb = 'move' | 'copy';

function promptFor(deck: PromptHandles, verb: Verb): void {
  const subject = filesSubject(deck);
  if (subject === undefined) return;
  const paths = targetPaths(deck);
  const [only] = paths;
  if (only === undefined) return sayNoFile(deck);
  const isOne = paths.length === 1;
  const row = treeRowUnderCursor(deck);
  const folder = row?.folder === true ? row.path : folderOf(row?.path ?? '');
  const label = verb === 'move' ? 'Move' : 'Copy';
  const prompt: Prompt = {
    pathOf: 'service',
    label: isOne ? `${label} ${nameIn(only)} to: ` : `${label} ${paths.length} marked into: `,
    completions: () => folderPaths(deck.files.list.state.getState().rows),
    // One copy is sent without a box.
    writes: verb === 'copy',
    submit: (typed: string) =>
      void run(deck, subject, paths, { typed, verb }, promptAgain(deck, prompt, typed)),
  };
  const start = isOne ? only : folderStart(folder);
  deck.screen.overlay.open(promptingDefault(prompt, start));
}

async function run(
  deck: Handles,
  subject: FilesSubject,
  paths: readonly string[],
  { typed, verb }: { readonly typed: string; readonly verb: Verb },
  report: ReportProblem,
): Promise<void> {
  const plan = planMoves(deck.files.list.state.getState().rows, paths, typed, verb);
  if (!plan.ok) return report({ sentence: plan.sentence, next: '' });
  const moves = await confirmedMoves(deck, subject, plan.moves, verb);
  if (moves === undefined) return;
  const [first] = moves;
  if (first === undefined) {
    return deck.messages.say(`Nothing was ${verb === 'move' ? 'moved' : 'copied'}.`);
  }
  await runAll(deck, subject, moves, verb);
  deck.screen.listViews.clearMarks('files');
  await moveCursorToFile(deck, subject.place, first.to);
}

/** Resolves with the moves that the person chose; undefined when the box was cancelled. */
async function confirmedMoves(
  deck: Handles,
  { where }: FilesSubject,
  moves: readonly Move[],
  verb: Verb,
): Promise<readonly Move[] | undefined> {
  const isOneCopy = verb === 'copy' && moves.length === 1;
  // The replaced file has a box of its own.
  if (isOneCopy) return moves.map((move) => ({ ...move, replaces: false }));
  const question = moveQuestion(moves, where, verb);
  const choice = question.options[await confirm(deck, question)]?.label;
  if (choice === undefined || choice === 'Cancel') return undefined;
  return moves.filter(({ replaces }) => choice === 'Replace' || !replaces);
}

async function runAll(
  deck: Handles,
  { place, where }: FilesSubject,
  moves: readonly Move[],
  verb: Verb,
): Promise<void> {
  const { operations } = await deck.files.work();
  const batch = operations.newBatch();
  let outcome: FileOutcome | undefined;
  for (const [done, { from, to, replaces }] of moves.entries()) {
    outcome = await runWithConfirmation(deck, where, 'Replace', (agreed) =>
      operations[verb]({ ...place, path: from }, to, { replace: replaces, ...agreed, batch }),
    );
    if (outcome?.ok !== true) {
      return reportOutcome(
        deck,
        outcome,
        done === 0 ? '' : `${movedSentence(moves.slice(0, done), verb)} `,
      );
    }
  }
  if (moves.length > 1) deck.messages.say(movedSentence(moves, verb), 'good');
  else reportOutcome(deck, outcome);
}
