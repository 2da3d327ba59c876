/** Restarts deployments after their files were written. */
import type { Deployment } from '../../contract/deployments.ts';
import { deploymentLabel } from '../../store/deployments/deployments.ts';
import { type CommandProblem, failureProblem, requestProblem } from '../command-problem.ts';
import { proveRestart } from '../deployments/prove-restart.ts';
import { reportWait } from '../deployments/wait-for-deployment.ts';
import { type ExitCode, exitCodes, worstExitCode } from '../exit-codes.ts';
import { nextCommand } from '../output/next-command.ts';
import type { ChangedFile } from '../../store/restarts/journal.ts';
import type { ServiceCommandContext } from '../table/command-context.ts';
import type { RestartChoice } from './restart-flags.ts';
import { createRestartRecord, type RestartRecord, type UnappliedFile } from './restart-record.ts';

/** The choice of a command that has written files. */
export interface WrittenChoice extends RestartChoice {
  /** Time before the first write, ms since the epoch; by default that of the restart. */
  readonly beganAt?: number | undefined;
}

/**
 * Restarts each deployment of these files once; with `--restart none` tells on stderr which command
 * does. A restart that is not sent, or that fails, stays in the restart journal. Returns the exit code.
 */
export async function restartWritten(
  context: ServiceCommandContext,
  files: readonly UnappliedFile[],
  choice: WrittenChoice,
  record: RestartRecord = createRestartRecord(context),
): Promise<ExitCode> {
  if (choice.restart !== 'none') await record.written(files);
  const deployments = new Map(
    files.map(({ place: { deployment } }) => [deployment.id, deployment]),
  );
  const exits: ExitCode[] = [];
  for (const deployment of deployments.values()) {
    const changed = files
      .filter(({ place }) => place.deployment.id === deployment.id)
      .map(({ place: { service }, path }) => ({ service, path }));
    exits.push(await restartOne(context, deployment, changed, choice, record));
  }
  return worstExitCode(exits);
}

async function restartOne(
  context: ServiceCommandContext,
  deployment: Deployment,
  files: readonly ChangedFile[],
  { restart, wait, prove, timeout, ...choice }: WrittenChoice,
  record: RestartRecord,
): Promise<ExitCode> {
  const { client, output, signal } = context;
  const { beganAt, 'auto-restore': autoRestore = false } = choice;
  const { id } = deployment;
  const label = deploymentLabel(deployment);
  if (restart === 'none') {
    noteUnapplied(context, deployment);
    return signal.aborted ? exitCodes.failed : exitCodes.done;
  }
  if (signal.aborted) return output.fail(notRestartedProblem(context, deployment));
  // The time of the last restart tells the new one apart.
  const before = wait || prove ? await client.deployments.get(id, signal) : undefined;
  const requestedAt = context.clock.now();
  const answer = await client.deployments.restart(id);
  if (!answer.ok) {
    await record.failed(deployment);
    const problem = requestProblem(answer.error, nextCommand(context, `deployments get ${id}`));
    return output.fail({
      ...problem,
      sentence: `The files are written, but the restart of ${label} failed. ${problem.sentence}`,
      next: `Unapplied until it restarts: ${restartLine(context, deployment)}`,
    });
  }
  await record.restarted(deployment);
  output.note(`${label} is restarting.`);
  if (!wait && !prove) return exitCodes.done;
  const known = before?.ok === true ? before.value.value : deployment;
  if (prove) {
    // The copies of the trash were made before the files were written.
    const changedFrom = beganAt ?? requestedAt;
    const restart = { before: known, label, requestedAt, files, changedFrom };
    return proveRestart(context, { ...restart, autoRestore });
  }
  return reportWait(context, { id, label, before: known, timeout });
}

/** Tells which command applies what was written, where no restart was wanted. */
export function noteUnapplied(context: ServiceCommandContext, deployment: Deployment): void {
  const label = deploymentLabel(deployment);
  context.output.note(`Unapplied until ${label} restarts: ${restartLine(context, deployment)}`);
}

/** Returns the problem of a restart that a signal kept from being sent. */
export function notRestartedProblem(
  context: ServiceCommandContext,
  deployment: Deployment,
): CommandProblem {
  const next = `Unapplied until it restarts: ${restartLine(context, deployment)}`;
  return failureProblem(`${deploymentLabel(deployment)} was not restarted.`, next, 'unapplied');
}

/** Returns the command that restarts a deployment; with its id where the name needs quotes. */
export function restartLine(context: ServiceCommandContext, { id, name = '' }: Deployment): string {
  const word = /^[\w.][\w.-]*$/.test(name) ? name : id;
  return nextCommand(context, `deployments restart ${word}`);
}
