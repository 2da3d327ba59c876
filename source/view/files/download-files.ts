import type { Deck } from '../../store/deck/deck.ts';
import type { PreparedDownload } from '../../store/transfers/downloads.ts';
import type { FileWork } from '../../store/deck/file-work.ts';
import { nameIn } from '../../store/drafts/places.ts';
import { filesBelow } from '../../store/files/targets.ts';
import { completePath } from '../../store/transfers/local-completion.ts';
import { parsePaths } from '../../store/transfers/pasted-paths.ts';
import { type Prompt, promptingDefault } from '../../store/prompts/prompt.ts';
import { downloadQuestion, transferDecision } from '../../store/transfers/questions.ts';
import { downloadSummary } from '../../store/transfers/summary.ts';
import type { ConflictDecision } from '../../store/transfers/upload-plan.ts';
import { confirm } from '../command/confirm.ts';
import { targetPaths, filesSubject, type FilesSubject, sayNoFile } from './subject.ts';
import { promptAgain, type ReportProblem } from '../command/prompt-again.ts';
import { mayTransfer, runTransfer, whyLeftOut } from '../command/run-transfer.ts';

/**
 * Prompts for a local folder and downloads the file in the focused viewer, else the marked files, else
 * the row under the cursor (`S`).
 */
export function promptDownload(
  deck: Pick<Deck, 'lists' | 'screen' | 'messages' | 'deployments' | 'opened' | 'files'>,
): void {
  const subject = filesSubject(deck);
  if (subject === undefined || !mayTransfer(deck)) return;
  const { opened } = deck.files.state.getState();
  const isViewed = deck.screen.getState().focus === 'main' && opened !== undefined;
  const paths = isViewed ? [opened.path] : targetPaths(deck);
  const [only] = paths;
  if (only === undefined) return sayNoFile(deck);
  const prompt: Prompt = {
    pathOf: 'machine',
    label: `Save ${paths.length === 1 ? targetName(deck, only) : `${paths.length} marked`} into folder: `,
    completions: async (text: string) => completePath(text, (await deck.files.work()).local, true),
    writes: true,
    submit: (text: string) =>
      void prepare(deck, subject, paths, text, promptAgain(deck, prompt, text)),
  };
  deck.screen.overlay.open(promptingDefault(prompt, './'));
}

/** Returns the name of a file, or of a folder with a slash: beside `into folder` it must be plain which is which. */
function targetName({ files }: Pick<Deck, 'files'>, path: string): string {
  const [file] = filesBelow(files.list.state.getState().rows, [path]);
  return file === path ? nameIn(path) : `${nameIn(path)}/`;
}

async function prepare(
  deck: Pick<Deck, 'screen' | 'messages' | 'files'>,
  { place }: FilesSubject,
  paths: readonly string[],
  text: string,
  report: ReportProblem,
): Promise<void> {
  const work = await deck.files.work();
  const [typed, ...others] = parsePaths(text, work.local.home);
  if (typed === undefined || others.length > 0) {
    return report({ sentence: 'Enter the path of one folder.', next: 'Nothing was saved.' });
  }
  const folder = work.local.resolve(typed);
  const result = await work.downloads.prepare({ place, paths, folder });
  if (!result.ok) return report(result.error);
  const plan = result.value;
  if (plan.items.length === 0) {
    return deck.messages.say(`Nothing to save.${whyLeftOut(plan.leftOut)}`, 'bad');
  }
  if (plan.conflicts.size === 0) return fetchAll(deck, work, { plan, decision: 'skip' }, report);
  const question = downloadQuestion(plan);
  const decision = transferDecision(question, await confirm(deck, question));
  if (decision !== 'cancel') await fetchAll(deck, work, { plan, decision }, report);
}

async function fetchAll(
  deck: Pick<Deck, 'screen' | 'messages'>,
  { downloads }: FileWork,
  { plan, decision }: { readonly plan: PreparedDownload; readonly decision: ConflictDecision },
  report: ReportProblem,
): Promise<void> {
  if (!mayTransfer(deck)) return;
  const outcome = await runTransfer(deck, 'Saving', downloads, () =>
    downloads.fetch(plan, decision),
  );
  if (outcome === undefined) return;
  const isWhole = outcome.error === undefined && outcome.leftOut.length === 0;
  const text = `${downloadSummary(outcome, plan.folder)}${whyLeftOut(outcome.leftOut)}`;
  const failed = outcome.leftOut[plan.leftOut.length];
  // Files of the plan that no local folder takes are a problem of the typed path.
  const isPathWrong = outcome.error === undefined && outcome.saved.length === 0;
  if (isPathWrong && failed !== undefined) {
    return report({ sentence: `Can't save ${failed.path}: ${failed.reason}.`, next: '' }, text);
  }
  deck.messages.say(text, isWhole ? 'good' : 'bad');
  if (isWhole) deck.screen.listViews.clearMarks('files');
}
