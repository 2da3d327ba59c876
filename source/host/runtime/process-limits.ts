import type { Resources } from '../../contract/sdl/resources.ts';
import { type ControlGroup, ControlGroups } from './control-groups.ts';
import { mostProcesses } from './process-count.ts';

/** Holds the processes of each run together and to their limits, where the system allows that. */
export class ProcessLimits {
  #groups: ControlGroups | false | undefined;
  readonly #told = new WeakSet<Resources>();

  /** Returns the group of a run; undefined where this host may not make any. */
  hold(
    run: string,
    resources: Resources,
    onEvent: (text: string) => void,
  ): ControlGroup | undefined {
    let group: ControlGroup | undefined;
    try {
      group = this.#open()?.limit(run, { ...resources, processes: mostProcesses });
    } catch {
      // Nothing holds it, which is told.
    }
    const limits = describeLimits(resources);
    // At the first start only: those after a crash would repeat it.
    if (limits !== '' && !this.#told.has(resources)) {
      this.#told.add(resources);
      onEvent(
        group === undefined
          ? `limits not enforced: ${limits} (this host may not make control groups)`
          : `limits: ${limits}`,
      );
    }
    return group;
  }

  /** Ends all processes in the groups of these runs, which a killed host began. */
  async killLeft(runs: readonly string[]): Promise<void> {
    const groups = runs.length === 0 ? undefined : this.#open();
    await groups?.killLeft(runs);
  }

  /** Lets go of what held runs that a killed host began, once nothing of them is left. */
  async forget(runs: readonly string[]): Promise<void> {
    const groups = runs.length === 0 ? undefined : this.#open();
    await groups?.forget(runs);
  }

  #open(): ControlGroups | undefined {
    this.#groups ??= ControlGroups.open() ?? false;
    return this.#groups === false ? undefined : this.#groups;
  }
}

/** As `0.5 CPU, 128 MiB of memory`; empty without limits. */
export function describeLimits({ cpu, memory }: Resources): string {
  return [
    ...(cpu === undefined ? [] : [`${cpu} CPU`]),
    ...(memory === undefined ? [] : [`${Math.round(memory / 2 ** 20)} MiB of memory`]),
  ].join(', ');
}
