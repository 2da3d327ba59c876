import { allOrFailure, CommandFailure, notFoundProblem, usageProblem } from '../command-problem.ts';
import { type ExitCode, exitCodes, worstExitCode } from '../exit-codes.ts';
import { createDeploymentFinder } from '../names/find-deployment.ts';
import type { ServiceCommandContext } from '../table/command-context.ts';
import type { CommandWords } from '../table/command-spec.ts';
import { askToWrite, needsExactNames } from './ask-to-write.ts';
import { failedReport, type FileReport, fileReportView } from './file-report.ts';
import { fileProblem, type FileTarget, findFile, listPlace } from './find-file.ts';
import { isListedFolder, pathState } from './path-state.ts';
import { assertRestartFlags, type RestartChoice } from './restart-flags.ts';
import { restartWritten } from './restart-written.ts';

/** Deletes files of services after a question, and restarts each deployment once. */
export async function removeFiles(
  context: ServiceCommandContext,
  { args, flags }: CommandWords<RestartChoice>,
): Promise<ExitCode> {
  const { output, options, signal } = context;
  assertRestartFlags(flags);
  const targets = await findFiles(context, args);
  if (signal.aborted) return exitCodes.failed;
  if (options.dryRun) {
    const reports = targets.map((target) => ({ target, result: 'would be deleted' }));
    return output.list(reports, fileReportView);
  }
  const [first] = targets;
  const labels = targets.map(({ label }) => label);
  await askToWrite(context, {
    places: targets.map(({ place }) => place),
    lost: labels,
    question: `Delete ${labels.length === 1 ? first?.label : `${labels.length} files`}?`,
  });
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

/** Finds the files to delete, each once. Rejects with the problems of all names that are wrong. */
async function findFiles(
  context: ServiceCommandContext,
  texts: readonly string[],
): Promise<readonly FileTarget[]> {
  const finder = createDeploymentFinder(context.client, context.signal);
  const needsExact = needsExactNames(context);
  const lists = new Map<string, ReturnType<typeof listPlace>>();
  const targets = await allOrFailure(texts, async (text) => {
    const target = await findFile(text, finder, needsExact);
    const { place } = target;
    const key = keyOf(target, '');
    const list = lists.get(key) ?? listPlace(context, place);
    lists.set(key, list);
    await assertDeletable(context, target, await list);
    return target;
  });
  return [...new Map(targets.map((target) => [keyOf(target, target.path), target])).values()];
}

function keyOf({ place: { deployment, service } }: FileTarget, path: string): string {
  return JSON.stringify([deployment.id, service, path]);
}

/** Rejects with a {@link CommandFailure} where a path can't be deleted; one that the list omits is requested. */
async function assertDeletable(
  context: ServiceCommandContext,
  target: FileTarget,
  listed: Parameters<typeof pathState>[2],
): Promise<void> {
  const { place, path, label } = target;
  if (isListedFolder(listed, path)) {
    throw new CommandFailure(
      usageProblem(
        `${label} is a folder; files are deleted one by one. Nothing was sent.`,
        `hostdeck files list ${place.label} ${path} -q shows its files.`,
      ),
    );
  }
  if ((await pathState(context, target, listed)) === 'file') return;
  const next = `hostdeck files list ${place.label} shows the files.`;
  throw new CommandFailure(notFoundProblem(`${label}: not found. Nothing was sent.`, next));
}
