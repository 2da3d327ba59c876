import type { ServiceDefinition } from '../../contract/sdl/definition.ts';
import type { HostClock } from '../clock.ts';
import type { EngineService, EngineTask } from '../engine/swarm-api.ts';
import { clusterLabels } from './cluster-labels.ts';
import { Crashes } from './crashes.ts';
import { Nodes } from './nodes.ts';
import type { Snapshot } from './orchestrator.ts';
import { isTrial } from './plan.ts';
import type { ServicePart } from './service-parts.ts';
import { partOf } from './snapshot-parts.ts';
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

  /** Returns the engine's services for one of the definition, one for each placement. */
  servicesOf({ name }: Pick<ServiceDefinition, 'name'>): readonly EngineService[] {
    return this.#services.filter(
      (service) => service.labels[clusterLabels.service] === name && !isTrial(service),
    );
  }

  /** Returns the engine's service for a part of one of the definition. */
  serviceOf({
    service,
    placement,
  }: Pick<ServicePart, 'service' | 'placement'>): EngineService | undefined {
    return this.servicesOf(service).find(
      ({ labels }) => labels[clusterLabels.placement] === placement,
    );
  }

  /** Returns the engine's service that tries a new version of a part out. */
  trialOf({
    service,
    placement,
  }: Pick<ServicePart, 'service' | 'placement'>): EngineService | undefined {
    return this.#services.find(
      (each) =>
        isTrial(each) &&
        each.labels[clusterLabels.service] === service.name &&
        each.labels[clusterLabels.placement] === placement,
    );
  }

  /** Takes over what the engine has of the deployment now. Returns true when tasks have changed. */
  observe(snapshot: Snapshot): boolean {
    const { services, tasks } = partOf(snapshot, this.#id);
    const { nodes } = snapshot;
    const isSame = nodes === this.#nodes && hasSameItems(tasks, this.#tasks);
    this.#services = services;
    this.#tasks = tasks;
    this.#nodes = nodes;
    if (!isSame) this.crashes.add(tasks);
    this.snapshots.notify();
    return !isSame && this.#hasChanged();
  }

  /** Returns true when tasks differ from those of the call before. */
  #hasChanged(): boolean {
    const seen = JSON.stringify(
      this.#tasks.map((task) => [
        task.id,
        task.state,
        task.error,
        [...task.ports],
        this.#nodes.isLost(task),
      ]),
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

function hasSameItems<T>(some: readonly T[], others: readonly T[]): boolean {
  return some.length === others.length && some.every((item, index) => item === others[index]);
}
