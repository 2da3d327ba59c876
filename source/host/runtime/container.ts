import { randomUUID } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import type { PartName, ServiceDefinition } from '../../contract/sdl/definition.ts';
import type { Resources } from '../../contract/sdl/resources.ts';
import { listContainers, removeContainer, stopContainer } from '../engine/containers.ts';
import type { EngineClient } from '../engine/engine-client.ts';
import { engineReason, engineStatus } from '../engine/engine-error.ts';
import type { EngineFinder } from '../engine/engine-finder.ts';
import { ensureImage } from './container-image.ts';
import { describeMissingLimits } from './container-limits.ts';
import { labels } from './container-options.ts';
import { ContainerNetworks } from './container-networks.ts';
import { ContainerRun } from './container-run.ts';
import { type StartedContainer, startInstance } from './container-start.ts';
import type { Ports } from './ports.ts';
import {
  type InstanceRun,
  type RunFailure,
  type RunRequest,
  type Runtime,
  type ServiceRefusal,
  withoutTree,
} from './runtime.ts';
import { refuseWithoutImage } from './service-refusals.ts';

interface ContainerFailure extends RunFailure {
  /** False when the engine said nothing of why. */
  readonly isAnswer: boolean;
}

/** Another program listens since the port was found free: as Podman says it, and Docker. */
const portTaken = /address already in use|port is already allocated/;

/** Runs services as containers of a Docker or Podman engine, a new one for each run. */
export class ContainerRuntime implements Runtime {
  readonly #finder: EngineFinder;
  readonly #host: string;
  readonly #ports: Ports;
  readonly #networks: ContainerNetworks;
  /** Runs of this process, whose containers are not orphans. */
  readonly #runs = new Set<string>();
  /** Limits whose owner knows which of them do not hold. */
  readonly #told = new WeakSet<Resources>();
  /** False while the engine may hold containers of this host that belong to none of these runs. */
  #isSwept = false;

  /** @param host id of the host, unlike that of any other on the same engine. */
  constructor(finder: EngineFinder, ports: Ports, host: string) {
    this.#finder = finder;
    this.#ports = ports;
    this.#host = host;
    this.#networks = new ContainerNetworks(host);
  }

  refusal(service: ServiceDefinition): ServiceRefusal | undefined {
    return service.image === undefined ? refuseWithoutImage(service) : undefined;
  }

  /** An engine could do some of it, but is not asked to. */
  ignores(_part: PartName): boolean {
    return true;
  }

  async start(request: RunRequest): Promise<InstanceRun | RunFailure> {
    const client = await this.#finder.find();
    if ('failure' in client) return client;
    try {
      if (!this.#isSwept) await this.#sweep(client, 0);
      await this.#networks.sweep(client);
    } catch (error) {
      return { failure: `an earlier container cannot be ended: ${engineReason(error)}` };
    }
    const { service, tree, unwanted, onEvent } = request;
    const files = await readdir(tree.folder).catch(() => undefined);
    if (files === undefined) return withoutTree;
    const hasFiles = files.length > 0;
    const missing = await ensureImage(
      client,
      service.image ?? '',
      request,
      this.#finder.environment,
    );
    if (missing !== undefined) return missing;
    if (unwanted.aborted) return { failure: 'no longer wanted' };
    onEvent('isolation: container');
    return await this.#runNamed(client, request, hasFiles);
  }

  async release(deployment: string): Promise<void> {
    if (!this.#networks.forget(deployment)) return;
    const client = await this.#finder.find();
    if (!('failure' in client)) await this.#networks.sweep(client);
  }

  async endOrphans(graceMs: number): Promise<void> {
    const client = await this.#finder.find();
    if ('failure' in client) return;
    // Where it fails, the next start sweeps again.
    await this.#sweep(client, graceMs).catch(() => undefined);
    await this.#networks.sweep(client);
  }

  /** On the deployment's network, or where that cannot be on the engine's default one. */
  async #runNamed(
    client: EngineClient,
    request: RunRequest,
    hasFiles: boolean,
  ): Promise<InstanceRun | RunFailure> {
    const { deployment, unwanted } = request;
    let why = '';
    // A second time only where the network was removed meanwhile, or a port taken.
    for (let turn = 0; turn < 2; turn += 1) {
      const network = await this.#networks.find(client, deployment);
      if ('failure' in network) {
        why = network.failure;
        break;
      }
      const run = await this.#run(client, request, hasFiles, network.name);
      if (!('failure' in run) || !run.isAnswer || unwanted.aborted) return run;
      why = run.failure;
      const isGone = await this.#networks.isGone(client, deployment, network.name);
      if (!isGone && !portTaken.test(why)) break;
    }
    if (unwanted.aborted) return { failure: 'no longer wanted' };
    const run = await this.#run(client, request, hasFiles);
    if (!('failure' in run)) this.#networks.tell(request, why);
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
      const parts = { host: this.#host, run, hasFiles, published, network };
      const started = await startInstance(client, request, parts);
      const [port] = published;
      const going = new ContainerRun({ client, ...started, port, request, onOver: release });
      await this.#tellLimits(client, request, started);
      return going;
    } catch (error) {
      release(false);
      await this.#sweep(client, 0).catch(() => undefined);
      const failure = request.unwanted.aborted ? 'no longer wanted' : engineReason(error);
      return { failure, isAnswer: engineStatus(error) !== undefined };
    }
  }

  /** At the first start only: those after a crash would repeat it. */
  async #tellLimits(
    client: EngineClient,
    { resources, onEvent }: RunRequest,
    started: StartedContainer,
  ): Promise<void> {
    if (this.#told.has(resources)) return;
    this.#told.add(resources);
    const lines = await describeMissingLimits(client, started.id, { resources, ...started });
    for (const line of lines) onEvent(line);
  }

  /** Ends the containers of this host that no run here knows of. */
  async #sweep(client: EngineClient, graceMs: number): Promise<void> {
    this.#isSwept = true;
    try {
      const found = await listContainers(client, `${labels.host}=${this.#host}`);
      const orphans = found.filter(({ Labels }) => !this.#runs.has(Labels[labels.run] ?? ''));
      await Promise.all(
        orphans.map(async ({ Id }) => {
          await unlessGone(stopContainer(client, Id, graceMs));
          await unlessGone(removeContainer(client, Id));
        }),
      );
    } catch (error) {
      this.#isSwept = false;
      throw error;
    }
  }
}

/** 304: it has ended already; 404: it is no more; 409: someone else is removing it. */
async function unlessGone(asked: Promise<unknown>): Promise<void> {
  try {
    await asked;
  } catch (error) {
    if (![304, 404, 409].includes(engineStatus(error) ?? 0)) throw error;
  }
}
