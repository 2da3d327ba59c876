import { type CommandProblem, usageProblem } from '../command-problem.ts';
import { type ExitCode, worstExitCode } from '../exit-codes.ts';
import { createDeploymentFinder } from '../names/find-deployment.ts';
import type { ServiceCommandContext } from '../table/command-context.ts';
import type { CommandWords } from '../table/command-spec.ts';
import { askToWrite, needsExactNames } from './ask-to-write.ts';
import { failedReport, type FileReport, fileReportView } from './file-report.ts';
import {
  fileIn,
  fileProblem,
  type FileTarget,
  findFile,
  listPlace,
  pathProblem,
  placeProblem,
} from './find-file.ts';
import { conflictProblem, isListedFolder, pathState } from './path-state.ts';
import { type RestartChoice, restartFlagProblem } from './restart-flags.ts';
import { restartWritten } from './restart-written.ts';

/** Renames a file of a service. A file at the new path is a conflict, and nothing is sent. */
export async function renameServiceFile(
  context: ServiceCommandContext,
  { args: [text = '', wanted = ''], flags }: CommandWords<RestartChoice>,
): Promise<ExitCode> {
  const { client, output, signal, options } = context;
  const wrong = restartFlagProblem(flags);
  if (wrong !== undefined) return output.fail(wrong);
  const finder = createDeploymentFinder(client, signal);
  const found = await findFile(text, finder, needsExactNames(context));
  if (!found.ok) return output.fail(found.problem);
  const { target: old } = found;
  const { place, path: from } = old;
  const prefix = text.slice(0, text.length - from.length);
  if (wanted.startsWith(prefix)) {
    const next = `Give its path alone: ${wanted.slice(prefix.length)}`;
    return output.fail(usageProblem('NEW is a path in the same service.', next));
  }
  const listed = await listPlace(client.files, place, signal);
  if (!listed.ok) return output.fail(placeProblem(context, place, listed));
  if (isListedFolder(listed.value, from)) {
    const next = `hostdeck files list ${place.label} ${from} -q shows its files.`;
    return output.fail(usageProblem(`${old.label} is a folder; files move one by one.`, next));
  }
  const folder = wanted.replace(/\/$/, '');
  const isFolder = folder !== wanted || isListedFolder(listed.value, folder);
  const name = from.slice(from.lastIndexOf('/') + 1);
  const path = !isFolder ? wanted : folder === '' ? name : `${folder}/${name}`;
  const target = fileIn(place, path);
  const problem = pathProblem(path) ?? (await targetProblem(context, old, target, listed.value));
  if (problem !== undefined) return output.fail(problem);
  const refusal = await askToWrite(context, {
    places: [place],
    lost: [],
    question: `Rename ${from} to ${path}?`,
  });
  if (refusal !== undefined) return output.fail(refusal);
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

/** Returns why the new path can't be taken. */
async function targetProblem(
  context: ServiceCommandContext,
  old: FileTarget,
  target: FileTarget,
  listed: Parameters<typeof pathState>[2],
): Promise<CommandProblem | undefined> {
  if (old.path === target.path) return usageProblem(`${target.path} is its path already.`);
  const state = await pathState(context, target, listed);
  if (state.kind === 'blocked') return state.problem;
  return state.kind === 'free'
    ? undefined
    : conflictProblem(
        `${target.label} already exists. Nothing was sent.`,
        'Choose another path, or remove it with hostdeck files rm.',
      );
}
