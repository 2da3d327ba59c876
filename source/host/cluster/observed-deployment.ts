import type { ServiceDefinition } from '../../contract/sdl/definition.ts';
import type { HostClock } from '../clock.ts';
import type { EngineService, EngineTask } from '../engine/swarm-api.ts';
import { clusterLabels } from './cluster-labels.ts';
import { Crashes } from './crashes.ts';
import { Nodes } from './nodes.ts';
import type { Snapshot } from './orchestrator.ts';
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

  /** Returns the tasks of a service, of all generations. */
  tasksOf({ name }: Pick<ServiceDefinition, 'name'>): readonly EngineTask[] {
    return this.#tasks.filter(({ labels }) => labels[clusterLabels.service] === name);
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

  /** Forgets what the engine has removed. */
  clear(): void {
    this.#services = [];
    this.#tasks = [];
  }
}
