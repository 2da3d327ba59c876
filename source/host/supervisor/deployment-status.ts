import type { Deployment, DeploymentState } from '../../contract/deployments.ts';
import type { SdlWarning } from '../../contract/sdl/definition.ts';
import type { DeploymentRecord } from '../deployments.ts';
import type { ServiceStatus, DeploymentRunner } from './deployment-runner.ts';

/** A deployment as the host returns it. */
export interface DeploymentStatus extends Deployment {
  readonly state: DeploymentState;
  readonly services: readonly ServiceStatus[];
  /** Warnings of the SDL, and reasons why this host doesn't start the deployment. */
  readonly warnings: readonly SdlWarning[];
}

/** Returns a deployment as the host returns it (contract, part 2). */
export function buildDeploymentStatus(
  record: DeploymentRecord,
  supervised: Pick<DeploymentRunner, 'state' | 'services'>,
  warnings: readonly SdlWarning[],
): DeploymentStatus {
  const state = record.phase === 'running' ? supervised.state() : record.phase;
  return {
    id: record.id,
    name: record.name,
    state,
    createdAt: new Date(record.createdAt).toISOString(),
    restartedAt: optionalTime(record.restartedAt),
    closedAt: optionalTime(record.closedAt),
    owner: record.owner,
    sdl: record.sdl,
    services: supervised.services(record.phase === 'running' ? undefined : record.phase),
    warnings,
  };
}

function optionalTime(time: number | undefined): string | undefined {
  return time === undefined ? undefined : new Date(time).toISOString();
}
