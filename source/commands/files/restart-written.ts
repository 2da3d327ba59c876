/** Restarts deployments after their files were written. */
import type { Deployment } from '../../contract/deployments.ts';
import { deploymentLabel } from '../../store/deployments/deployments.ts';
import { requestProblem } from '../command-problem.ts';
import { reportWait } from '../deployments/wait-for-deployment.ts';
import { type ExitCode, exitCodes, worstExitCode } from '../exit-codes.ts';
import { nextCommand } from '../output/next-command.ts';
import type { ServiceCommandContext } from '../table/command-context.ts';
import type { RestartChoice } from './restart-flags.ts';

/**
 * Restarts each deployment once; with `--restart none` tells on stderr which command does. Returns the
 * exit code.
 */
export async function restartWritten(
  context: ServiceCommandContext,
  deployments: Iterable<Deployment>,
  choice: RestartChoice,
): Promise<ExitCode> {
  const exits: ExitCode[] = [];
  for (const deployment of new Map([...deployments].map((each) => [each.id, each])).values()) {
    exits.push(await restartOne(context, deployment, choice));
  }
  return worstExitCode(exits);
}

async function restartOne(
  context: ServiceCommandContext,
  deployment: Deployment,
  { restart, wait, timeout }: RestartChoice,
): Promise<ExitCode> {
  const { client, output, signal } = context;
  const { id } = deployment;
  const label = deploymentLabel(deployment);
  const line = restartLine(context, deployment);
  if (restart === 'none' || signal.aborted) {
    output.note(`Unapplied until ${label} restarts: ${line}`);
    return signal.aborted ? exitCodes.failed : exitCodes.done;
  }
  // The time of the last restart tells the new one apart.
  const before = wait ? await client.deployments.get(id, signal) : undefined;
  const answer = await client.deployments.restart(id);
  if (!answer.ok) {
    const problem = requestProblem(answer.error, nextCommand(context, `deployments get ${id}`));
    return output.fail({
      ...problem,
      sentence: `The files are written, but the restart of ${label} failed. ${problem.sentence}`,
      next: `Unapplied until it restarts: ${line}`,
    });
  }
  output.note(`${label} is restarting.`);
  if (!wait) return exitCodes.done;
  const known = before?.ok === true ? before.value.value : deployment;
  return reportWait(context, { id, label, before: known, timeout });
}

/** Returns the command that restarts a deployment; with its id where the name needs quotes. */
export function restartLine(context: ServiceCommandContext, { id, name = '' }: Deployment): string {
  const word = /^[\w.][\w.-]*$/.test(name) ? name : id;
  return nextCommand(context, `deployments restart ${word}`);
}
