import type { SdlWarning } from './sdl/definition.ts';

/** A named service inside a deployment (contract, part 2). Only the name is promised. */
export interface Service {
  readonly name: string;
  readonly state?: string | undefined;
  /** ISO 8601 UTC. */
  readonly startedAt?: string | undefined;
  readonly restarts?: number | undefined;
  /** Exit code of the last run that ended; null while the first one lives. */
  readonly exitCode?: number | null | undefined;
  /** How many there are of it, and how many of these run. */
  readonly instances?: number | undefined;
  readonly running?: number | undefined;
  /** What it exposes, as the SDL says: `3000 as 80, global`. */
  readonly exposes?: readonly string[] | undefined;
  /** Fields beyond these, as sent. */
  readonly more?: Readonly<Record<string, unknown>> | undefined;
}

/** A deployment (contract, part 2). Only the id is promised; all else is read when there. */
export interface Deployment {
  readonly id: string;
  readonly name?: string | undefined;
  /** Any word; a service may use words of its own. */
  readonly state?: string | undefined;
  readonly services: readonly Service[];
  /** ISO 8601 UTC, like the two below. */
  readonly createdAt?: string | undefined;
  readonly restartedAt?: string | undefined;
  readonly closedAt?: string | undefined;
  /** Wallet address of the creator. */
  readonly owner?: string | undefined;
  /** The service definition text the deployment was made from. */
  readonly sdl?: string | undefined;
  /** What that says without effect, or not as it should; our host's own. */
  readonly warnings?: readonly SdlWarning[] | undefined;
}

/** The states of our own host; other services use any word. */
export const deploymentStates = [
  'starting',
  'active',
  'restarting',
  'failed',
  'suspended',
  'closed',
] as const;

export type DeploymentState = (typeof deploymentStates)[number];
