import { deploymentLabel } from '../../store/deployments/deployments.ts';
import type { ExitCode } from '../exit-codes.ts';
import { createDeploymentFinder } from '../names/find-deployment.ts';
import type { ServiceCommandContext } from '../table/command-context.ts';
import type { CommandWords } from '../table/command-spec.ts';
import type { WaitedState } from './deployment-goal.ts';
import { reportWait } from './wait-for-deployment.ts';

interface WaitFlags {
  readonly for: WaitedState | undefined;
  readonly timeout: number | undefined;
}

/** Waits until a deployment is active, or has failed. */
export async function waitCommand(
  context: ServiceCommandContext,
  { args: [name = ''], flags }: CommandWords<WaitFlags>,
): Promise<ExitCode> {
  const { client, signal } = context;
  const { deployment } = await createDeploymentFinder(client, signal).find(name);
  const label = deploymentLabel(deployment);
  return reportWait(context, {
    id: deployment.id,
    label,
    wanted: flags.for,
    timeout: flags.timeout,
  });
}
