import type { ResourceLimits } from '../../contract/sdl/resources.ts';
import { inspectContainer } from '../engine/containers.ts';
import type { HostConfig } from '../engine/engine-api.ts';
import type { EngineClient } from '../engine/engine-client.ts';
import { maxProcesses } from './runtime.ts';
import { describeLimits } from './process-limits.ts';

/** The limits that a container was created with. */
interface RequestedLimits {
  readonly resources: ResourceLimits;
  /** The engine's reason for refusing the process limit; undefined when it accepted the limit. */
  readonly refusal?: string | undefined;
  /** Warnings that the engine gave when it created the container. */
  readonly warnings: readonly string[];
}

/**
 * Returns true when an engine refused a container because of its process limit. Podman does so
 * where the system has no control groups for it (crun: "the requested cgroup controller `pids` is
 * not available", "cannot set limits without cgroups").
 */
export function refusesProcessLimit(reason: string): boolean {
  return /\bpids\b|limits without cgroups/i.test(reason);
}

/**
 * Returns true when an engine refused a container because of its storage limit, which only some
 * storage drivers have (Docker and Podman: "--storage-opt is supported only for overlay over xfs with
 * 'pquota' mount option", "storage-opt is not supported for vfs").
 */
export function refusesStorageLimit(reason: string): boolean {
  return /storage[- ]opt|storage option|pquota/i.test(reason);
}

/**
 * Resolves with log lines for the limits that are not enforced and for the engine's warnings.
 * Podman may drop limits silently, so the container's own configuration is inspected.
 */
export async function describeMissingLimits(
  client: EngineClient,
  id: string,
  { resources, refusal, warnings }: RequestedLimits,
): Promise<readonly string[]> {
  const applied = await inspectContainer(client, id).then(
    ({ hostConfig }) => hostConfig,
    (): HostConfig => ({}),
  );
  const { cpu, memory } = resources;
  const processes = `${maxProcesses} processes`;
  const dropped = [
    describeLimits({
      ...(isNone(applied.NanoCpus) && isNone(applied.CpuQuota) ? { cpu } : {}),
      ...(isNone(applied.Memory) ? { memory } : {}),
    }),
    refusal === undefined && isNone(applied.PidsLimit) ? processes : '',
  ].filter((limit) => limit !== '');
  return [
    ...warnings.map((warning) => `the container engine warns: ${warning}`),
    ...(refusal === undefined ? [] : [`limits not enforced: ${processes} (${refusal})`]),
    ...(dropped.length === 0
      ? []
      : [`limits not enforced: ${dropped.join(', ')} (the container engine dropped them)`]),
  ];
}

/** Engines write "no limit" as 0, -1 or null; a missing field says nothing. */
function isNone(limit: unknown): boolean {
  return limit === null || (typeof limit === 'number' && limit <= 0);
}
