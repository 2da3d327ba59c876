import { requestedValue } from '../command-problem.ts';
import type { ExitCode } from '../exit-codes.ts';
import type { ServiceCommandContext } from '../table/command-context.ts';
import { grantView } from './grant-view.ts';
import { readGrants } from './read-grants.ts';

/** Prints the grants that the service lists. */
export async function printGrants(context: ServiceCommandContext): Promise<ExitCode> {
  const { client, isTerminal, output } = context;
  const { listed, facts } = await readGrants(context);
  const grants = requestedValue(listed);
  if (grants.length === 0 && isTerminal) output.note(`No grants on ${client.host}.`);
  return output.list(grants, grantView(facts));
}
