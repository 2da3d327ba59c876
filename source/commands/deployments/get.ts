import type { ExitCode } from '../exit-codes.ts';
import { requestProblem } from '../command-problem.ts';
import { createDeploymentFinder } from '../names/find-deployment.ts';
import type { ServiceCommandContext } from '../table/command-context.ts';
import type { CommandWords } from '../table/command-spec.ts';
import { deploymentView } from './deployment-view.ts';

/** Prints one deployment with all that the service tells about it. */
export async function printDeployment(
  { client, output, signal }: ServiceCommandContext,
  { args: [name = ''] }: CommandWords,
): Promise<ExitCode> {
  const found = await createDeploymentFinder(client, signal).find(name);
  if (!found.ok) return output.fail(found.problem);
  const got = await client.deployments.get(found.deployment.id, signal);
  if (!got.ok) return output.fail(requestProblem(got.error));
  return output.record(got.value, deploymentView);
}
