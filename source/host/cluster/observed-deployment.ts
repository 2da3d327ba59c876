import type { ServiceDefinition } from '../../contract/sdl/definition.ts';
import type { HostClock } from '../clock.ts';
import type { EngineService, EngineTask } from '../engine/swarm-api.ts';
import { clusterLabels } from './cluster-labels.ts';
import { Nodes } from './nodes.ts';
import type { Snapshot } from './orchestrator.ts';
import { isTrial } from './plan.ts';
import type { ServicePart } from './service-parts.ts';
import { partOf } from './snapshot-parts.ts';
import { hasCrashed } from './instances.ts';

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

/** Ids of an instance that are kept after the engine forgot the tasks: a late snapshot may have them still. */
const maxForgotten = 100;

interface InstanceCrashes {
  count: number;
  /** Ids of the newest tasks that are counted, oldest first. */
  readonly ids: Set<string>;
}

/** Counts the tasks that ended on their own; the engine remembers only the last few. */
export class Crashes {
  /** Crashes by service, instance and generation. */
  readonly #byInstance = new Map<string, InstanceCrashes>();

  /** Adds the crashes among all tasks that the engine has of a deployment. */
  add(tasks: readonly EngineTask[]): void {
    const byInstance = Map.groupBy(tasks.filter(hasCrashed), ({ slot, labels }) =>
      keyOf(labels[clusterLabels.service], slot, labels[clusterLabels.generation]),
    );
    for (const [key, crashed] of byInstance) {
      const known = this.#byInstance.get(key) ?? { count: 0, ids: new Set() };
      for (const { id } of crashed) {
        if (known.ids.has(id)) continue;
        known.ids.add(id);
        known.count += 1;
      }
      this.#byInstance.set(key, known);
      dropOldest(known.ids, crashed);
    }
  }

  /** Returns the number of crashes of an instance since the restart that began a generation. */
  count(service: string, instance: number, generation: number | undefined): number {
    return this.#byInstance.get(keyOf(service, instance, generation))?.count ?? 0;
  }
}

function keyOf(
  service: string | undefined,
  instance: number,
  generation: string | number | undefined,
): string {
  return `${service} ${instance} ${generation}`;
}

/** Drops ids beyond the limit; those of tasks that the engine has are never dropped. */
function dropOldest(ids: Set<string>, present: readonly EngineTask[]): void {
  const excess = ids.size - present.length - maxForgotten;
  if (excess <= 0) return;
  const kept = new Set(present.map(({ id }) => id));
  const forgotten = [...ids].filter((id) => !kept.has(id));
  for (const id of forgotten.slice(0, excess)) ids.delete(id);
}

/** Waits until a snapshot of the cluster meets a condition. */
class SnapshotWatch {
  readonly #clock: HostClock;
  readonly #observers = new Set<() => void>();

  constructor(clock: HostClock) {
    this.#clock = clock;
  }

  /** Checks all conditions; call it after each snapshot. */
  notify(): void {
    for (const observer of this.#observers) observer();
  }

  /** Resolves when a later snapshot meets the condition; rejects when the signal is aborted. */
  async until(isMet: () => boolean, signal: AbortSignal): Promise<void> {
    await this.decide(() => (isMet() ? true : undefined), signal);
  }

  /** Resolves with what a later snapshot decides; rejects when the signal is aborted. */
  async decide<T extends string | object | true>(
    judge: () => T | undefined,
    signal: AbortSignal,
  ): Promise<T> {
    signal.throwIfAborted();
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    const observer = () => {
      const decided = judge();
      if (decided !== undefined) resolve(decided);
    };
    const abort = () => {
      reject(new Error('cancelled'));
    };
    signal.addEventListener('abort', abort, { once: true });
    this.#observers.add(observer);
    try {
      return await promise;
    } finally {
      this.#observers.delete(observer);
      signal.removeEventListener('abort', abort);
    }
  }

  /** Resolves when a later snapshot meets the condition, after `ms`, or when the signal is aborted. */
  async untilOrLate(isMet: () => boolean, ms: number, signal: AbortSignal): Promise<void> {
    const late = new AbortController();
    const cancel = this.#clock.schedule(ms, () => {
      late.abort();
    });
    await this.until(isMet, AbortSignal.any([late.signal, signal])).catch(() => undefined);
    cancel();
  }
}
