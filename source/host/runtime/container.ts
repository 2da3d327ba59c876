import { randomUUID } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import type { SdlPartName, ServiceDefinition } from '../../contract/sdl/definition.ts';
import type { ResourceLimits } from '../../contract/sdl/resources.ts';
import {
  inspectContainer,
  listContainers,
  removeContainer,
  stopContainer,
  attachContainer,
  copyToContainer,
  createContainer,
  startContainer,
  waitForEnd,
} from '../engine/containers.ts';
import type { EngineClient } from '../engine/engine-client.ts';
import { engineReason, engineStatus } from '../engine/engine-error.ts';
import type { EngineFinder } from '../engine/engine-finder.ts';
import type { RestoredVolumes } from '../volumes/restored-volumes.ts';
import type { EngineVolumeSizes } from '../volumes/volume-use.ts';
import { ensureImage } from './container-image.ts';
import { labels } from './container-labels.ts';
import { ContainerNetworks } from './container-networks.ts';
import { ContainerVolumes } from './container-volumes.ts';
import { ContainerRun } from './container-run.ts';
import type { Ports } from './ports.ts';
import {
  type InstanceRun,
  type LeftRun,
  type RunFailure,
  type RunRequest,
  type Runtime,
  type ServiceRefusal,
  type ServiceRules,
  missingTree,
  maxProcesses,
} from './runtime.ts';
import { refuseWithoutImage } from './service-refusals.ts';
import { VolumeCopies } from './volume-copies.ts';
import { VolumeSource } from './volume-source.ts';
import { serviceFolder } from '../../contract/sdl/mount-path.ts';
import { type ContainerParts, containerName, containerOptions } from './container-options.ts';
import { archiveTree } from '../files/tree-archive.ts';
import type { HostConfig } from '../engine/engine-api.ts';
import { describeLimits } from './process-limits.ts';

interface ContainerFailure extends RunFailure {
  /** True when the engine answered with the failure, false when it didn't answer. */
  readonly isAnswer: boolean;
}

/** Matches the errors of Podman and Docker when another program has taken a port meanwhile. */
const portTakenError = /address already in use|port is already allocated/;

/** Runs services as containers of a Docker or Podman engine, a new one for each run. */
export class ContainerRuntime implements Runtime, Pick<ServiceRules, 'checkService' | 'ignores'> {
  /** The volumes of this host's containers, for a backup. */
  readonly volumeSource: VolumeSource;
  readonly #finder: EngineFinder;
  readonly #host: string;
  readonly #ports: Ports;
  readonly #networks: ContainerNetworks;
  readonly #volumes: ContainerVolumes;
  /** Runs of this host process, whose containers are not orphans. */
  readonly #runs = new Set<string>();
  /** Engines that can't limit the storage of a container; it is only measured then. */
  readonly #withoutStorageLimit = new WeakSet<EngineClient>();
  /** Limits whose state has been logged. */
  readonly #logged = new WeakSet<ResourceLimits>();
  /** False while the engine may have containers of this host that belong to no run. */
  #isSwept = false;

  readonly #beforeRemoval: () => void;

