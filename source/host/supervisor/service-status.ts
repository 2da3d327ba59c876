import type { DeploymentState, Service } from '../../contract/deployments.ts';
import type { ServiceDefinition } from '../../contract/sdl/definition.ts';

/** An instance of a service, as its keeper sees it. */
export interface InstanceStatus {
  readonly state: DeploymentState;
  /** Wall-clock time of its last start in ms since the epoch. */
  readonly startedAt: number | undefined;
  readonly restarts: number;
  /** Exit code of its last run that ended; null before, and after a signal. */
  readonly exitCode: number | null;
  /** The port that reaches it, when it exposes one. */
  readonly port: number | undefined;
  /** Reason why it was ended and starts no more. */
  readonly failure: string | undefined;
}

/** A service as the host returns it: the contract's fields and additional state. */
export interface ServiceStatus extends Service {
  readonly state: DeploymentState;
  /** Number of instances in the definition. */
  readonly instances: number;
  /** Number of running instances. */
  readonly running: number;
  /** Ports assigned to the running instances. */
  readonly ports: readonly number[];
  /** Reason why it failed and starts no more until the next restart. */
  readonly reason?: string | undefined;
}

/** States from worst to best; the worst state of any instance is the state of the whole. */
const bySeverity = ['failed', 'node lost', 'restarting', 'starting', 'active'] as const;

/**
 * Returns the status of a service from its instances, of which a stopped one has none.
 *
 * @param usedBytes returns the bytes of a volume in all instances.
 */
export function serviceStatus(
  service: Pick<ServiceDefinition, 'name' | 'count' | 'volumes'>,
  instances: readonly InstanceStatus[],
  usedBytes: (volume: string) => number | undefined = () => undefined,
): ServiceStatus {
  const started = instances.flatMap(({ startedAt }) => startedAt ?? []);
  const latest = started.length === 0 ? undefined : new Date(Math.max(...started)).toISOString();
  return {
    name: service.name,
    state: worstState(instances.map((instance) => instance.state)),
    startedAt: latest,
    restarts: instances.reduce((sum, instance) => sum + instance.restarts, 0),
    exitCode: instances.map(({ exitCode }) => exitCode).find((code) => code !== null) ?? null,
    instances: service.count,
    running: instances.filter((instance) => instance.state === 'active').length,
    ports: instances.flatMap(({ port }) => port ?? []),
    reason: instances.map(({ failure }) => failure).find((failure) => failure !== undefined),
    volumes: service.volumes?.map((volume) =>
      Object.assign({}, volume, { used: usedBytes(volume.name) }),
    ),
  };
}

/** Returns services in a state that overrides the one of their instances. */
export function inState(
  services: readonly ServiceStatus[],
  state: DeploymentState,
): readonly ServiceStatus[] {
  return services.map((service) => Object.assign({}, service, { state }));
}

/** Returns the worst state of any instance or service, which is the state of the whole. */
export function worstState(states: readonly DeploymentState[]): DeploymentState {
  return bySeverity.find((state) => states.includes(state)) ?? 'starting';
}

/** Consecutive crashes after which an instance counts as failed; restarts continue. */
export const failedCrashes = 3;
