import type { EngineTask } from '../engine/swarm-api.ts';
import { hasEnded } from './instances.ts';

/** Lists tasks of the engine: those that it wants to run, or all that it remembers. */
export type ListTasks = (which: 'all' | 'wanted') => Promise<readonly EngineTask[]>;

/** State of tasks that are to run. */
const wantedState = 'running';

/**
 * Remembers the ended tasks of an engine, which are most of its tasks: it has several for each instance.
 * All tasks are listed only when others are wanted than before, or until those not wanted have ended. No
 * task is missed: each new one is wanted, or takes the place of one that no longer is.
 */
export class KnownTasks {
  readonly #list: ListTasks;
  #ended: readonly EngineTask[] = [];
  /** Ids of the wanted tasks at the last list of all; undefined until all others have ended. */
  #wanted: string | undefined;
  /** The list of the wanted tasks that was read last, and the result. */
  #latest:
    | { readonly wanted: readonly EngineTask[]; readonly tasks: readonly EngineTask[] }
    | undefined;

  constructor(list: ListTasks) {
    this.#list = list;
  }

  /**
   * Resolves with all tasks, and perhaps with ended ones that the engine has forgotten; with the same list
   * as before when the engine's is the same.
   */
  async read(): Promise<readonly EngineTask[]> {
    if (this.#wanted !== undefined) {
      const wanted = await this.#list('wanted');
      if (wanted === this.#latest?.wanted) return this.#latest.tasks;
      if (idsOf(wanted) === this.#wanted) {
        const tasks = [...this.#ended, ...wanted];
        this.#latest = { wanted, tasks };
        return tasks;
      }
    }
    this.#latest = undefined;
    const all = await this.#list('all');
    const wanted = all.filter(isWanted);
    this.#ended = all.filter((task) => !isWanted(task));
    this.#wanted = this.#ended.every(hasEnded) ? idsOf(wanted) : undefined;
    return all;
  }
}

function isWanted({ desired }: EngineTask): boolean {
  return desired === wantedState;
}

function idsOf(tasks: readonly EngineTask[]): string {
  return tasks
    .map(({ id }) => id)
    .toSorted()
    .join(' ');
}
