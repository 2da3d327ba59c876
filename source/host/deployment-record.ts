/** The records of deployments as the storage has them. */
import type { Atoms } from '../contract/decimal.ts';
import type { SdlWarning, ServiceDefinition } from '../contract/sdl/definition.ts';
import type { Carry } from './money/ledger.ts';
import { parseStoredAmount } from './money/wallets.ts';

/** The intended state of a deployment; the supervisor reports the actual one. */
export type DeploymentPhase = 'running' | 'suspended' | 'closed';

/** A deployment without its definition, as lists have it. */
export interface ListedDeployment {
  /** Sequence number on this host; the short key of the deployment's log lines. */
  readonly number: number;
  /** A UUID, a hyphen and the number (contract, part 2). */
  readonly id: string;
  readonly name: string;
  readonly owner: string;
  readonly services: readonly Pick<ServiceDefinition, 'name' | 'count'>[];
  /** Mistakes in the SDL that do not prevent a start, and parts without effect here. */
  readonly warnings: readonly SdlWarning[];
  readonly phase: DeploymentPhase;
  /** Price of all instances for a block of 6 s. */
  readonly price: Atoms;
  readonly createdAt: number;
  readonly restartedAt: number | undefined;
  readonly closedAt: number | undefined;
  /** Set after a restart that was undone, until the next one. */
  readonly rollback: Rollback | undefined;
}

/** A restart that was undone because its version failed. */
export interface Rollback {
  /** The generation that failed. */
  readonly generation: number;
  /** Wall-clock time in ms since the epoch. */
  readonly at: number;
  /** A few words. */
  readonly reason: string;
}

export interface DeploymentRecord extends ListedDeployment {
  /** Services as parsed from the SDL at creation. */
  readonly services: readonly ServiceDefinition[];
  /** Number of the copy of the files that is to run; each restart through the API has a new one. */
  readonly generation: number;
  /** The generation that last ran on a cluster, to which a restart that fails goes back; undefined for none. */
  readonly appliedGeneration: number | undefined;
  /** Time at which the removal of the files and logs began; their absence is final. */
  readonly removedAt: number | undefined;
}

/** The usage and payments of a deployment. */
export interface DeploymentAccount {
  readonly carry: Carry;
  /** Usage that nobody could pay; the deployment is suspended because of it. */
  readonly owed: Atoms;
  /** Total paid since creation. */
  readonly paid: Atoms;
}

type Row = Readonly<Record<string, unknown>>;

/** Reads a row of `deployments`. */
export function toListedDeployment(row: Row): ListedDeployment {
  const phase = row['phase'];
  return {
    number: Number(row['number']),
    id: String(row['id']),
    name: String(row['name']),
    owner: String(row['owner']),
    services: JSON.parse(String(row['counts'])) as ListedDeployment['services'],
    warnings: JSON.parse(String(row['warnings'])) as readonly SdlWarning[],
    phase: phase === 'closed' || phase === 'suspended' ? phase : 'running',
    price: parseStoredAmount(row['price']),
    createdAt: Number(row['created_at']),
    restartedAt: optionalNumber(row['restarted_at']),
    closedAt: optionalNumber(row['closed_at']),
    rollback: storedRollback(row['rollback']),
  };
}

/**
 * Reads a row of `deployments` that is joined with the `services` of its definition, or an archived
 * one, which has none.
 */
export function toDeploymentRecord(row: Row): DeploymentRecord {
  const listed = toListedDeployment(row);
  const { services } = row;
  return {
    ...listed,
    services:
      typeof services === 'string' ? storedServices(services) : listed.services.map(bareService),
    generation: Number(row['generation']),
    appliedGeneration: optionalNumber(row['applied_generation']),
    removedAt: optionalNumber(row['removal_began_at']),
  };
}

function bareService({ name, count }: ListedDeployment['services'][number]): ServiceDefinition {
  const position = { line: 1, column: 1 };
  return { name, count, command: [], args: [], env: {}, expose: [], dependsOn: [], position };
}

/** Parses stored services; services stored before `dependsOn` existed depend on nothing. */
function storedServices(text: string): readonly ServiceDefinition[] {
  const services = JSON.parse(text) as readonly (Omit<ServiceDefinition, 'dependsOn'> &
    Partial<ServiceDefinition>)[];
  return services.map((service) => Object.assign(service, { dependsOn: service.dependsOn ?? [] }));
}

/** Lists of closed deployments and archived ones have none. */
function storedRollback(value: unknown): Rollback | undefined {
  return typeof value === 'string' ? (JSON.parse(value) as Rollback) : undefined;
}

function optionalNumber(value: unknown): number | undefined {
  return value === null || value === undefined ? undefined : Number(value);
}
