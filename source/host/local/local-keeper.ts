import type { DeploymentState } from '../../contract/deployments.ts';
import type { ServiceDefinition } from '../../contract/sdl/definition.ts';
import { readResourceLimits, type ResourceLimits } from '../../contract/sdl/resources.ts';
import type { HostClock } from '../clock.ts';
import type { DeploymentRecord } from '../deployment-record.ts';
import type { Files } from '../files/files.ts';
import type { HostLogs } from '../logs/logs.ts';
import type { RunKey } from '../money/charged-runs.ts';
import type { Runtime, RunVolume } from '../runtime/runtime.ts';
import type { VolumeFolders } from '../volumes/volume-folders.ts';
import type { VolumeUse } from '../volumes/volume-use.ts';
import { DeploymentStorage } from './deployment-storage.ts';
import type { ExceededVolumes } from './exceeded-volumes.ts';
import { Instance } from './instance.ts';
import type { Keeper } from '../supervisor/backend.ts';
import { type ServiceStatus, serviceStatus, worstState } from '../supervisor/service-status.ts';
import type { StorageMeter } from './storage-meter.ts';

export interface LocalKeeperOptions {
  readonly record: DeploymentRecord;
  /** Returns the text of the deployment's definition. */
  readonly readSdl: () => string;
  readonly runtime: Pick<Runtime, 'start' | 'release'>;
  readonly clock: HostClock;
  readonly files: Files;
  readonly volumes: Pick<VolumeFolders, 'place'>;
  readonly volumeUse: Pick<VolumeUse, 'bytes'>;
  readonly exceeded: ExceededVolumes;
  readonly logs: HostLogs;
  readonly graceMs: number;
  readonly meter: StorageMeter;
  /** Called after each change of the deployment's visible state. */
  readonly onChange: () => void;
  /** Called when a run of an instance has started; the returned function when it has exited. */
  readonly onRun: (run: RunKey) => () => void;
}

/**
 * Runs the instances of one deployment. Converges to the wanted generation of the files, or to
 * none; a change of the wanted generation takes effect after the current step.
 */
export class LocalKeeper implements Keeper {
  readonly #parts: LocalKeeperOptions;
  readonly #storage: DeploymentStorage;
  /** Ends the measurements of the running generation's storage. */
  #stopMeters: readonly (() => void)[] = [];
  /** Parsed at the first start, not at creation: most deployments are closed and never start. */
  #resources: ReadonlyMap<string, ResourceLimits> | undefined;
  #wantedGeneration: number | undefined;
  #running: { readonly generation: number; readonly order: StartOrder } | undefined;
  #convergence: Promise<void> | undefined;
  /** True from a restart through the API until the new generation is started. */
  #isReplacing = false;
  /** True from a pause until the new generation is started. */
  #isPaused = false;

  constructor(parts: LocalKeeperOptions) {
    this.#parts = parts;
    this.#storage = new DeploymentStorage({ ...parts, deployment: parts.record.id });
  }

  run(generation: number): Promise<void> {
    this.#isReplacing =
      this.#isPaused || (this.#running !== undefined && this.#running.generation !== generation);
    this.#parts.onChange();
    this.#wantedGeneration = generation;
    return this.#converge();
  }

  stop(): Promise<void> {
    return this.#end(false);
  }

  pause(): Promise<void> {
    return this.#end(true);
  }

