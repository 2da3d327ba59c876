import type { Deck } from '../../store/deck/deck.ts';
import { type Move, planMoves } from '../../store/files/move-plan.ts';
import type { FileOutcome } from '../../store/files/operations.ts';
import { movedSentence, moveQuestion } from '../../store/files/questions.ts';
import { folderOf, folderPaths, folderStart } from '../../store/files/targets.ts';
import { nameIn } from '../../store/drafts/places.ts';
import { prompting } from '../../store/prompts/prompt.ts';
import { confirm } from '../command/confirm.ts';
import { attempt, tell } from './attempt.ts';
import {
  chosenHere,
  filesSubject,
  type FilesSubject,
  selectFile,
  treeRowUnderCursor,
} from './subject.ts';

/** The handles that most functions here use. */
type Handles = Pick<Deck, 'screen' | 'messages' | 'files'>;

/** `m`: asks where to, then moves what is marked or under the cursor when the box says so. */
export function askMove(
  deck: Pick<Deck, 'screen' | 'messages' | 'deployments' | 'opened' | 'files'>,
): void {
  const subject = filesSubject(deck);
  if (subject === undefined) return;
  const paths = chosenHere(deck);
  const [only] = paths;
  if (only === undefined) return deck.messages.say('There is no file here to move.');
  const isOne = paths.length === 1;
  const under = treeRowUnderCursor(deck);
  const folder = under?.folder === true ? under.path : folderOf(under?.path ?? '');
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
  const chosen = question.options[await confirm(deck, question)]?.label;
  if (chosen === undefined || chosen === 'Cancel') return;
  const replace = chosen === 'Replace';
  const moves = plan.moves.filter(({ replaces }) => replace || !replaces);
  const [first] = moves;
  if (first === undefined) return deck.messages.say('Nothing was moved.');
  await moveAll(deck, subject, moves);
  deck.screen.lists.clearMarks('files');
  await selectFile(deck, subject.place, first.to);
}

async function moveAll(
  deck: Handles,
  { place, where }: FilesSubject,
  moves: readonly Move[],
): Promise<void> {
  const { operations } = await deck.files.work();
  let outcome: FileOutcome | undefined;
  for (const [done, { from, to, replaces }] of moves.entries()) {
    outcome = await attempt(deck, where, 'Replace', (agreed) =>
      operations.move({ ...place, path: from }, to, { replace: replaces, ...agreed }),
    );
    if (outcome?.ok !== true) {
      return tell(deck, outcome, done === 0 ? '' : `${movedSentence(moves.slice(0, done))} `);
    }
  }
  if (moves.length > 1) deck.messages.say(movedSentence(moves), 'good');
  else tell(deck, outcome);
}
