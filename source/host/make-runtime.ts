import { existsSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { hostIdentity } from './identity.ts';
import { ChosenRuntime } from './runtime/choice.ts';
import { ContainerRuntime } from './runtime/container.ts';
import { type EngineEnvironment, EngineFinder } from './runtime/container-engine.ts';
import type { RuntimeName } from './runtime/names.ts';
import { Ports } from './runtime/ports.ts';
import { ProcessRuntime, type Sandbox } from './runtime/process.ts';
import { assertSandbox, sandboxArguments, sandboxHome } from './isolation/sandbox.ts';
import { Runs } from './runs.ts';
import type { Storage } from './storage.ts';

export interface RuntimeOptions {
  readonly dataDir: string;
  /** What services run as: processes, unless told otherwise. */
  readonly runtime?: RuntimeName | undefined;
  /** Whether processes are kept from the rest of the machine by bubblewrap. */
  readonly sandbox?: boolean | undefined;
  /** Where a container engine is looked for, by the variables of Docker's own programs. */
  readonly engineEnvironment?: EngineEnvironment | undefined;
}

/** Noted before the first container is made: a later host that runs processes ends its orphans. */
const usedContainers = 'containers';

/** What runs the services of a host. Throws a `StartFailure` where no sandbox can be made. */
export async function makeRuntime(
  options: RuntimeOptions,
  storage: Storage,
): Promise<ChosenRuntime> {
  const { dataDir, runtime = 'process', engineEnvironment = process.env } = options;
  const sandbox = options.sandbox === true ? await openSandbox(dataDir) : undefined;
  const finder = new EngineFinder(engineEnvironment);
  const ports = new Ports();
  return new ChosenRuntime(runtime, {
    processes: new ProcessRuntime(new Runs(storage), ports, sandbox),
    containers: new ContainerRuntime(finder, ports, hostIdentity(storage, dataDir)),
    finder,
    mayHaveContainers: () => storage.readMeta(usedContainers) !== undefined,
    onContainers: () => {
      if (storage.readMeta(usedContainers) === undefined) storage.writeMeta(usedContainers, 'yes');
    },
  });
}

async function openSandbox(dataDir: string): Promise<Sandbox> {
  const view = {
    dataDir: realpathSync(dataDir),
    programs: [path.dirname(process.execPath)],
    exists: existsSync,
  };
  await assertSandbox(sandboxArguments({ ...view, folder: view.dataDir }));
  return {
    home: sandboxHome,
    wrap: (command, folder) => [
      'bwrap',
      ...sandboxArguments({ ...view, folder }),
      '--',
      ...command,
    ],
  };
}
