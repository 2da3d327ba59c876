/**
 * The definitions of the Docker Engine API that the host uses, with the names of its description,
 * v1.41 (Docker 20.10; Podman from 4.3 reports this version). In v1.55 the same fields have the
 * same meaning, apart from the notes below.
 */

/** `ContainerConfig` and the body of `ContainerCreate`, v1.41. */
export interface ContainerConfig {
  readonly Image: string;
  readonly Labels: Readonly<Record<string, string>>;
  readonly Env: readonly string[];
  readonly Entrypoint?: readonly string[];
  readonly Cmd?: readonly string[];
  readonly WorkingDir?: string;
  readonly ExposedPorts: Readonly<Record<string, Readonly<Record<string, never>>>>;
  readonly HostConfig: HostConfig;
  readonly NetworkingConfig?: NetworkingConfig;
}

/** `HostConfig` with its `Resources`, v1.41. */
export interface HostConfig {
  readonly PortBindings?: PortMap;
  /** Billionths of a processor. Podman answers with `CpuQuota` and `CpuPeriod` in its place. */
  readonly NanoCpus?: number;
  readonly CpuQuota?: number;
  readonly CpuPeriod?: number;
  /** Bytes; 0 for no limit. */
  readonly Memory?: number;
  /** Processes; 0, -1 and null for no limit. */
  readonly PidsLimit?: number | null;
  readonly CapAdd?: readonly string[];
  readonly CapDrop?: readonly string[];
  readonly SecurityOpt?: readonly string[];
  readonly LogConfig?: {
    readonly Type: 'none';
    readonly Config: Readonly<Record<string, string>>;
  };
  readonly RestartPolicy?: { readonly Name: 'no' };
  readonly NetworkMode?: string;
}

/** `PortMap` of `PortBinding`, v1.41: by port and protocol, in the form `80/tcp`. */
export type PortMap = Readonly<
  Record<string, readonly { readonly HostIp: string; readonly HostPort: string }[]>
>;

/** `NetworkingConfig` of `EndpointSettings`, v1.41: by network name. */
export interface NetworkingConfig {
  readonly EndpointsConfig: Readonly<Record<string, { readonly Aliases: readonly string[] }>>;
}

/** `ContainerState`, v1.41. */
export interface ContainerState {
  readonly Running: boolean;
  readonly ExitCode: number;
  readonly OOMKilled: boolean;
  /** RFC 3339; the year 1 for a container that has never run. */
  readonly FinishedAt: string;
}

/** `ContainerSummary`, v1.41. */
export interface ContainerSummary {
  readonly Id: string;
  readonly Labels: Readonly<Record<string, string>>;
  readonly State: string;
}

/** `Network`, v1.41; `NetworkSummary` in a list since v1.52. */
export interface Network {
  readonly Id: string;
  readonly Name: string;
  readonly Labels: Readonly<Record<string, string>>;
}

/** `CreateImageInfo`, v1.41: a line of the progress stream of a pull. */
export interface CreateImageInfo {
  readonly id?: string | undefined;
  readonly status?: string | undefined;
  /** Removed in v1.52 in favor of `errorDetail`. */
  readonly error?: string | undefined;
  /** `ErrorDetail`. */
  readonly errorDetail?: { readonly message?: string | undefined } | undefined;
  /** `ProgressDetail`, in bytes. */
  readonly progressDetail?:
    | { readonly current?: number | undefined; readonly total?: number | undefined }
    | undefined;
}

/** `AuthConfig`, v1.41, for the header `X-Registry-Auth`; with a password or an identity token. */
export interface AuthConfig {
  readonly serveraddress: string;
  readonly username?: string;
  readonly password?: string;
  readonly identitytoken?: string;
}
