import type { Deck } from '../../store/deck/deck.ts';
import { type Move, planMoves } from '../../store/files/move-plan.ts';
import { movedSentence, moveQuestion } from '../../store/files/questions.ts';
import { folderOf, folderPaths, folderStart } from '../../store/files/targets.ts';
import { nameIn } from '../../store/drafts/places.ts';
import { prompting } from '../../store/prompts/prompt.ts';
import { confirm } from '../command/confirm.ts';
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

/** Prompts for a path, then moves the marked files, else the row, after a confirmation (`m`). */
export function promptMove(
  deck: Pick<Deck, 'lists' | 'screen' | 'messages' | 'deployments' | 'opened' | 'files'>,
): void {
  const subject = filesSubject(deck);
  if (subject === undefined) return;
  const paths = targetPaths(deck);
  const [only] = paths;
  if (only === undefined) return sayNoFile(deck);
  const isOne = paths.length === 1;
  const row = treeRowUnderCursor(deck);
  const folder = row?.folder === true ? row.path : folderOf(row?.path ?? '');
  const prompt = {
    label: isOne ? `Move ${nameIn(only)} to: ` : `Move ${paths.length} marked into: `,
    completions: () => folderPaths(deck.files.list.state.getState().rows),
    submit: (typed: string) => void move(deck, subject, paths, typed),
  };
  const start = isOne ? only : folderStart(folder);
  deck.screen.overlay.open(prompting(prompt, start));
}

async function move(
  deck: Handles,
  subject: FilesSubject,
  paths: readonly string[],
  typed: string,
): Promise<void> {
  const plan = planMoves(deck.files.list.state.getState().rows, paths, typed);
  if (!plan.ok) return deck.messages.say(plan.sentence);
  const question = moveQuestion(plan.moves, subject.where);
  const choice = question.options[await confirm(deck, question)]?.label;
  if (choice === undefined || choice === 'Cancel') return;
  const shouldReplace = choice === 'Replace';
  const moves = plan.moves.filter(({ replaces }) => shouldReplace || !replaces);
  const [first] = moves;
  if (first === undefined) return deck.messages.say('Nothing was moved.');
  await moveAll(deck, subject, moves);
  deck.screen.listViews.clearMarks('files');
  await moveCursorToFile(deck, subject.place, first.to);
}

async function moveAll(
  deck: Handles,
  { place, where }: FilesSubject,
  moves: readonly Move[],
): Promise<void> {
  const { operations } = await deck.files.work();
  let outcome: FileOutcome | undefined;
  for (const [done, { from, to, replaces }] of moves.entries()) {
    outcome = await runWithConfirmation(deck, where, 'Replace', (agreed) =>
      operations.move({ ...place, path: from }, to, { replace: replaces, ...agreed }),
    );
    if (outcome?.ok !== true) {
      return reportOutcome(
        deck,
        outcome,
        done === 0 ? '' : `${movedSentence(moves.slice(0, done))} `,
      );
    }
  }
  if (moves.length > 1) deck.messages.say(movedSentence(moves), 'good');
  else reportOutcome(deck, outcome);
}
