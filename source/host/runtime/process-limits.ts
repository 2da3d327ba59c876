import type { Resources } from '../../contract/sdl/resources.ts';
import { type ControlGroup, ControlGroups } from './control-groups.ts';

/** Holds processes to what their profile says, where the system lets this host do that. */
export class ProcessLimits {
  #groups: ControlGroups | false | undefined;
  readonly #told = new WeakSet<Resources>();

  /** What holds a run to its limits; undefined when it has none, or nothing can. */
  hold(
    run: string,
    resources: Resources,
    onEvent: (text: string) => void,
  ): ControlGroup | undefined {
    const limits = describeLimits(resources);
    if (limits === '') return undefined;
    let group: ControlGroup | undefined;
    try {
      group = this.#open()?.limit(run, resources);
    } catch {
      // Nothing holds it, which is told.
    }
    // At the first start only: those after a crash would repeat it.
    if (!this.#told.has(resources)) {
      this.#told.add(resources);
      onEvent(
        group === undefined
          ? `limits not enforced: ${limits} (this host may not make control groups)`
          : `limits: ${limits}`,
      );
    }
    return group;
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
