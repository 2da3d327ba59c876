import type { ExitCode } from '../exit-codes.ts';
import { requestedValue } from '../command-problem.ts';
import { createDeploymentFinder } from '../names/find-deployment.ts';
import type { ServiceCommandContext } from '../table/command-context.ts';
import type { CommandWords } from '../table/command-spec.ts';
import { deploymentView } from './deployment-view.ts';

/** Prints one deployment with all that the service tells about it. */
export async function printDeployment(
  { client, output, signal }: ServiceCommandContext,
  { args: [name = ''] }: CommandWords,
): Promise<ExitCode> {
  const { deployment } = await createDeploymentFinder(client, signal).find(name);
  const read = requestedValue(await client.deployments.get(deployment.id, signal));
  return output.record(read, deploymentView);
}
