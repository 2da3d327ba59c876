import { EngineFinder } from './engine/engine-finder.ts';
import type { EngineEnvironment } from './engine/engine-place.ts';
import type { Isolation } from './isolation/isolation.ts';
import { ChosenRuntime } from './runtime/choice.ts';
import { ContainerRuntime } from './runtime/container.ts';
import type { RuntimeName } from './runtime/names.ts';
import { Ports } from './runtime/ports.ts';
import { ProcessRuntime } from './runtime/process.ts';
import { Runs } from './records/runs.ts';
import type { Storage } from './records/storage.ts';

export interface RuntimeOptions {
  /** What services run as: processes, unless told otherwise. */
  readonly runtime?: RuntimeName | undefined;
  /** Where a container engine is looked for, by the variables of Docker's own programs. */
  readonly engineEnvironment?: EngineEnvironment | undefined;
}

/** Noted before the first container is made: a later host that runs processes ends its orphans. */
const usedContainers = 'containers';

/** Returns what runs the services of a host. */
export function makeRuntime(
  options: RuntimeOptions,
  parts: {
    readonly storage: Storage;
    /** Tells this host from all others on the machine. */
    readonly identity: string;
    readonly isolation: Isolation;
  },
): ChosenRuntime {
  const { runtime = 'process', engineEnvironment = process.env } = options;
  const { storage, identity, isolation } = parts;
  const finder = new EngineFinder(engineEnvironment);
  const ports = new Ports();
  return new ChosenRuntime(runtime, {
    processes: new ProcessRuntime(new Runs(storage), ports, isolation),
    containers: new ContainerRuntime(finder, ports, identity),
    finder,
    mayHaveContainers: () => storage.readMeta(usedContainers) !== undefined,
    onContainers: () => {
      if (storage.readMeta(usedContainers) === undefined) storage.writeMeta(usedContainers, 'yes');
    },
  });
}
