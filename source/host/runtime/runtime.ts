import type { PartName, ServiceDefinition } from '../../contract/sdl/definition.ts';

/** One instance of a service, as the supervisor wants it run. */
export interface RunRequest {
  readonly service: ServiceDefinition;
  /** The tree of files it runs in, its own to change. */
  readonly folder: string;
  /** Takes the complete lines it writes; no more are to come before what it gives settles. */
  readonly onLines: (
    stream: 'stdout' | 'stderr',
    lines: readonly string[],
  ) => Promise<void> | undefined;
}

/** How a run ended. */
export interface RunEnd {
  /** Undefined when a signal ended it. */
  readonly code?: number | undefined;
  readonly signal?: string | undefined;
}

/** A running instance. */
export interface Run {
  /** The port it was told to listen on, when it exposes one. */
  readonly port: number | undefined;
  /** Settles, never rejects, when nothing of it is left and all its lines were given. */
  readonly ended: Promise<RunEnd>;
  /** Asks it to end, and makes it after `graceMs`. Settles with `ended`. */
  stop(graceMs: number): Promise<void>;
}

/** Why an instance could not be started: a few words for its log. */
export interface RunFailure {
  readonly failure: string;
}

/**
 * Where services run. Nothing here says that an instance runs on this machine, only that its end
 * is told and its output arrives.
 */
export interface Runtime {
  /** What keeps it from running this service at all, undefined when nothing does. */
  refusal(service: ServiceDefinition): string | undefined;
  /** Whether a part of an SDL has no effect here, which its owner is told. */
  ignores(part: PartName): boolean;
  start(request: RunRequest): Promise<Run | RunFailure>;
  /** Ends everything that an earlier, killed host left running. */
  endOrphans(graceMs: number): Promise<void>;
}
