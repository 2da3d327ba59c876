/**
 * The definitions of the Docker Engine API for swarms that the host uses, with the names of its
 * description, v1.41 (Docker 20.10).
 */

/** `ServiceSpec`, v1.41. */
export interface ServiceSpec {
  readonly Name: string;
  readonly Labels: Readonly<Record<string, string>>;
  readonly TaskTemplate: TaskSpec;
  readonly Mode: { readonly Replicated: { readonly Replicas: number } };
  readonly UpdateConfig: UpdateConfig;
  readonly EndpointSpec: {
    /** Names resolve to the addresses of the tasks, without a virtual address. */
    readonly Mode: 'dnsrr';
    readonly Ports: readonly PublishedPort[];
  };
}

/** `TaskSpec`, v1.41. */
export interface TaskSpec {
  readonly ContainerSpec: ServiceContainer;
  readonly Resources: {
    readonly Limits: TaskResources & { readonly Pids: number };
    readonly Reservations: TaskResources;
  };
  readonly RestartPolicy: { readonly Condition: 'any'; readonly Delay: number };
  readonly Placement: { readonly Constraints: readonly string[] };
  readonly Networks: readonly { readonly Target: string; readonly Aliases: readonly string[] }[];
  readonly LogDriver: {
    readonly Name: 'json-file';
    readonly Options: Readonly<Record<string, string>>;
  };
}

/** `ContainerSpec` of a `TaskSpec`, v1.41. */
export interface ServiceContainer {
  readonly Image: string;
  readonly Labels: Readonly<Record<string, string>>;
  /** The entry point; the image's by default. */
  readonly Command?: readonly string[];
  readonly Args?: readonly string[];
  readonly Env: readonly string[];
  readonly Dir?: string;
  readonly Mounts?: readonly ServiceMount[];
  /** Nanoseconds between SIGTERM and SIGKILL. */
  readonly StopGracePeriod: number;
  readonly CapabilityAdd: readonly string[];
  readonly CapabilityDrop: readonly string[];
}

/** `Mount`, v1.41. */
export interface ServiceMount {
  readonly Type: 'tmpfs' | 'volume';
  /** Name of a volume; without one it ends with its task. */
  readonly Source?: string;
  readonly Target: string;
  readonly ReadOnly: boolean;
  readonly VolumeOptions?: { readonly Labels: Readonly<Record<string, string>> };
  readonly TmpfsOptions?: { readonly SizeBytes?: number; readonly Mode: number };
}

export interface TaskResources {
  readonly NanoCPUs?: number;
  readonly MemoryBytes?: number;
}

/** `UpdateConfig`, v1.41. Durations are in nanoseconds. */
export interface UpdateConfig {
  /** Tasks at a time; 0 for all. */
  readonly Parallelism: number;
  readonly Order: 'start-first' | 'stop-first';
  readonly FailureAction: 'continue' | 'pause' | 'rollback';
  /** Time after the start of a task in which its end is a failure of the update. */
  readonly Monitor?: number;
}

/** `EndpointPortConfig`, v1.41. */
export interface PublishedPort {
  readonly Protocol: 'tcp' | 'udp';
  readonly TargetPort: number;
  /** Chosen by each node. */
  readonly PublishMode: 'host';
}

/** `Service`, v1.41. */
export interface EngineService {
  readonly id: string;
  readonly name: string;
  /** Number that an update must name, and that each change increments. */
  readonly version: number;
  readonly labels: Readonly<Record<string, string>>;
  /** The whole specification, as an update must repeat it. */
  readonly spec: Readonly<Record<string, unknown>>;
  /** `updating`, `paused` or `completed`; undefined when tasks were never replaced. */
  readonly update: string | undefined;
}

/** `Task`, v1.41: one run of one replica. */
export interface EngineTask {
  readonly id: string;
  readonly service: string;
  readonly node: string;
  /** Number of the replica, from 1. */
  readonly slot: number;
  readonly createdAt: string;
  /** `running`, `complete`, `failed`, `shutdown`, `rejected`, and states on the way to them. */
  readonly state: string;
  /** The state that the engine wants, `running` for the present task of a replica. */
  readonly desired: string;
  /** RFC 3339 time of the state. */
  readonly at: string;
  /** The engine's words for a failure. */
  readonly error: string | undefined;
  readonly exitCode: number | undefined;
  /** Ports of the node, by the port of the container. */
  readonly ports: ReadonlyMap<number, number>;
  readonly labels: Readonly<Record<string, string>>;
}

/** `Node`, v1.41. */
export interface EngineNode {
  readonly id: string;
  /** Number that each change increments, and each new session of the node with its manager. */
  readonly version: number;
  readonly hostname: string;
  readonly address: string;
  /** `ready`, `down`, `disconnected` or `unknown`. */
  readonly state: string;
  /** False for a node that gets no tasks, such as one that is drained. */
  readonly isActive: boolean;
  /** Labels that constraints refer to. */
  readonly labels: Readonly<Record<string, string>>;
}
