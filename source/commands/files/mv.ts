import { CommandFailure, usageProblem } from '../command-problem.ts';
import { type ExitCode, worstExitCode } from '../exit-codes.ts';
import { createDeploymentFinder } from '../names/find-deployment.ts';
import type { ServiceCommandContext } from '../table/command-context.ts';
import type { CommandWords } from '../table/command-spec.ts';
import { askToWrite, needsExactNames } from './ask-to-write.ts';
import { failedReport, type FileReport, fileReportView } from './file-report.ts';
import {
  assertPath,
  fileIn,
  fileProblem,
  type FileTarget,
  findFile,
  listPlace,
} from './find-file.ts';
import { conflictProblem, isListedFolder, pathState } from './path-state.ts';
import { assertRestartFlags, type RestartChoice } from './restart-flags.ts';
import { restartWritten } from './restart-written.ts';

/** Renames a file of a service. A file at the new path is a conflict, and nothing is sent. */
export async function renameServiceFile(
  context: ServiceCommandContext,
  { args: [text = '', wanted = ''], flags }: CommandWords<RestartChoice>,
): Promise<ExitCode> {
  const { client, output, signal, options } = context;
  assertRestartFlags(flags);
  const finder = createDeploymentFinder(client, signal);
  const old = await findFile(text, finder, needsExactNames(context));
  const { place, path: from } = old;
  const prefix = text.slice(0, text.length - from.length);
  if (wanted.startsWith(prefix)) {
    const next = `Give its path alone: ${wanted.slice(prefix.length)}`;
    throw new CommandFailure(usageProblem('NEW is a path in the same service.', next));
  }
  const listed = await listPlace(context, place);
  if (isListedFolder(listed, from)) {
    const next = `hostdeck files list ${place.label} ${from} -q shows its files.`;
    const sentence = `${old.label} is a folder; files move one by one.`;
    throw new CommandFailure(usageProblem(sentence, next));
  }
  const folder = wanted.replace(/\/$/, '');
  const isFolder = folder !== wanted || isListedFolder(listed, folder);
  const name = from.slice(from.lastIndexOf('/') + 1);
  const path = !isFolder ? wanted : folder === '' ? name : `${folder}/${name}`;
  const target = fileIn(place, path);
  assertPath(path);
  await assertFree(context, old, target, listed);
  const question = `Rename ${from} to ${path}?`;
  await askToWrite(context, { places: [place], lost: [], question });
  if (options.dryRun) {
    const report: FileReport = { target, from, result: 'would be renamed' };
    return output.list([report], fileReportView);
  }
  const answer = await client.files.rename(place.deployment.id, place.service, from, path);
  if (answer.ok) {
    const printed = await output.list([{ target, from, result: 'renamed' }], fileReportView);
    return worstExitCode([printed, await restartWritten(context, [target], flags)]);
  }
  const failure = fileProblem(context, old, answer.error);
  const exit = output.fail(failure);
  if (options.json) await output.list([failedReport(target, failure, { from })], fileReportView);
  return exit;
}

/** Rejects with a {@link CommandFailure} where the new path can't be taken. */
async function assertFree(
  context: ServiceCommandContext,
  old: FileTarget,
  target: FileTarget,
  listed: Parameters<typeof pathState>[2],
): Promise<void> {
  if (old.path === target.path) {
    throw new CommandFailure(usageProblem(`${target.path} is its path already.`));
  }
  if ((await pathState(context, target, listed)) === 'free') return;
  const next = 'Choose another path, or remove it with hostdeck files rm.';
  const sentence = `${target.label} already exists. Nothing was sent.`;
  throw new CommandFailure(conflictProblem(sentence, next));
}
