import { setTimeout as delay } from 'node:timers/promises';
import { generationOf, isTrial } from '../../../source/host/cluster/plan.ts';
import { runningTasks } from '../bed.ts';

/** Ms between looks at what is restarted. */
const lookMs = 300;

/** The instances of a deployment, as they were seen. */
export interface WatchedInstances {
  /** Least number of instances that ran. */
  readonly minimum: number;
  /** Versions that were tried out, and how many were so by more than one instance. */
  readonly trials: number;
  readonly repeated: number;
}

/** Watches the instances of a deployment until `end`. */
export function watchInstances(id: string): { readonly end: () => Promise<WatchedInstances> } {
  const ended = new AbortController();
  const watch = async () => {
    let minimum = Number.POSITIVE_INFINITY;
    const trials = new Map<number, Set<string>>();
    while (!ended.signal.aborted) {
      // A busy engine may not answer in time.
      const running = await runningTasks(id).catch(() => undefined);
      await delay(lookMs);
      if (running === undefined) continue;
      minimum = Math.min(minimum, running.filter((task) => !isTrial(task)).length);
      for (const task of running.filter(isTrial)) {
        const generation = generationOf(task);
        trials.set(generation, (trials.get(generation) ?? new Set()).add(task.id));
      }
    }
    const repeated = [...trials.values()].filter(({ size }) => size > 1).length;
    return { minimum, trials: trials.size, repeated };
  };
  const watched = watch();
  return {
    async end() {
      ended.abort();
      return await watched;
    },
  };
}
