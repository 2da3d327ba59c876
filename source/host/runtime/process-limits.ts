import type { ResourceLimits } from '../../contract/sdl/resources.ts';
import { type ControlGroup, ControlGroups } from './control-groups.ts';
import { maxProcesses } from './runtime.ts';

/**
 * Puts the processes of each run into a control group with its limits, where the system allows it.
 */
export class ProcessLimits {
  #groups: ControlGroups | false | undefined;
  /** Limits whose state has been logged. */
  readonly #logged = new WeakSet<ResourceLimits>();

  /** Creates the group of a run; returns undefined when this host may not create groups. */
  apply(
    run: string,
    resources: ResourceLimits,
    onEvent: (text: string) => void,
  ): ControlGroup | undefined {
    let group: ControlGroup | undefined;
    try {
      group = this.#open()?.limit(run, { ...resources, processes: maxProcesses });
    } catch {
      // The event below reports the missing group.
    }
    const limits = describeLimits(resources);
    // Logged at the first start only; each restart after a crash would repeat it.
    if (limits !== '' && !this.#logged.has(resources)) {
      this.#logged.add(resources);
      onEvent(
        group === undefined
          ? `limits not enforced: ${limits} (this host can't create control groups)`
          : `limits: ${limits}`,
      );
    }
    return group;
  }

  /**
   * Kills all processes in the groups of these runs, which a killed host has left. Resolves with the
   * runs that had processes.
   */
  async killRuns(runs: readonly string[]): Promise<readonly string[]> {
    const groups = runs.length === 0 ? undefined : this.#open();
    return (await groups?.killRuns(runs)) ?? [];
  }

  /** Removes the groups of these runs, which a killed host has left, once they have ended. */
  async removeGroups(runs: readonly string[]): Promise<void> {
    const groups = runs.length === 0 ? undefined : this.#open();
    await groups?.removeGroups(runs);
  }

  #open(): ControlGroups | undefined {
    this.#groups ??= ControlGroups.open() ?? false;
    return this.#groups === false ? undefined : this.#groups;
  }
}

/** Returns limits in the form `0.5 CPU, 128 MiB of memory`; empty without limits. */
export function describeLimits({ cpu, memory }: ResourceLimits): string {
  return [
    ...(cpu === undefined ? [] : [`${cpu} CPU`]),
    ...(memory === undefined ? [] : [`${Math.round(memory / 2 ** 20)} MiB of memory`]),
  ].join(', ');
}
