/** Finds the deployment whose log is printed. */
import type { Deployment } from '../../contract/deployments.ts';
import type { CommandProblem } from '../command-problem.ts';
import { type DeploymentFinder, isWholeId } from '../names/find-deployment.ts';

/** A log that can be requested, or why not. */
export type FoundLog =
  | {
      readonly ok: true;
      readonly id: string;
      /** Undefined where the service answers no question about the deployment. */
      readonly deployment: Deployment | undefined;
    }
  | { readonly ok: false; readonly problem: CommandProblem };

/**
 * Finds a log by the name or id of its deployment. A full id is enough where the service refuses to
 * tell its deployments, or tells them in a form that can't be read.
 */
export async function findLog(finder: DeploymentFinder, name: string): Promise<FoundLog> {
  const found = await finder.find(name);
  if (found.ok) return { ok: true, id: found.deployment.id, deployment: found.deployment };
  const isAnswered = found.problem.status !== undefined;
  return isAnswered && isWholeId(name) ? { ok: true, id: name, deployment: undefined } : found;
}
