import type { Deployment } from '../../contract/deployments.ts';
import { type ExitCode, exitCodes, worstExitCode } from '../exit-codes.ts';
import { createRestartRecord } from '../files/restart-record.ts';
import type { ServiceCommandContext } from '../table/command-context.ts';
import type { CommandWords } from '../table/command-spec.ts';
import { type ActionTarget, actOnTargets, findTargets } from './targets.ts';
import { reportWait } from './wait-for-deployment.ts';

interface RestartFlags {
  readonly wait: boolean;
  readonly timeout: number | undefined;
}

/** Restarts deployments; asks only where a name was not typed whole. */
export async function restartDeployments(
  context: ServiceCommandContext,
  { args, flags }: CommandWords<RestartFlags>,
): Promise<ExitCode> {
  const { client, confirm, options, output, signal } = context;
  const found = await findTargets(context, args);
  if (!found.ok) return found.exit;
  const { targets } = found;
  if (!options.dryRun && targets.some(({ isExact }) => !isExact)) {
    const problem = await confirm.ask({
      facts: targets.map(({ label, deployment }) => `${label}: id ${deployment.id}`),
      question: `Restart ${targets.map(({ label }) => label).join(', ')} on ${client.host}?`,
    });
    if (problem !== undefined) return output.fail(problem);
  }
  const words = {
    done: 'restarted',
    sentence: (label: string) => `${label} is restarting.`,
    wouldDo: ({ label, deployment }: ActionTarget) => `Would restart ${label} (${deployment.id}).`,
  };
  const record = createRestartRecord(context);
  const restarted: { readonly target: ActionTarget; readonly before: Deployment }[] = [];
  const exit = await actOnTargets(context, targets, words, async (target) => {
    // The list may be older than another restart.
    const before = flags.wait
      ? await client.deployments.get(target.deployment.id, signal)
      : undefined;
    const answer = await client.deployments.restart(target.deployment.id);
    const known = before?.ok === true ? before.value.value : target.deployment;
    if (answer.ok) {
      restarted.push({ target, before: known });
      await record.restarted(target.deployment);
    }
    return answer;
  });
  if (!flags.wait || signal.aborted) return exit;
  const exits: ExitCode[] = [exit];
  for (const { target, before } of restarted) {
    const { deployment, label } = target;
    exits.push(
      await reportWait(context, { id: deployment.id, label, before, timeout: flags.timeout }),
    );
    if (signal.aborted) return exitCodes.failed;
  }
  return worstExitCode(exits);
}
