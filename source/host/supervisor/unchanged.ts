import type { DeploymentState } from '../../contract/deployments.ts';
import type { Instance } from './instance.ts';

/** What there is to see of instances when something was made of it. */
interface Seen<T> {
  readonly state: DeploymentState;
  readonly values: readonly unknown[];
  readonly made: T;
}

/**
 * What was made of the instances of something, as the same object until there is another thing to
 * see of one of them: callers can tell by it that nothing has changed.
 */
export class Unchanged<T> {
  readonly #seen = new WeakMap<object, Seen<T>>();

  of(key: object, state: DeploymentState, instances: readonly Instance[], make: () => T): T {
    const before = this.#seen.get(key);
    if (before !== undefined && before.state === state && isSame(before.values, instances)) {
      return before.made;
    }
    const made = make();
    this.#seen.set(key, { state, values: instances.flatMap(valuesOf), made });
    return made;
  }
}

function valuesOf({ state, startedAt, restarts, exitCode, port }: Instance): readonly unknown[] {
  return [state, startedAt, restarts, exitCode, port];
}

function isSame(values: readonly unknown[], instances: readonly Instance[]): boolean {
  let at = 0;
  for (const { state, startedAt, restarts, exitCode, port } of instances) {
    if (
      values[at] !== state ||
      values[at + 1] !== startedAt ||
      values[at + 2] !== restarts ||
      values[at + 3] !== exitCode ||
      values[at + 4] !== port
    ) {
      return false;
    }
    at += 5;
  }
  return at === values.length;
}
