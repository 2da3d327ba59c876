import { mkdtemp, writeFile as writeLocalFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describeLocalError } from '../../client/local-reason.ts';
import { ambiguousContent } from '../../store/files/trashing.ts';
import { writeFile } from '../../store/files/write.ts';
import { CommandFailure, type CommandProblem, failureProblem } from '../command-problem.ts';
import { type ExitCode, worstExitCode } from '../exit-codes.ts';
import { createDeploymentFinder } from '../names/find-deployment.ts';
import type { ServiceCommandContext } from '../table/command-context.ts';
import type { CommandWords } from '../table/command-spec.ts';
import { needsExactNames } from './ask-to-write.ts';
import { failedReport, type FileReport, fileReportView } from './file-report.ts';
import { fileProblem, type FileTarget, findFile, getFile } from './find-file.ts';
import { conflictProblem } from './path-state.ts';
import { assertRestartFlags, type RestartChoice } from './restart-flags.ts';
import { restartWritten } from './restart-written.ts';

/**
 * Opens a file of a service in the person's editor and saves it, unless somebody else has changed it
 * meanwhile. A text that was not saved is kept in a local file.
 */
export async function editServiceFile(
  context: ServiceCommandContext,
  { args: [text = ''], flags }: CommandWords<RestartChoice>,
): Promise<ExitCode> {
  const { client, output, signal, options, editText } = context;
  assertRestartFlags(flags);
  const finder = createDeploymentFinder(client, signal);
  const target = await findFile(text, finder, needsExactNames(context));
  const base = await readText(context, target);
  const answer = await editText(base.text, target.path);
  if (answer.kind === 'failed') throw new CommandFailure(failureProblem(answer.sentence));
  const report = (result: string, size?: number): Promise<ExitCode> =>
    output.list([{ target, result, size } satisfies FileReport], fileReportView);
  if (answer.kind === 'unchanged') return report('unchanged');
  const bytes = Buffer.from(answer.text);
  if (options.dryRun) return report('would be saved', bytes.length);
  const saved = await save(context, target, { base: base.bytes, bytes });
  if (saved.problem !== undefined) {
    const problem = await withKeptText(saved.problem, target, answer.text);
    const exit = output.fail(problem);
    const size = bytes.length;
    if (options.json) await output.list([failedReport(target, problem, { size })], fileReportView);
    return exit;
  }
  const printed = await report(saved.result, bytes.length);
  if (saved.result === 'unchanged') return printed;
  return worstExitCode([printed, await restartWritten(context, [target], flags)]);
}

/** Requests a file that can be edited. Rejects with a {@link CommandFailure} for any other. */
async function readText(context: ServiceCommandContext, target: FileTarget) {
  const { text, bytes, certainty } = await getFile(context, target);
  if (text !== undefined && certainty === 'certain') return { text, bytes };
  const reason = text === undefined ? 'It is not UTF-8 text.' : ambiguousContent;
  const next = `hostdeck files get ${target.label} saves it.`;
  const sentence = `${target.label} can't be edited. ${reason}`;
  throw new CommandFailure(failureProblem(sentence, next, 'not-text'));
}

interface Edited {
  /** Content that was opened in the editor. */
  readonly base: Uint8Array;
  readonly bytes: Uint8Array;
}

type SaveEnd =
  | { readonly result: 'saved' | 'unchanged'; readonly problem?: undefined }
  | { readonly problem: CommandProblem };

/** Saves where the service still has the content that was opened. */
async function save(
  context: ServiceCommandContext,
  target: FileTarget,
  { base, bytes }: Edited,
): Promise<SaveEnd> {
  const { client, signal } = context;
  const { place, path: remote } = target;
  const { id } = place.deployment;
  const now = await client.files.get(id, place.service, remote, signal);
  if (!now.ok && now.error.code !== 'not-found') {
    return { problem: fileProblem(context, target, now.error) };
  }
  const theirs = now.ok ? now.value.bytes : undefined;
  if (theirs !== undefined && Buffer.compare(theirs, bytes) === 0) return { result: 'unchanged' };
  if (theirs === undefined || Buffer.compare(theirs, base) !== 0) {
    const change = theirs === undefined ? 'was deleted' : 'changed on the service';
    return { problem: conflictProblem(`${target.label} ${change} meanwhile.`, '') };
  }
  const place_ = { deploymentId: id, service: place.service, path: remote };
  const sent = await writeFile(client.files, place_, bytes);
  return sent.ok ? { result: 'saved' } : { problem: fileProblem(context, target, sent.error) };
}

/** Keeps a text that was not saved, and adds the path of its file to the problem. */
async function withKeptText(
  problem: CommandProblem,
  target: FileTarget,
  text: string,
): Promise<CommandProblem> {
  const name = target.path.slice(target.path.lastIndexOf('/') + 1).replaceAll(/[^\w.+-]/g, '_');
  let kept: string;
  try {
    const file = path.join(await mkdtemp(path.join(tmpdir(), 'hostdeck-')), name.slice(-100));
    await writeLocalFile(file, text, { mode: 0o600, flag: 'wx' });
    kept = `Your text is in ${file}; hostdeck files diff FILE ${target.label} compares it.`;
  } catch (error) {
    kept = `Your text can't be kept: ${describeLocalError(error)}.`;
  }
  // A signal silences requests that it ended, but not the place of the text.
  const code = problem.code === 'aborted' ? 'interrupted' : problem.code;
  return { ...problem, code, next: [problem.next, kept].filter((part) => part !== '').join(' ') };
}
