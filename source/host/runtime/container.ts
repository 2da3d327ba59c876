import { randomUUID } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import type { PartName, ServiceDefinition } from '../../contract/sdl/definition.ts';
import { answerWithin, waitForEnd } from './container-answers.ts';
import { type Engine, type EngineFinder, engineReason, engineStatus } from './container-engine.ts';
import { ensureImage } from './container-image.ts';
import { containerOptions, labels } from './container-options.ts';
import { ContainerNetworks } from './container-networks.ts';
import { ContainerRun } from './container-run.ts';
import type { Ports } from './ports.ts';
import {
  type Run,
  type RunFailure,
  type RunRequest,
  type Runtime,
  type ServiceRefusal,
  withoutTree,
} from './runtime.ts';
import { refuseWithoutImage } from './service-refusals.ts';

/** For making a container and for ending one that nothing waits for. */
const answerMs = 60_000;

interface ContainerFailure extends RunFailure {
  /** False when the engine said nothing of why. */
  readonly isAnswer: boolean;
}

/** Runs services as containers of a Docker or Podman engine, a new one for each run. */
export class ContainerRuntime implements Runtime {
  readonly #finder: EngineFinder;
  readonly #host: string;
  readonly #ports: Ports;
  readonly #networks: ContainerNetworks;
  /** Runs of this process, whose containers are not orphans. */
  readonly #runs = new Set<string>();
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

  async start(request: RunRequest): Promise<Run | RunFailure> {
    const engine = await this.#finder.find();
    if ('failure' in engine) return engine;
    try {
      if (!this.#isSwept) await this.#sweep(engine, 0);
      await this.#networks.sweep(engine.docker);
    } catch (error) {
      return { failure: `an earlier container cannot be ended: ${engineReason(error)}` };
    }
    const { service, tree, unwanted } = request;
    const files = await readdir(tree.folder).catch(() => undefined);
    if (files === undefined) return withoutTree;
    const hasFiles = files.length > 0;
    if (hasFiles && !engine.sharesDisk) {
      return { failure: `the container engine on ${engine.address} cannot see this host's files` };
    }
    const missing = await ensureImage(
      engine.docker,
      service.image ?? '',
      request,
      this.#finder.environment,
    );
    if (missing !== undefined) return missing;
    if (unwanted.aborted) return { failure: 'no longer wanted' };
    return await this.#runNamed(engine, request, hasFiles);
  }

  async release(deployment: string): Promise<void> {
    if (!this.#networks.forget(deployment)) return;
    const engine = await this.#finder.find();
    if (!('failure' in engine)) await this.#networks.sweep(engine.docker);
  }

  async endOrphans(graceMs: number): Promise<void> {
    const engine = await this.#finder.find();
    if ('failure' in engine) return;
    // Where it fails, the next start sweeps again.
    await this.#sweep(engine, graceMs).catch(() => undefined);
    await this.#networks.sweep(engine.docker);
  }

  /** On the deployment's network, or where that cannot be on the engine's default one. */
  async #runNamed(
    engine: Engine,
    request: RunRequest,
    hasFiles: boolean,
  ): Promise<Run | RunFailure> {
    const { deployment, unwanted } = request;
    const { docker } = engine;
    let why = '';
    // A second time only where somebody removed the network meanwhile.
    for (let turn = 0; turn < 2; turn += 1) {
      const network = await this.#networks.find(docker, deployment);
      if ('failure' in network) {
        why = network.failure;
        break;
      }
      const run = await this.#run(engine, request, hasFiles, network.name);
      if (!('failure' in run) || !run.isAnswer || unwanted.aborted) return run;
      why = run.failure;
      if (!(await this.#networks.isGone(docker, deployment, network.name))) break;
    }
    if (unwanted.aborted) return { failure: 'no longer wanted' };
    const run = await this.#run(engine, request, hasFiles);
    if (!('failure' in run)) this.#networks.tell(request, why);
    return run;
  }

  async #run(
    engine: Engine,
    request: RunRequest,
    hasFiles: boolean,
    network?: string,
  ): Promise<Run | ContainerFailure> {
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
      const container = await answerWithin(
        answerMs,
        engine.docker.createContainer(containerOptions(request, parts)),
      );
      const output = await answerWithin(
        answerMs,
        container.attach({ stream: true, stdout: true, stderr: true }),
      );
      const exit = waitForEnd(container, 'next-exit');
      await answerWithin(answerMs, container.start());
      const [port] = published;
      return new ContainerRun({ container, output, exit, port, request, onOver: release });
    } catch (error) {
      release(false);
      await this.#sweep(engine, 0).catch(() => undefined);
      return { failure: engineReason(error), isAnswer: engineStatus(error) !== undefined };
    }
  }

  /** Ends the containers of this host that no run here knows of. */
  async #sweep({ docker }: Engine, graceMs: number): Promise<void> {
    this.#isSwept = true;
    try {
      const filters = { label: [`${labels.host}=${this.#host}`] };
      const found = await answerWithin(answerMs, docker.listContainers({ all: true, filters }));
      const orphans = found.filter(({ Labels }) => !this.#runs.has(Labels[labels.run] ?? ''));
      await Promise.all(
        orphans.map(async ({ Id }) => {
          const container = docker.getContainer(Id);
          const patience = graceMs + answerMs;
          const stopped = container.stop({ t: Math.ceil(graceMs / 1000) });
          await unlessGone(answerWithin(patience, stopped));
          await unlessGone(answerWithin(answerMs, container.remove({ force: true, v: true })));
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
