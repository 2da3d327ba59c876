import type { SdlWarning } from './sdl/definition.ts';

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
  /** All other fields, as sent. */
  readonly otherFields?: Readonly<Record<string, unknown>> | undefined;
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
  'suspended',
  'closed',
] as const;

export type DeploymentState = (typeof deploymentStates)[number];

/** Maximum rows of a list of our host; its plain list has all open deployments, even if more. */
export const maxListedDeployments = 1000;
