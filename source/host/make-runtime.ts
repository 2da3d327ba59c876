import { hostIdentity } from './identity.ts';
import { ChosenRuntime } from './runtime/choice.ts';
import { ContainerRuntime } from './runtime/container.ts';
import { type EngineEnvironment, EngineFinder } from './runtime/container-engine.ts';
import type { RuntimeName } from './runtime/names.ts';
import { ProcessRuntime } from './runtime/process.ts';
import { Runs } from './runs.ts';
import type { Storage } from './storage.ts';

export interface RuntimeOptions {
  readonly dataDir: string;
  /** What services run as: processes, unless told otherwise. */
  readonly runtime?: RuntimeName | undefined;
  /** Where a container engine is looked for, by the variables of Docker's own programs. */
  readonly engineEnvironment?: EngineEnvironment | undefined;
}

/** Noted before the first container is made: a later host that runs processes ends its orphans. */
const usedContainers = 'containers';

/** What runs the services of a host. */
export function makeRuntime(options: RuntimeOptions, storage: Storage): ChosenRuntime {
  const { dataDir, runtime = 'process', engineEnvironment = process.env } = options;
  const finder = new EngineFinder(engineEnvironment);
  return new ChosenRuntime(runtime, {
    processes: new ProcessRuntime(new Runs(storage)),
    containers: new ContainerRuntime(finder, hostIdentity(storage, dataDir)),
    finder,
    mayHaveContainers: () => storage.readMeta(usedContainers) !== undefined,
    onContainers: () => {
      if (storage.readMeta(usedContainers) === undefined) storage.writeMeta(usedContainers, 'yes');
    },
  });
}
