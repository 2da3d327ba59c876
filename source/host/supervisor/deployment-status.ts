import type { Deployment, DeploymentState } from '../../contract/deployments.ts';
import type { SdlWarning } from '../../contract/sdl/definition.ts';
import { blocksPerHour } from '../../contract/sdl/reading.ts';
import type { ListedDeployment } from '../deployment-record.ts';
import { type JsonDecimal, toJsonDecimal } from '../money/json-decimal.ts';
import { inState, type ServiceStatus, serviceStatus } from './service-status.ts';

/** A deployment as lists have it (contract, part 2). */
export interface DeploymentSummary extends Omit<Deployment, 'sdl' | 'pricePerHour'> {
  readonly state: DeploymentState;
  readonly services: readonly ServiceStatus[];
  /** Warnings of the SDL, and reasons why this host doesn't start the deployment. */
  readonly warnings: readonly SdlWarning[];
  readonly pricePerHour: JsonDecimal;
}

/** A deployment as all other responses have it. */
export interface DeploymentStatus extends DeploymentSummary {
  readonly sdl: string;
}

/** Returns a deployment as lists have it. */
export function summariseDeployment(
  record: ListedDeployment,
  state: DeploymentState,
  services: readonly ServiceStatus[],
  warnings = record.warnings,
): DeploymentSummary {
  return {
    id: record.id,
    name: record.name,
    state,
    createdAt: new Date(record.createdAt).toISOString(),
    restartedAt: optionalTime(record.restartedAt),
    closedAt: optionalTime(record.closedAt),
    owner: record.owner,
    pricePerHour: toJsonDecimal(record.price * blocksPerHour),
    services,
    warnings,
    rolledBack: rolledBackOf(record),
  };
}

/** Returns a closed deployment without instances as lists have it. */
export function summariseClosed(record: ListedDeployment): DeploymentSummary {
  const services = record.services.map((service) => serviceStatus(service, []));
  return summariseDeployment(record, 'closed', inState(services, 'closed'));
}

function rolledBackOf({ rollback, phase }: ListedDeployment): Deployment['rolledBack'] {
  if (rollback === undefined || phase === 'closed') return undefined;
  return { at: new Date(rollback.at).toISOString(), reason: rollback.reason };
}

function optionalTime(time: number | undefined): string | undefined {
  return time === undefined ? undefined : new Date(time).toISOString();
}
