import type { EngineTask } from '../engine/swarm-api.ts';
import { hasEnded } from './instances.ts';

/** Lists tasks of the engine: those that it wants to run, or all that it remembers. */
export type ListTasks = (which: 'all' | 'wanted') => Promise<readonly EngineTask[]>;

/** State of tasks that are to run. */
const wantedState = 'running';

/**
 * Keeps the tasks that an engine has, most of which have ended: it remembers several for each instance. It
 * is asked for all of them only when others run than before, or while some have not come to their end. A
 * task that is new is to run, or waits in the place of one that is not to run any more.
 */
export class KnownTasks {
  readonly #list: ListTasks;
  #ended: readonly EngineTask[] = [];
  /** Ids of the wanted tasks beside those that have ended; undefined while ends are awaited. */
  #wanted: string | undefined;

  constructor(list: ListTasks) {
    this.#list = list;
  }

  /** Resolves with all tasks; ended ones may be among them that the engine has forgotten. */
  async read(): Promise<readonly EngineTask[]> {
    if (this.#wanted !== undefined) {
      const wanted = await this.#list('wanted');
      if (idsOf(wanted) === this.#wanted) return [...this.#ended, ...wanted];
    }
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
