import type { Resources } from '../../contract/sdl/resources.ts';
import { inspectContainer } from '../engine/containers.ts';
import type { HostConfig } from '../engine/engine-api.ts';
import type { EngineClient } from '../engine/engine-client.ts';
import { mostProcesses } from './process-count.ts';
import { describeLimits } from './process-limits.ts';

/** Limits of a container that was made. */
interface AskedLimits {
  readonly resources: Resources;
  /** The engine's reason to refuse a limit of processes; undefined where it did not. */
  readonly refusal?: string | undefined;
  /** Warnings of the engine when it made the container. */
  readonly warnings: readonly string[];
}

/**
 * Returns whether an engine refused a container for its limit of processes, as Podman does where
 * the system has no control groups for it (crun: "the requested cgroup controller `pids` is not
 * available", "cannot set limits without cgroups").
 */
export function refusesProcessLimit(reason: string): boolean {
  return /\bpids\b|limits without cgroups/i.test(reason);
}

/**
 * Resolves with the lines that say which limits do not hold a container, and what else the engine
 * did not do as it was asked. Podman may leave limits out without a word: only what it tells of the
 * container shows that.
 */
export async function describeMissingLimits(
  client: EngineClient,
  id: string,
  { resources, refusal, warnings }: AskedLimits,
): Promise<readonly string[]> {
  const applied = await inspectContainer(client, id).then(
    ({ hostConfig }) => hostConfig,
    (): HostConfig => ({}),
  );
  const { cpu, memory } = resources;
  const processes = `${mostProcesses} processes`;
  const left = [
    describeLimits({
      ...(isNone(applied.NanoCpus) && isNone(applied.CpuQuota) ? { cpu } : {}),
      ...(isNone(applied.Memory) ? { memory } : {}),
    }),
    refusal === undefined && isNone(applied.PidsLimit) ? processes : '',
  ].filter((limit) => limit !== '');
  return [
    ...warnings.map((warning) => `the container engine warns: ${warning}`),
    ...(refusal === undefined ? [] : [`limits not enforced: ${processes} (${refusal})`]),
    ...(left.length === 0
      ? []
      : [`limits not enforced: ${left.join(', ')} (the container engine left them out)`]),
  ];
}

/** Engines write no limit as 0, -1 or null; one that is not told of may be there. */
function isNone(limit: unknown): boolean {
  return limit === null || (typeof limit === 'number' && limit <= 0);
}
