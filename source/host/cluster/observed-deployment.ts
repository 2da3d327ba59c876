import type { ServiceDefinition } from '../../contract/sdl/definition.ts';
import type { HostClock } from '../clock.ts';
import type { EngineService, EngineTask } from '../engine/swarm-api.ts';
import { clusterLabels } from './cluster-labels.ts';
import { Crashes } from './crashes.ts';
import { Nodes } from './nodes.ts';
import type { Snapshot } from './orchestrator.ts';
import { isTrial } from './plan.ts';
import { SnapshotWatch } from './snapshot-watch.ts';

/** The part of a cluster that belongs to one deployment, by the latest snapshot. */
export class ObservedDeployment {
  readonly #id: string;
  #services: readonly EngineService[] = [];
  #tasks: readonly EngineTask[] = [];
  #nodes = new Nodes([]);
  #seen = '';
  readonly crashes = new Crashes();
  /** Waits for later snapshots. */
  readonly snapshots: SnapshotWatch;

  constructor(id: string, clock: HostClock) {
    this.#id = id;
    this.snapshots = new SnapshotWatch(clock);
  }

  get services(): readonly EngineService[] {
    return this.#services;
  }

  get tasks(): readonly EngineTask[] {
    return this.#tasks;
  }

  get nodes(): Nodes {
    return this.#nodes;
  }

  /** Returns the tasks of a service, of all generations and without its trial. */
  tasksOf({ name }: Pick<ServiceDefinition, 'name'>): readonly EngineTask[] {
    return this.#tasks.filter(
      (task) => task.labels[clusterLabels.service] === name && !isTrial(task),
    );
  }

  /** Returns the engine's service for one of the definition. */
  serviceOf({ name }: Pick<ServiceDefinition, 'name'>): EngineService | undefined {
    return this.#services.find(
      (service) => service.labels[clusterLabels.service] === name && !isTrial(service),
    );
  }

  /** Returns the engine's service that tries a new version of a service out. */
  trialOf({ name }: Pick<ServiceDefinition, 'name'>): EngineService | undefined {
    return this.#services.find(
      (service) => service.labels[clusterLabels.service] === name && isTrial(service),
    );
  }

  /** Takes over what the engine has of the deployment now. Returns true when tasks have changed. */
  observe({ services, tasks, nodes }: Snapshot): boolean {
    const isOwn = ({ labels }: EngineService | EngineTask) =>
      labels[clusterLabels.deployment] === this.#id;
    this.#services = services.filter(isOwn);
    this.#tasks = tasks.filter(isOwn);
    this.#nodes = nodes;
    this.crashes.add(this.#tasks);
    this.snapshots.notify();
    const seen = JSON.stringify(
      this.#tasks.map((task) => [task.id, task.state, [...task.ports], nodes.isLost(task)]),
    );
    const hasChanged = seen !== this.#seen;
    this.#seen = seen;
    return hasChanged;
  }

  /** Forgets services that the engine has removed. */
  forget(services: readonly EngineService[]): void {
    const ids = new Set(services.map(({ id }) => id));
    this.#services = this.#services.filter(({ id }) => !ids.has(id));
    this.#tasks = this.#tasks.filter(({ service }) => !ids.has(service));
  }
}
