import type { EngineTask } from '../engine/swarm-api.ts';
import { clusterLabels } from './cluster-labels.ts';
import { hasCrashed } from './instances.ts';

/** Counts the tasks that ended on their own; the engine remembers only the last few. */
export class Crashes {
  /** Ids of tasks by service, instance and generation. */
  readonly #ids = new Map<string, Set<string>>();

  add(tasks: readonly EngineTask[]): void {
    for (const { id, slot, labels } of tasks.filter(hasCrashed)) {
      const { [clusterLabels.service]: service, [clusterLabels.generation]: generation } = labels;
      const key = `${service} ${slot} ${generation}`;
      const ids = this.#ids.get(key) ?? new Set();
      this.#ids.set(key, ids.add(id));
    }
  }

  /** Returns the number of crashes of an instance since the restart that began a generation. */
  count(service: string, instance: number, generation: number | undefined): number {
    return this.#ids.get(`${service} ${instance} ${generation}`)?.size ?? 0;
  }
}
