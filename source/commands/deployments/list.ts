import type { ExitCode } from '../exit-codes.ts';
import { requestedValue } from '../command-problem.ts';
import type { ServiceCommandContext } from '../table/command-context.ts';
import { deploymentView } from './deployment-view.ts';

/** Prints the deployments that the service lists. */
export async function printDeployments(context: ServiceCommandContext): Promise<ExitCode> {
  const { client, output, signal, isTerminal } = context;
  const listed = await client.deployments.list(signal);
  const rows = requestedValue(listed);
  const { total = 0 } = listed;
  if (rows.length === 0 && isTerminal) output.note(`No deployments on ${client.host}.`);
  if (total > rows.length) output.note(`${rows.length} of ${total} deployments are listed.`);
  return output.list(rows, deploymentView);
}
