import type { Deck } from '../../store/deck/deck.ts';
import { folderOf, folderStart } from '../../store/files/targets.ts';
import type { FileWork } from '../../store/deck/file-work.ts';
import { completePath } from '../../store/transfers/local-completion.ts';
import { parsePaths } from '../../store/transfers/pasted-paths.ts';
import { prompting } from '../../store/prompts/prompt.ts';
import { uploadSummary } from '../../store/transfers/summary.ts';
import { transferDecision, uploadQuestion } from '../../store/transfers/questions.ts';
import { formatBytes } from '../text/amount.ts';
import { confirm } from '../command/confirm.ts';
import { filesSubject, type FilesSubject, treeRowUnderCursor } from './subject.ts';
import { mayTransfer, runTransfer, whyLeftOut } from '../command/run-transfer.ts';

/** The handles that most functions here use. */
type Handles = Pick<Deck, 'screen' | 'messages' | 'files'>;

/** `p`: asks for files and folders of this machine, and uploads them when the box says so. */
export function askUpload(
  deck: Pick<Deck, 'screen' | 'messages' | 'deployments' | 'opened' | 'files'>,
): void {
  const subject = filesSubject(deck);
  if (subject === undefined || !mayTransfer(deck)) return;
  const row = treeRowUnderCursor(deck);
  const target = row?.folder === true ? row.path : folderOf(row?.path ?? '');
  const prompt = {
    label: `Upload to ${subject.where}/${folderStart(target)} from here: `,
    completions: async (text: string) => completePath(text, (await deck.files.work()).local, false),
    submit: (text: string) => void prepare(deck, subject, target, text),
  };
  deck.screen.overlay.open(prompting(prompt));
}

async function prepare(
  deck: Handles,
  subject: FilesSubject,
  target: string,
  text: string,
): Promise<void> {
  deck.messages.say('Looking at what is there...');
  const work = await deck.files.work();
  const paths = parsePaths(text, work.local.home);
  const result = await work.uploads.prepare({ place: subject.place, target, paths });
  if (!result.ok) return deck.messages.say(`${result.error.sentence} ${result.error.next}`, 'bad');
  const plan = result.value;
  if (plan.items.length === 0) {
    return deck.messages.say(`Nothing to upload.${whyLeftOut(plan.leftOut)}`, 'bad');
  }
  deck.screen.message.clear();
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
  const to = plan.target === '' ? where : `${where}/${plan.target}`;
  const known = new Set(plan.leftOut);
  const fresh = outcome.leftOut.filter((one) => !known.has(one));
  const isWhole = outcome.error === undefined && fresh.length === 0;
  const text = `${uploadSummary(outcome, to)}${whyLeftOut(fresh)}`;
  deck.messages.say(text, isWhole ? 'good' : 'bad');
  await deck.files.list.refresh();
}
