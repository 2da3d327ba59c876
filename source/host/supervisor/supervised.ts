import type { DeploymentState, Service } from '../../contract/deployments.ts';
import type { ServiceDefinition } from '../../contract/sdl/definition.ts';
import { readResources, type Resources } from '../../contract/sdl/resources.ts';
import type { HostClock } from '../clock.ts';
import type { DeploymentRecord } from '../deployments.ts';
import type { Files } from '../files/files.ts';
import type { HostLogs } from '../logs/logs.ts';
import type { Runtime } from '../runtime/runtime.ts';
import { Instance } from './instance.ts';
import { StartOrder } from './start-order.ts';

/** A service as our host answers it: contract fields, and what else there is to know of it. */
export interface ServiceStatus extends Service {
  readonly state: DeploymentState;
  /** Instances asked for. */
  readonly instances: number;
  /** Instances that run. */
  readonly running: number;
  /** Ports that the running instances were told to listen on. */
  readonly ports: readonly number[];
}

export interface SupervisedParts {
  readonly record: DeploymentRecord;
  readonly runtime: Runtime;
  readonly clock: HostClock;
  readonly files: Files;
  readonly logs: HostLogs;
  readonly graceMs: number;
  /** Is told whenever there is another thing to see of it. */
  readonly onChange: () => void;
  /** Called when an instance has run for the first time since its start. */
  readonly onRun: () => void;
}

/** Worst first: the state of many is the first of these that one of them is in. */
const byWeight = ['failed', 'restarting', 'starting', 'active'] as const;

/**
 * The instances of one deployment. It is told which generation of the files should run, or none,
 * and brings that about; told something else meanwhile, it goes on to that.
 */
export class Supervised {
  readonly #parts: SupervisedParts;
  /** Read only where something runs: most deployments are looked at after they were closed. */
  #resources: ReadonlyMap<string, Resources> | undefined;
  #wanted: number | undefined;
  #running: { readonly generation: number; readonly order: StartOrder } | undefined;
  #convergence: Promise<void> | undefined;
  #isRefused = false;
  /** True from a restart through the API until all instances run anew. */
  #replacing = false;

  constructor(parts: SupervisedParts) {
    this.#parts = parts;
  }

  /** Fails all services, none of which has run: the host may not start them. */
  refuse(): void {
    this.#isRefused = true;
    this.#parts.onChange();
  }

  /** Runs this generation of the files. Another one that runs is stopped first. */
  run(generation: number): Promise<void> {
    this.#isRefused = false;
    this.#replacing = this.#running !== undefined && this.#running.generation !== generation;
    this.#parts.onChange();
    this.#wanted = generation;
    return this.#converge();
  }

  /** Ends all instances. Settles when nothing of them is left. */
  stop(): Promise<void> {
    this.#replacing = false;
    this.#parts.onChange();
    this.#wanted = undefined;
    return this.#converge();
  }

  state(): DeploymentState {
    if (this.#replacing) return 'restarting';
    return worst(this.services().map((service) => service.state));
  }

  /** All services, in the state they are in or in that of the deployment. */
  services(
    state: DeploymentState | undefined = this.#isRefused ? 'failed' : undefined,
  ): readonly ServiceStatus[] {
    return this.#parts.record.services.map((service) =>
      statusOf(service, this.#running?.order.instances(service.name) ?? [], state),
    );
  }

  #converge(): Promise<void> {
    this.#convergence ??= this.#catchUp();
    return this.#convergence;
  }

  async #catchUp() {
    // Not before it is known as the one that goes on, which it takes back itself.
    await Promise.resolve();
    try {
      while (this.#running?.generation !== this.#wanted) await this.#goOn();
      this.#replacing = false;
      this.#parts.onChange();
    } finally {
      // At once with the last look: whoever wants something else later begins another one.
      this.#convergence = undefined;
    }
  }

  /** Stops what runs, then starts what is wanted by then. */
  async #goOn() {
    const before = this.#running;
    if (before !== undefined) {
      await before.order.stop(this.#parts.graceMs);
      await this.#parts.runtime.release(this.#parts.record.id);
      this.#running = undefined;
      this.#parts.onChange();
    }
    if (this.#wanted !== undefined) this.#start(this.#wanted, before !== undefined);
  }

  #start(generation: number, again: boolean) {
    const { record, logs, onRun } = this.#parts;
    const order = new StartOrder(
      record.services.map((service) => ({
        service,
        instances: Array.from({ length: service.count }, (_, index) =>
          this.#instance(service, index + 1, generation),
        ),
        onEvent: (text) => {
          logs.event(record, service.name, text);
        },
      })),
    );
    for (const { name } of record.services) {
      for (const instance of order.instances(name)) void instance.firstRun.then(onRun);
    }
    order.start(again ? 'restarted' : 'started');
    this.#running = { generation, order };
    this.#parts.onChange();
  }

  /** @param number counts the instances of the service from 1 on. */
  #instance(service: ServiceDefinition, number: number, generation: number): Instance {
    const { record, runtime, clock, files, logs, onChange } = this.#parts;
    this.#resources ??= readResources(record.sdl);
    const env = { ...service.env, HOSTDECK_INSTANCE: String(number) };
    const told = service.count === 1 ? undefined : number;
    return new Instance({
      runtime,
      clock,
      request: {
        deployment: record.id,
        service: { ...service, env },
        instance: number,
        resources: this.#resources.get(service.name) ?? {},
        tree: {
          folder: files.runFolder({ deployment: record.id, service: service.name }, generation),
        },
        onLines: (stream, lines) => logs.append(record, service.name, stream, lines, told),
      },
      onEvent: (text) => {
        logs.event(record, service.name, text, told);
      },
      onChange,
    });
  }
}

function statusOf(
  service: ServiceDefinition,
  instances: readonly Instance[],
  state = worst(instances.map((instance) => instance.state)),
): ServiceStatus {
  const started = instances.flatMap(({ startedAt }) => startedAt ?? []);
  const latest = started.length === 0 ? undefined : new Date(Math.max(...started)).toISOString();
  return {
    name: service.name,
    state,
    startedAt: latest,
    restarts: instances.reduce((sum, instance) => sum + instance.restarts, 0),
    exitCode: instances.map(({ exitCode }) => exitCode).find((code) => code !== null) ?? null,
    instances: service.count,
    running: instances.filter((instance) => instance.state === 'active').length,
    ports: instances.flatMap(({ port }) => port ?? []),
  };
}

function worst(states: readonly DeploymentState[]): DeploymentState {
  return byWeight.find((state) => states.includes(state)) ?? 'starting';
}