  /**
   * @param host id of the host, unique on the engine.
   * @param keepsData returns true while the volumes of a deployment are kept.
   * @param restored contents of volumes that a backup has brought.
   * @param beforeRemoval called before each removal of a container, to make some space: on a full disk
   * Podman forgets a container and keeps its files, since it can't rewrite its list of layers.
   */
  constructor(
    finder: EngineFinder,
    ports: Ports,
    host: string,
    keepsData: (deployment: string) => boolean,
    beforeRemoval: () => void = () => undefined,
    restored?: RestoredVolumes,
  ) {
    this.#beforeRemoval = beforeRemoval;
    this.#finder = finder;
    this.#ports = ports;
    this.#host = host;
    this.#networks = new ContainerNetworks(host);
    const copies = new VolumeCopies(host, this.#runs);
    this.#volumes = new ContainerVolumes({ host, isKept: keepsData, copies, restored });
    this.volumeSource = new VolumeSource(finder, this.#volumes, copies);
  }

  checkService(service: ServiceDefinition): ServiceRefusal | undefined {
    return service.image === undefined ? refuseWithoutImage(service) : undefined;
  }

  /** Engines support some of these parts, but the host does not pass them on. */
  ignores(_part: SdlPartName): boolean {
    return true;
  }

  async start(request: RunRequest): Promise<InstanceRun | RunFailure> {
    const client = await this.#finder.find();
    if ('failure' in client) return client;
    try {
      if (!this.#isSwept) await this.#sweep(client, 0);
      await this.#networks.sweep(client);
      await this.#volumes.sweep(client);
    } catch (error) {
      return { failure: `can't stop an earlier container: ${engineReason(error)}` };
    }
    const { service, tree, cancelSignal, onEvent } = request;
    const files = await readdir(tree.folder).catch(() => undefined);
    if (files === undefined) return missingTree;
    const hasFiles = files.length > 0;
    const missing = await ensureImage(
      client,
      service.image ?? '',
      request,
      this.#finder.environment,
    );
    if (missing !== undefined) return missing;
    const failure = await this.#volumes.create(client, request);
    if (failure !== undefined) return failure;
    if (cancelSignal.aborted) return { failure: 'cancelled' };
    onEvent('isolation: container');
    return await this.#runNamed(client, request, hasFiles);
  }

  async release(deployment: string): Promise<void> {
    if (!this.#networks.forget(deployment)) return;
    const client = await this.#finder.find();
    if (!('failure' in client)) await this.#networks.sweep(client);
  }

  async endOrphans(graceMs: number): Promise<readonly LeftRun[]> {
    const client = await this.#finder.find();
    if ('failure' in client) return [];
    // After a failure, the next start sweeps again.
    const left = await this.#sweep(client, graceMs).catch(() => []);
    await this.#networks.sweep(client);
    await this.#volumes.sweep(client);
    return left;
  }

  async measureVolumes(signal: AbortSignal): Promise<EngineVolumeSizes> {
    const client = await this.#finder.find();
    return 'failure' in client ? () => undefined : await this.#volumes.measure(client, signal);
  }

  /** Removes the volumes of a deployment, or leaves them to the next sweep. Never rejects. */
  async removeVolumes(deployment: string): Promise<void> {
    const client = await this.#finder.find();
    if ('failure' in client) this.#volumes.expectLeft();
    else await this.#volumes.remove(client, deployment);
  }

  /** Runs on the deployment's network, or on the engine's default one when that fails. */
  async #runNamed(
    client: EngineClient,
    request: RunRequest,
    hasFiles: boolean,
  ): Promise<InstanceRun | RunFailure> {
    const { deployment, cancelSignal } = request;
    let failure = '';
    // The second turn is for a network that was removed, or a port that was taken, meanwhile.
    for (let turn = 0; turn < 2; turn += 1) {
      const network = await this.#networks.find(client, deployment);
      if ('failure' in network) {
        failure = network.failure;
        break;
      }
      const run = await this.#run(client, request, hasFiles, network.name);
      if (!('failure' in run) || !run.isAnswer || cancelSignal.aborted) return run;
      failure = run.failure;
      const isGone = await this.#networks.isRemoved(client, deployment, network.name);
      if (!isGone && !portTakenError.test(failure)) break;
    }
    if (cancelSignal.aborted) return { failure: 'cancelled' };
    const run = await this.#run(client, request, hasFiles);
    if (!('failure' in run)) this.#networks.logMissingNames(request, failure);
    return run;
  }

  async #run(
    client: EngineClient,
    request: RunRequest,
    hasFiles: boolean,
    network?: string,
  ): Promise<InstanceRun | ContainerFailure> {
    const { service } = request;
    const run = randomUUID();
    const published: number[] = [];
    const release = (isGone: boolean) => {
      if (!isGone) this.#isSwept = false;
      this.#runs.delete(run);
      for (const port of published) this.#ports.release(port);
    };
    this.#runs.add(run);
    try {
      for (const { port, as } of service.expose)
        published.push(await this.#ports.claim(as ?? port));
      const limitsStorage = !this.#withoutStorageLimit.has(client);
      const parts = { host: this.#host, run, hasFiles, published, network, limitsStorage };
      const started = await startContainerRun(client, request, parts);
      if (!started.limitsStorage) this.#withoutStorageLimit.add(client);
      const [port] = published;
      const instance = new ContainerRun({
        client,
        run,
        ...started,
        port,
        request,
        beforeRemoval: this.#beforeRemoval,
        onOver: release,
      });
      await this.#logLimits(client, request, started);
      return instance;
    } catch (error) {
      release(false);
      await this.#sweep(client, 0).catch(() => undefined);
      const failure = request.cancelSignal.aborted ? 'cancelled' : engineReason(error);
      return { failure, isAnswer: engineStatus(error) !== undefined };
    }
  }

  /** Logs missing limits at the first start only; each restart after a crash would repeat them. */
  async #logLimits(
    client: EngineClient,
    { resources, onEvent }: RunRequest,
    started: StartedContainer,
  ): Promise<void> {
    if (this.#logged.has(resources)) return;
    this.#logged.add(resources);
    const lines = await describeMissingLimits(client, started.id, { resources, ...started });
    for (const line of lines) onEvent(line);
  }

  /**
   * Removes the containers of this host that belong to no run of this process. Resolves with their
   * runs.
   */
  async #sweep(client: EngineClient, graceMs: number): Promise<readonly LeftRun[]> {
    this.#isSwept = true;
    try {
      const containers = await listContainers(client, `${labels.host}=${this.#host}`);
      const orphans = containers.filter(({ Labels }) => !this.#runs.has(Labels[labels.run] ?? ''));
      const left = await Promise.all(
        orphans.map(async ({ Id, Labels }) => {
          const found = await findLeftRun(client, Id, Labels[labels.run] ?? '');
          await ignoreGone(stopContainer(client, Id, graceMs));
          this.#beforeRemoval();
          await ignoreGone(removeContainer(client, Id));
          return found;
        }),
      );
      return left.flat();
    } catch (error) {
      this.#isSwept = false;
      throw error;
    }
  }
}

/** Resolves with the run of a container; with none when the engine doesn't know its state. */
async function findLeftRun(
  client: EngineClient,
  container: string,
  id: string,
): Promise<readonly LeftRun[]> {
  try {
    const { Running, FinishedAt } = (await inspectContainer(client, container)).state;
    if (Running) return [{ id }];
    // A container that has never run has the year 1.
    const endedAt = Date.parse(FinishedAt);
    return endedAt > 0 ? [{ id, endedAt }] : [];
  } catch {
    return [];
  }
}

/** Ignores 304 (stopped already), 404 (no longer exists) and 409 (its removal is in progress). */
async function ignoreGone(call: Promise<unknown>): Promise<void> {
  try {
    await call;
  } catch (error) {
    if (![304, 404, 409].includes(engineStatus(error) ?? 0)) throw error;
  }
}

/** A container that has started. */
interface StartedContainer {
  readonly id: string;
  /** The output, attached before the start so that no line is missed. */
  readonly output: Readable;
  /** The result of `waitForEnd`, requested before the start. */
  readonly exit: Promise<boolean>;
  /** Warnings that the engine gave when it created the container. */
  readonly warnings: readonly string[];
  /** The engine's reason for refusing the process limit; the container then runs without it. */
  readonly refusal?: string | undefined;
  /** False where the engine can't limit the storage of a container. */
  readonly limitsStorage: boolean;
}

/**
 * Creates a container, copies the tree into it and starts it; without the limits of processes and of
 * storage that the engine refuses. When the engine fails, removes the container if possible and
 * rejects.
 */
async function startContainerRun(
  client: EngineClient,
  request: RunRequest,
  parts: ContainerParts,
): Promise<StartedContainer> {
  let { limitsProcesses = true, limitsStorage = true } = parts;
  let refusal: string | undefined;
  for (;;) {
    try {
      const started = await start(client, request, { ...parts, limitsProcesses, limitsStorage });
      return { ...started, refusal, limitsStorage };
    } catch (error) {
      const reason = engineReason(error);
      if (limitsStorage && refusesStorageLimit(reason)) limitsStorage = false;
      else if (limitsProcesses && refusesProcessLimit(reason)) {
        limitsProcesses = false;
        refusal = reason;
      } else throw error;
    }
  }
}

async function start(
  client: EngineClient,
  request: RunRequest,
  parts: ContainerParts,
): Promise<Omit<StartedContainer, 'limitsStorage'>> {
  const options = containerOptions(request, parts);
  const name = containerName(request, parts.run);
  const { id, warnings } = await createContainer(client, name, options);
  let output: Readable | undefined;
  try {
    if (parts.hasFiles) await copyTree(client, id, request);
    output = await attachContainer(client, id);
    const exit = waitForEnd(client, id, 'next-exit');
    await startContainer(client, id);
    return { id, output, exit, warnings };
  } catch (error) {
    output?.destroy();
    // A container that remains is removed by the sweep before the next start.
    await removeContainer(client, id).catch(() => undefined);
    throw error;
  }
}

/**
 * Unpacks at the root with the folder as an entry, which replaces a link that an image has there.
 */
async function copyTree(client: EngineClient, id: string, request: RunRequest): Promise<void> {
  const mounts = (request.volumes ?? []).map(({ mount }) => mount.slice(1));
  const archive = archiveTree(request.tree.folder, serviceFolder.slice(1), new Set(mounts));
  try {
    await copyToContainer(client, id, '/', archive, { signal: request.cancelSignal });
  } catch (error) {
    throw new Error(`can't copy its files: ${engineReason(error)}`, { cause: error });
  }
}

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
