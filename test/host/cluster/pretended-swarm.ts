import { clusterLabels } from '../../../source/host/cluster/cluster-labels.ts';
import { generationOf, isTrial } from '../../../source/host/cluster/plan.ts';
import type {
  EngineService,
  EngineTask,
  ServiceSpec,
} from '../../../source/host/engine/swarm-api.ts';
import { twoNodes } from './cluster-tasks.ts';
import { taskOf } from './web-tasks.ts';

type Behaviour = 'runs' | 'exits' | 'pending' | 'fails in the second instance';

/** A swarm that acts at once, and whose tasks do what the test says of their generation. */
export class PretendedSwarm {
  readonly services = new Map<string, EngineService>();
  readonly behaviours = new Map<number, Behaviour>();
  /** Seconds that a replaced instance runs on. */
  stopSeconds = 0;
  tasks: readonly EngineTask[] = [];
  /** Smallest number of running instances that are no trial, since they first were all there. */
  fewest = Number.POSITIVE_INFINITY;
  /** Seconds that replaced instances have left, by the ids of their tasks. */
  readonly #stopping = new Map<string, number>();
  #ids = 0;

  apply(spec: ServiceSpec): 'created' | 'updated' | 'unchanged' {
    const present = this.services.get(spec.Name);
    if (present !== undefined && generationOf(present) === generationOf({ labels: spec.Labels })) {
      return 'unchanged';
    }
    const id = present?.id ?? `engine-${(this.#ids += 1)}`;
    const service = {
      id,
      name: spec.Name,
      version: 1,
      labels: spec.Labels,
      spec: { ...spec },
      update: present === undefined ? undefined : 'updating',
    };
    this.services.set(spec.Name, service);
    return present === undefined ? 'created' : 'updated';
  }

  remove({ id }: Pick<EngineService, 'id'>): void {
    const [name] = [...this.services].find(([, service]) => service.id === id) ?? [];
    if (name !== undefined) this.services.delete(name);
    this.tasks = this.tasks.filter(({ service }) => service !== id);
  }

  park({ id }: Pick<EngineService, 'id'>): void {
    this.#end(({ service }) => service === id);
    for (const [name, service] of this.services) {
      if (service.id === id) this.services.set(name, { ...service, spec: { isParked: true } });
    }
  }

  /** Does what engines do in a second. */
  step(): void {
    for (const [id, left] of this.#stopping) {
      this.#stopping.set(id, left - 1);
      if (left === 0) this.#end((task) => task.id === id);
    }
    for (const [name, service] of this.services) {
      if (service.spec['isParked'] !== true) this.services.set(name, this.#replace(service));
    }
    const running = this.tasks.filter((task) => task.state === 'running' && !isTrial(task));
    this.fewest = Math.min(this.fewest, running.length);
  }

  /** Starts the instances of a service that have another version or have ended. */
  #replace(service: EngineService): EngineService {
    const { Mode } = service.spec as unknown as ServiceSpec;
    const generation = generationOf(service);
    const behaviour = this.behaviours.get(generation) ?? 'runs';
    for (let slot = 1; slot <= Mode.Replicated.Replicas; slot += 1) {
      if (service.update === 'paused' && slot > 1) break;
      const present = this.tasks.find(
        (task) =>
          task.service === service.id &&
          task.slot === slot &&
          task.state === 'running' &&
          task.desired === 'running',
      );
      if (present !== undefined && generationOf(present) === generation) continue;
      const state = stateOf(behaviour, slot);
      if (present !== undefined && state !== 'pending') this.#stop(present);
      const id = String((this.#ids += 1));
      const { labels } = taskOf(id, state, { generation });
      const more = { slot, service: service.id, labels: { ...labels, ...trialLabel(service) } };
      this.tasks = [...this.tasks, taskOf(id, state, more)];
      if (state === 'failed' && service.update === 'updating') {
        return { ...service, update: 'paused' };
      }
    }
    const isDone = service.update === 'updating' && behaviour === 'runs';
    return isDone ? { ...service, update: 'completed' } : service;
  }

  snapshot() {
    return { services: [...this.services.values()], tasks: this.tasks, nodes: twoNodes() };
  }

  #stop({ id }: EngineTask): void {
    this.#stopping.set(id, this.stopSeconds);
    this.tasks = this.tasks.map((task) =>
      task.id === id ? { ...task, desired: 'shutdown' } : task,
    );
    if (this.stopSeconds === 0) this.#end((task) => task.id === id);
  }

  #end(isOver: (task: EngineTask) => boolean): void {
    this.tasks = this.tasks.map((task) =>
      isOver(task) && task.state !== 'failed'
        ? { ...task, state: 'shutdown', desired: 'shutdown' }
        : task,
    );
  }
}

function trialLabel({ labels }: EngineService): Readonly<Record<string, string>> {
  const { [clusterLabels.trial]: trial } = labels;
  return trial === undefined ? {} : { [clusterLabels.trial]: trial };
}

/** Returns the state of a task that was just started. */
function stateOf(behaviour: Behaviour, slot: number): 'failed' | 'pending' | 'running' {
  if (behaviour === 'pending') return 'pending';
  if (behaviour === 'exits') return 'failed';
  return behaviour === 'fails in the second instance' && slot === 2 ? 'failed' : 'running';
}
