import type { Deck } from '../../store/deck/deck.ts';
import { folderOf, folderStart } from '../../store/files/targets.ts';
import type { FileWork } from '../../store/deck/file-work.ts';
import { completePath } from '../../store/transfers/local-completion.ts';
import { parsePaths } from '../../store/transfers/pasted-paths.ts';
import { type Prompt, prompting } from '../../store/prompts/prompt.ts';
import { uploadSummary } from '../../store/transfers/summary.ts';
import { transferDecision, uploadQuestion } from '../../store/transfers/questions.ts';
import { formatBytes } from '../../store/files/file-size.ts';
import { confirm } from '../command/confirm.ts';
import { filesSubject, type FilesSubject, treeRowUnderCursor } from './subject.ts';
import { promptAgain, type ReportProblem } from '../command/prompt-again.ts';
import { mayTransfer, runTransfer, whyLeftOut } from '../command/run-transfer.ts';

/** Handles used by most functions of this module. */
type Handles = Pick<Deck, 'screen' | 'messages' | 'files'>;

/** Prompts for local files and folders, and uploads them after a confirmation (`p`). */
export function promptUpload(
  deck: Pick<Deck, 'lists' | 'screen' | 'messages' | 'deployments' | 'opened' | 'files'>,
): void {
  const subject = filesSubject(deck);
  if (subject === undefined || !mayTransfer(deck)) return;
  const row = treeRowUnderCursor(deck);
  const target = row?.folder === true ? row.path : folderOf(row?.path ?? '');
  const prompt: Prompt = {
    label: `Upload to ${subject.where}/${folderStart(target)} from: `,
    pathOf: 'machine',
    completions: async (text: string) => completePath(text, (await deck.files.work()).local, false),
    submit: (text: string) =>
      void prepare(deck, subject, target, text, promptAgain(deck, prompt, text)),
  };
  deck.screen.overlay.open(prompting(prompt));
}

async function prepare(
  deck: Handles,
  subject: FilesSubject,
  target: string,
  text: string,
  report: ReportProblem,
): Promise<void> {
  const over = deck.messages.begin('Checking the files...');
  const work = await deck.files.work();
  const paths = parsePaths(text, work.local.home);
  const result = await work.uploads.prepare({ place: subject.place, target, paths });
  over();
  if (!result.ok) return report(result.error);
  const plan = result.value;
  if (plan.items.length === 0) {
    return report({ sentence: `Nothing to upload.${whyLeftOut(plan.leftOut)}`, next: '' });
  }
  const size = formatBytes(plan.items.reduce((sum, item) => sum + item.size, 0));
  const question = uploadQuestion(plan, subject.where, size);
  const decision = transferDecision(question, await confirm(deck, question));
  if (decision !== 'cancel' && mayTransfer(deck)) {
    await send(deck, work, subject.where, plan, decision);
  }
}

type Uploads = FileWork['uploads'];

async function send(
  deck: Handles,
  { uploads }: FileWork,
  where: string,
  ...[plan, decision]: Parameters<Uploads['send']>
): Promise<void> {
  const outcome = await runTransfer(deck, 'Uploading', uploads, () => uploads.send(plan, decision));
  if (outcome === undefined) return;
  const destination = plan.target === '' ? where : `${where}/${plan.target}`;
  const plannedSkips = new Set(plan.leftOut);
  const newSkips = outcome.leftOut.filter((one) => !plannedSkips.has(one));
  const isWhole = outcome.error === undefined && newSkips.length === 0;
  const text = `${uploadSummary(outcome, destination)}${whyLeftOut(newSkips)}`;
  deck.messages.say(text, isWhole ? 'good' : 'bad');
  await deck.files.list.refresh();
}