  #end(isPaused: boolean): Promise<void> {
    this.#isPaused = isPaused;
    this.#isReplacing = isPaused;
    this.#parts.onChange();
    this.#wantedGeneration = undefined;
    return this.#converge();
  }

  state(): DeploymentState {
    if (this.#isReplacing) return 'restarting';
    return worstState(this.services().map((service) => service.state));
  }

  services(): readonly ServiceStatus[] {
    const { record, volumeUse } = this.#parts;
    return record.services.map((service) => {
      const instances = this.#running?.order.instances(service.name) ?? [];
      const usedBytes = (volume: string) => volumeUse.bytes(record.id, service.name, volume);
      return serviceStatus(service, instances, usedBytes);
    });
  }

  #converge(): Promise<void> {
    this.#convergence ??= this.#runConvergence();
    return this.#convergence;
  }

  async #runConvergence() {
    // Yield first, so that `#convergence` is set before this call can clear it.
    await Promise.resolve();
    try {
      while (this.#running?.generation !== this.#wantedGeneration) await this.#step();
      this.#isReplacing = this.#isPaused;
      this.#parts.onChange();
    } finally {
      // Clear without yielding after the last check, so that a later change starts another run.
      this.#convergence = undefined;
    }
  }

  /** Stops the running generation, then starts the one wanted by then. */
  async #step() {
    const before = this.#running;
    if (before !== undefined) {
      for (const stop of this.#stopMeters) stop();
      await before.order.stop(this.#parts.graceMs);
      await this.#parts.runtime.release(this.#parts.record.id);
      await this.#storage.acceptUse();
      this.#running = undefined;
      this.#parts.onChange();
    } else if (this.#wantedGeneration !== undefined) {
      await this.#storage.acceptEarlier(this.#parts.record.services, this.#wantedGeneration);
    }
    if (this.#wantedGeneration !== undefined)
      this.#start(this.#wantedGeneration, before !== undefined || this.#isPaused);
  }

  #start(generation: number, isRestart: boolean) {
    const { record, logs } = this.#parts;
    const order = new StartOrder(
      record.services.map((service) => ({
        service,
        instances: Array.from({ length: service.count }, (_, index) =>
          this.#createInstance(service, index + 1, generation),
        ),
        onEvent: (text) => {
          logs.event(record, service.name, text);
        },
      })),
    );
    order.start(isRestart ? 'restarted' : 'started');
    this.#isPaused = false;
    this.#running = { generation, order };
    this.#stopMeters = record.services.map((service) => this.#meter(service, generation, order));
    this.#parts.onChange();
  }

  /** Ends a service once it uses more storage than it may. */
  #meter(service: ServiceDefinition, generation: number, order: StartOrder) {
    const instances = order.instances(service.name);
    const { storage } = this.#resourcesOf(service);
    return this.#storage.watch({ service, generation, instances, storage }, (sentence) => {
      for (const instance of instances) void instance.fail(sentence, this.#parts.graceMs);
    });
  }

  #resourcesOf({ name }: ServiceDefinition): ResourceLimits {
    this.#resources ??= readResourceLimits(this.#parts.readSdl());
    return this.#resources.get(name) ?? {};
  }

  /** @param number is the number of the instance within its service, from 1. */
  #createInstance(service: ServiceDefinition, number: number, generation: number): Instance {
    const { record, runtime, clock, files, logs, onChange, onRun } = this.#parts;
    const folder = files.runFolder({ deployment: record.id, service: service.name }, generation);
    const env = { ...service.env, HOSTDECK_INSTANCE: String(number) };
    const loggedNumber = service.count === 1 ? undefined : number;
    return new Instance({
      runtime,
      clock,
      request: {
        deployment: record.id,
        service: { ...service, env },
        instance: number,
        resources: this.#resourcesOf(service),
        tree: { folder },
        volumes: this.#placeVolumes(service, number, folder),
        onLines: (stream, lines) => logs.append(record, service.name, stream, lines, loggedNumber),
      },
      onEvent: (text) => {
        logs.event(record, service.name, text, loggedNumber);
      },
      onChange,
      onRun: ({ id }) =>
        onRun({ id, deployment: record.id, service: service.name, instance: number }),
    });
  }

  #placeVolumes(service: ServiceDefinition, instance: number, tree: string): readonly RunVolume[] {
    const { record, volumes } = this.#parts;
    const owner = { deployment: record.id, service: service.name, instance };
    return (service.volumes ?? []).map((volume) =>
      Object.assign({ place: volumes.place(owner, volume, tree) }, volume),
    );
  }
}

/** A service and its instances. */
interface OrderedService {
  readonly service: ServiceDefinition;
  readonly instances: readonly Instance[];
  /** Logs an event of the service as a whole, a few words. */
  readonly onEvent: (text: string) => void;
}

/**
 * Starts the services of a deployment after their dependencies and stops them before these. A
 * service starts when each instance of its dependencies has run once; later crashes of a dependency
 * do not affect it.
 */
export class StartOrder {
  readonly #members: ReadonlyMap<string, OrderedService>;
  readonly #stops = new Map<string, Promise<void>>();

  /** @param members must have no circular dependencies. */
  constructor(members: readonly OrderedService[]) {
    this.#members = new Map(members.map((member) => [member.service.name, member]));
  }

  instances(service: string): readonly Instance[] {
    return this.#members.get(service)?.instances ?? [];
  }

  /** Starts all services, once. `word` describes the start in their logs. */
  start(word: 'started' | 'restarted'): void {
    for (const member of this.#members.values()) void this.#startAfterDependencies(member, word);
  }

  /** Stops all services for good. Resolves when all instances have ended. */
  async stop(graceMs: number): Promise<void> {
    const dependents = new Map<string, string[]>();
    for (const { service } of this.#members.values()) {
      for (const name of service.dependsOn) {
        dependents.set(name, [...(dependents.get(name) ?? []), service.name]);
      }
    }
    const stop = (member: OrderedService): Promise<void> => {
      const { name } = member.service;
      let stopping = this.#stops.get(name);
      if (stopping === undefined) {
        const others = (dependents.get(name) ?? []).flatMap((other) => this.#member(other));
        stopping = stopAfter(others.map(stop), member, graceMs);
        this.#stops.set(name, stopping);
      }
      return stopping;
    };
    await Promise.all([...this.#members.values()].map(stop));
  }

  async #startAfterDependencies(
    { service, instances, onEvent }: OrderedService,
    word: 'started' | 'restarted',
  ) {
    const dependencies = service.dependsOn.flatMap((name) => this.#member(name));
    if (dependencies.length > 0) {
      onEvent(`waits for ${dependencies.map((member) => member.service.name).join(', ')}`);
      const awaited = dependencies.flatMap((member) => member.instances);
      await Promise.all(awaited.map((instance) => instance.firstRun));
    }
    for (const instance of instances) instance.start(word);
  }

  #member(name: string): readonly OrderedService[] {
    const member = this.#members.get(name);
    return member === undefined ? [] : [member];
  }
}

async function stopAfter(
  dependents: readonly Promise<void>[],
  { instances }: OrderedService,
  graceMs: number,
): Promise<void> {
  await Promise.all(dependents);
  await Promise.all(instances.map((instance) => instance.stop(graceMs)));
}
