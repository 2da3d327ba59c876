import type { OutputLine } from '../logs/run.ts';
import type {
  SdlPartName,
  ServiceDefinition,
  VolumeDefinition,
} from '../../contract/sdl/definition.ts';
import type { ResourceLimits } from '../../contract/sdl/resources.ts';
import type { VolumePlace } from '../volumes/volume-place.ts';

/** Most processes and threads that one instance of a service may have at a time. */
export const maxProcesses = 512;

/** A tree of files that instances run in: in place, or each in a copy of its own. */
export interface RunTree {
  /** Path of the tree's folder. */
  readonly folder: string;
}

/** A volume of an instance. */
export interface RunVolume extends VolumeDefinition {
  /** Its folder, when the instance is a process. */
  readonly place: VolumePlace;
}

/** The supervisor's request to run one instance of a service. */
export interface RunRequest {
  /** Id of its deployment. */
  readonly deployment: string;
  readonly service: ServiceDefinition;
  /** Number of the instance among those of the service, from 1. */
  readonly instance: number;
  /** Limits from the SDL. */
  readonly resources: ResourceLimits;
  readonly tree: RunTree;
  /** The volumes of the service, of which this instance has its own; none by default. */
  readonly volumes?: readonly RunVolume[];
  /**
   * Receives complete lines of output; the runtime sends no more before a returned promise settles.
   */
  readonly onLines: (
    stream: 'stdout' | 'stderr',
    lines: readonly OutputLine[],
  ) => Promise<void> | undefined;
  /** Receives events beside start and end, a few words each, for the log. */
  readonly onEvent: (text: string) => void;
  /** Aborted when the run is no longer needed: a start in progress is then cancelled. */
  readonly cancelSignal: AbortSignal;
}

/** The end of a run. */
export interface RunEnd {
  /** Exit code; undefined when a signal ended the process. */
  readonly code?: number | undefined;
  readonly signal?: string | undefined;
  /** Further cause in a few words: `out of memory`. */
  readonly cause?: string | undefined;
  /** Reason why the state is unknown. The run may continue, and is ended before the next start. */
  readonly lost?: string | undefined;
}

/** A running instance. */
export interface InstanceRun {
  /** Id of the run, unique on the machine. */
  readonly id: string;
  /** The port of this machine that reaches it, when it exposes one. */
  readonly port: number | undefined;
  /** Resolves when all processes have ended, or the run is lost. Its last lines may follow. */
  readonly exited: Promise<void>;
  /** Resolves after `exited`, when all lines were passed on. */
  readonly ended: Promise<RunEnd>;
  /**
   * Resolves with the bytes that the run wrote to storage of its own, or undefined when they are
   * unknown; missing where it writes to its tree.
   */
  readonly measureStorage?: () => Promise<number | undefined>;
  /** Sends SIGTERM, and after `graceMs` SIGKILL. Settles with `ended`. */
  stop(graceMs: number): Promise<void>;
}

/** A run that an earlier, killed host has left, as the next host found it. */
export interface LeftRun {
  readonly id: string;
  /**
   * Wall-clock time of its end in ms since the epoch, where the system recorded one; undefined for a
   * run that was still running.
   */
  readonly endedAt?: number | undefined;
}

/** A failed start of an instance, with the reason in a few words for its log. */
export interface RunFailure {
  readonly failure: string;
}

/** A host's refusal to run a service, for the person who wrote its definition. */
export interface ServiceRefusal {
  /** Sentences that name the service, the mistake and the remedy. */
  readonly sentence: string;
  /** The expected value in a few words, without a full stop. */
  readonly expected: string;
}

/** The failure of a start whose tree was removed, by a service or by a person. */
export const missingTree: RunFailure = {
  failure: 'its folder is missing; a restart creates it again',
};

/** The rules by which a host accepts services. */
export interface ServiceRules {
  /** Returns the reason why the host can never run this service; undefined when it can. */
  checkService(service: ServiceDefinition): ServiceRefusal | undefined;
  /**
   * Resolves with the services, by name, that can't start now but may later, such as images while
   * no container engine answers. Never rejects.
   *
   * @param sdl text of their definition.
   */
  checkAvailability(
    services: readonly ServiceDefinition[],
    sdl: string,
  ): Promise<ReadonlyMap<string, ServiceRefusal>>;
  /** Returns true when a part of an SDL has no effect, which becomes a warning. */
  ignores(part: SdlPartName): boolean;
}

/** Runs the instances of services on this machine, and reports their output and their ends. */
export interface Runtime {
  /** Never rejects. */
  start(request: RunRequest): Promise<InstanceRun | RunFailure>;
  /** Frees what the instances of a deployment shared, once all have ended. Never rejects. */
  release(deployment: string): Promise<void>;
  /**
   * Ends all runs that an earlier, killed host has left. Resolves with those that were running, or
   * whose end was recorded; nothing is known of the others, which have ended.
   */
  endOrphans(graceMs: number): Promise<readonly LeftRun[]>;
}
