import type { PartName, ServiceDefinition } from '../../contract/sdl/definition.ts';
import type { Resources } from '../../contract/sdl/resources.ts';

/** A tree of files that instances run in: in place, or in a copy that each of them has. */
export interface RunTree {
  /** Path of the folder that has it. */
  readonly folder: string;
}

/** One instance of a service, as the supervisor wants it run. */
export interface RunRequest {
  /** Id of its deployment. */
  readonly deployment: string;
  readonly service: ServiceDefinition;
  /** Which of the service's instances, from 1. */
  readonly instance: number;
  /** What it may use at most, as far as the SDL says. */
  readonly resources: Resources;
  readonly tree: RunTree;
  /** Takes the complete lines it writes; no more are to come before what it gives settles. */
  readonly onLines: (
    stream: 'stdout' | 'stderr',
    lines: readonly string[],
  ) => Promise<void> | undefined;
  /** Takes what there is to tell beside its start and its end, a few words each time. */
  readonly onEvent: (text: string) => void;
  /** Aborted when it is no longer wanted: a start that takes its time then gives up. */
  readonly unwanted: AbortSignal;
}

/** How a run ended. */
export interface RunEnd {
  /** Undefined when a signal ended it. */
  readonly code?: number | undefined;
  readonly signal?: string | undefined;
  /** What else is known of it, a few words: that it ran out of memory. */
  readonly cause?: string | undefined;
  /** Why nothing is known of it any more. It may still run, and is ended before the next start. */
  readonly lost?: string | undefined;
}

/** A running instance. */
export interface InstanceRun {
  /** The port by which it is reached, when it exposes one. */
  readonly port: number | undefined;
  /** Settles, never rejects, when nothing of it is left (or it is lost) and its lines were given. */
  readonly ended: Promise<RunEnd>;
  /** Asks it to end, and makes it after `graceMs`. Settles with `ended`. */
  stop(graceMs: number): Promise<void>;
}

/** Why an instance could not be started: a few words for its log. */
export interface RunFailure {
  readonly failure: string;
}

/** The reason why a host does not run a service, for the person who wrote its definition. */
export interface ServiceRefusal {
  /** A sentence that names the service and its mistake, and sentences on what to do. */
  readonly sentence: string;
  /** A few words for the value that was expected instead, without a full stop. */
  readonly expected: string;
}

/** Its tree was there once: a service may have removed it, or somebody else. */
export const withoutTree: RunFailure = {
  failure: 'the folder with its files is gone; a restart makes it anew',
};

/**
 * Where services run. Nothing here says that an instance runs on this machine, only that its end
 * is told and its output arrives.
 */
export interface Runtime {
  /** Returns why it never runs this service, undefined where it does. */
  refusal(service: ServiceDefinition): ServiceRefusal | undefined;
  /** Whether a part of an SDL has no effect here, which its owner is told. */
  ignores(part: PartName): boolean;
  /** Never rejects. */
  start(request: RunRequest): Promise<InstanceRun | RunFailure>;
  /** Lets go of what the instances of a deployment shared, once none runs any more. Never rejects. */
  release(deployment: string): Promise<void>;
  /** Ends everything that an earlier, killed host left running. */
  endOrphans(graceMs: number): Promise<void>;
}

/** The runtime of a whole host, which knows what is there to run services on. */
export interface HostRuntime extends Runtime {
  /**
   * Resolves with the services that can't start now, by name, though they may later: a container
   * engine is missing that may be started. Never rejects.
   */
  shortage(services: readonly ServiceDefinition[]): Promise<ReadonlyMap<string, ServiceRefusal>>;
}
