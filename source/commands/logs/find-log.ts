/** Finds the deployment whose log is printed. */
import type { Deployment } from '../../contract/deployments.ts';
import { CommandFailure, failureOr } from '../command-problem.ts';
import { type DeploymentFinder, isWholeId } from '../names/find-deployment.ts';

/** A log that can be requested. */
export interface FoundLog {
  readonly id: string;
  /** Undefined where the service answers no question about the deployment. */
  readonly deployment: Deployment | undefined;
}

/**
 * Finds a log by the name or id of its deployment. A full id is enough where the service refuses to
 * tell its deployments, or tells them in a form that can't be read.
 */
export async function findLog(finder: DeploymentFinder, name: string): Promise<FoundLog> {
  const found = await failureOr(finder.find(name));
  if (!(found instanceof CommandFailure)) {
    return { id: found.deployment.id, deployment: found.deployment };
  }
  if (found.problem.status === undefined || !isWholeId(name)) throw found;
  return { id: name, deployment: undefined };
}
