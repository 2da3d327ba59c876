/** Finds the deployment that the console opens first, named on the command line. */
import type { Client } from '../client/client.ts';
import { CommandFailure, failureOr } from '../commands/command-problem.ts';
import type { ExitCode } from '../commands/exit-codes.ts';
import { createDeploymentFinder } from '../commands/names/find-deployment.ts';
import { problemLines } from '../commands/output/problem-text.ts';

export type OpenedDeployment =
  | { readonly ok: true; readonly id: string }
  | { readonly ok: false; readonly lines: readonly string[]; readonly exit: ExitCode };

/** Resolves with the id of a named deployment, or with the lines that tell why there is none. */
export async function findOpenedDeployment(
  client: Client,
  name: string,
): Promise<OpenedDeployment> {
  const finder = createDeploymentFinder(client, new AbortController().signal);
  const found = await failureOr(finder.find(name));
  if (!(found instanceof CommandFailure)) return { ok: true, id: found.deployment.id };
  return { ok: false, lines: problemLines(found.problem), exit: found.problem.exit };
}
