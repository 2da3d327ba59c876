import { notFoundProblem, usageProblem, type CommandProblem } from '../command-problem.ts';
import { type ExitCode, exitCodes, worstExitCode } from '../exit-codes.ts';
import { createDeploymentFinder } from '../names/find-deployment.ts';
import type { ServiceCommandContext } from '../table/command-context.ts';
import type { CommandWords } from '../table/command-spec.ts';
import { askToWrite, needsExactNames } from './ask-to-write.ts';
import { failedReport, type FileReport, fileReportView } from './file-report.ts';
import { fileProblem, type FileTarget, findFile, listPlace, placeProblem } from './find-file.ts';
import { isListedFolder, pathState } from './path-state.ts';
import { type RestartChoice, restartFlagProblem } from './restart-flags.ts';
import { restartWritten } from './restart-written.ts';

/** Deletes files of services after a question, and restarts each deployment once. */
export async function removeFiles(
  context: ServiceCommandContext,
  { args, flags }: CommandWords<RestartChoice>,
): Promise<ExitCode> {
  const { output, options } = context;
  const wrong = restartFlagProblem(flags);
  if (wrong !== undefined) return output.fail(wrong);
  const found = await findFiles(context, args);
  if (!found.ok) return found.exit;
  const { targets } = found;
  if (options.dryRun) {
    const reports = targets.map((target) => ({ target, result: 'would be deleted' }));
    return output.list(reports, fileReportView);
  }
  const [first] = targets;
  const labels = targets.map(({ label }) => label);
  const refusal = await askToWrite(context, {
    places: targets.map(({ place }) => place),
    lost: labels,
    question: `Delete ${labels.length === 1 ? first?.label : `${labels.length} files`}?`,
  });
  if (refusal !== undefined) return output.fail(refusal);
  const reports: FileReport[] = [];
  const exits: ExitCode[] = [];
  for (const target of targets) {
    const report = await removeFile(context, target);
    reports.push(report);
    if (report.problem !== undefined) exits.push(output.fail(report.problem));
  }
  exits.push(await output.list(reports, fileReportView));
  const written = reports.filter(({ result }) => result === 'deleted');
  const files = written.map(({ target }) => target);
  exits.push(await restartWritten(context, files, flags));
  return worstExitCode(exits);
}

async function removeFile(context: ServiceCommandContext, target: FileTarget): Promise<FileReport> {
  const { client, signal } = context;
  if (signal.aborted) return { target, result: 'not sent' };
  const { place, path } = target;
  const answer = await client.files.delete(place.deployment.id, place.service, path);
  return answer.ok
    ? { target, result: 'deleted' }
    : failedReport(target, fileProblem(context, target, answer.error));
}

/** The files to delete, each once; or the exit code where a name is wrong, so that nothing is sent. */
type FoundFiles =
  | { readonly ok: true; readonly targets: readonly FileTarget[] }
  | { readonly ok: false; readonly exit: ExitCode };

async function findFiles(
  context: ServiceCommandContext,
  texts: readonly string[],
): Promise<FoundFiles> {
  const { client, output, signal } = context;
  const finder = createDeploymentFinder(client, signal);
  const needsExact = needsExactNames(context);
  const lists = new Map<string, ReturnType<typeof listPlace>>();
  const targets = new Map<string, FileTarget>();
  const exits: ExitCode[] = [];
  for (const text of texts) {
    const found = await findFile(text, finder, needsExact);
    if (!found.ok) {
      exits.push(output.fail(found.problem));
      continue;
    }
    const { target } = found;
    const { place, path } = target;
    const key = JSON.stringify([place.deployment.id, place.service]);
    const list = lists.get(key) ?? listPlace(client.files, place, signal);
    lists.set(key, list);
    const listed = await list;
    const problem = listed.ok
      ? await wrongFile(context, target, listed.value)
      : placeProblem(context, place, listed);
    if (problem === undefined) targets.set(JSON.stringify([key, path]), target);
    else exits.push(output.fail(problem));
  }
  if (signal.aborted) exits.push(exitCodes.failed);
  return exits.length > 0
    ? { ok: false, exit: worstExitCode(exits) }
    : { ok: true, targets: [...targets.values()] };
}

/** Returns why a path can't be deleted; one that the list omits is requested. */
async function wrongFile(
  context: ServiceCommandContext,
  target: FileTarget,
  listed: Parameters<typeof pathState>[2],
): Promise<CommandProblem | undefined> {
  const { place, path, label } = target;
  if (isListedFolder(listed, path)) {
    return usageProblem(
      `${label} is a folder; files are deleted one by one. Nothing was sent.`,
      `hostdeck files list ${place.label} ${path} -q shows its files.`,
    );
  }
  const state = await pathState(context, target, listed);
  if (state.kind === 'blocked') return state.problem;
  if (state.kind === 'file') return undefined;
  return notFoundProblem(
    `${label}: not found. Nothing was sent.`,
    `hostdeck files list ${place.label} shows the files.`,
  );
}
