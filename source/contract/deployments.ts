import type { SdlWarning, VolumeDefinition } from './sdl/definition.ts';

/** Returns whether a state means that a deployment is closed, which is final. */
export function isClosedState(state: string | undefined): boolean {
  return /^(?:closed|terminated|deleted)$/i.test(state ?? '');
}

/** A volume of a service, with the size that it has in each instance. */
export interface ServiceVolume extends VolumeDefinition {
  /** Bytes that it takes in all instances together; undefined while they are unknown. */
  readonly used?: number | undefined;
}

/** An address at which callers reach an instance that runs on a cluster. */
export interface ServiceEndpoint {
  /** Number of the instance, from 1. */
  readonly instance?: number | undefined;
  /** Name of the node. */
  readonly node: string;
  /** Address of the node. */
  readonly address: string;
  readonly port: number;
  /** The port of the definition that it leads to. */
  readonly target?: number | undefined;
}

/** Returns the address and the port of an endpoint as one text, such as `10.0.0.1:30001`. */
export function endpointText({ address, port }: ServiceEndpoint): string {
  return address.includes(':') ? `[${address}]:${port}` : `${address}:${port}`;
}

/** An instance of a service on a cluster. */
export interface ServiceInstance {
  /** Number within the service, from 1. */
  readonly instance: number;
  readonly state: string;
  /** Name and address of its node; undefined until it has one. */
  readonly node?: string | undefined;
  readonly address?: string | undefined;
  /** Time of the latest start, ISO 8601 UTC. */
  readonly startedAt?: string | undefined;
  readonly restarts?: number | undefined;
  /** The engine's reason why it does not run, or the lost node that it ran on before; a few words. */
  readonly reason?: string | undefined;
}

/** A named service in a deployment (contract, part 2). Only the name is guaranteed. */
export interface Service {
  readonly name: string;
  readonly state?: string | undefined;
  /** Time of the latest start, ISO 8601 UTC. */
  readonly startedAt?: string | undefined;
  readonly restarts?: number | undefined;
  /** Exit code of the last finished run; null during the first run. */
  readonly exitCode?: number | null | undefined;
  /** Number of instances. */
  readonly instances?: number | undefined;
  /** Number of running instances. */
  readonly running?: number | undefined;
  /** Exposed ports from the SDL, such as `3000 as 80, global`. */
  readonly exposes?: readonly string[] | undefined;
  /** Addresses of its running instances; only hostdeck's own host on a cluster sends them. */
  readonly endpoints?: readonly ServiceEndpoint[] | undefined;
  /** Each instance; only hostdeck's own host on a cluster sends them. */
  readonly instanceStates?: readonly ServiceInstance[] | undefined;
  /** Volumes that the service mounts; only hostdeck's own host sends them. */
  readonly volumes?: readonly ServiceVolume[] | undefined;
  /** All other fields, as sent. */
  readonly otherFields?: Readonly<Record<string, unknown>> | undefined;
}

/** A restart that was undone because its version failed: the version before runs. */
export interface UndoneRestart {
  /** Time in ISO 8601 UTC. */
  readonly at: string;
  /** A few words. */
  readonly reason: string;
}

/** A deployment (contract, part 2). Only the id is guaranteed. */
export interface Deployment {
  readonly id: string;
  readonly name?: string | undefined;
  /** State in the service's own word. */
  readonly state?: string | undefined;
  readonly services: readonly Service[];
  /** Times in ISO 8601 UTC. */
  readonly createdAt?: string | undefined;
  readonly restartedAt?: string | undefined;
  readonly closedAt?: string | undefined;
  /** Wallet address of the creator. */
  readonly owner?: string | undefined;
  /** Set when the last restart was undone; only hostdeck's own host sends it. */
  readonly rolledBack?: UndoneRestart | undefined;
  /** Text of the service definition; lists may leave it out. */
  readonly sdl?: string | undefined;
  /** Price of all instances for an hour, an exact decimal; only hostdeck's own host sends it. */
  readonly pricePerHour?: string | undefined;
  /** Warnings about the SDL; only hostdeck's own host sends them. */
  readonly warnings?: readonly SdlWarning[] | undefined;
}

/** States of hostdeck's own host; other services use any word. */
export const deploymentStates = [
  'starting',
  'active',
  'restarting',
  'failed',
  'node lost',
  'suspended',
  'closed',
] as const;

export type DeploymentState = (typeof deploymentStates)[number];

/** Maximum rows of a list of our host; its plain list has all open deployments, even if more. */
export const maxListedDeployments = 1000;
