import type { EngineTask } from '../engine/swarm-api.ts';
import { clusterLabels } from './cluster-labels.ts';
import { hasCrashed } from './instances.ts';

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
