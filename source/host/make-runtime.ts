import { EngineFinder } from './engine/engine-finder.ts';
import type { EngineEnvironment } from './engine/engine-place.ts';
import type { Isolation } from './isolation/isolation.ts';
import { SelectingRuntime } from './runtime/choice.ts';
import { ContainerRuntime } from './runtime/container.ts';
import type { RuntimeName } from './runtime/names.ts';
import { Ports } from './runtime/ports.ts';
import { ProcessRuntime, type RunRegister } from './runtime/process.ts';
import type { Storage } from './records/storage.ts';
import { VolumeCopies } from './runtime/volume-copies.ts';
import { VolumeSource } from './runtime/volume-source.ts';
import { RestoredVolumes } from './volumes/restored-volumes.ts';
import { ContainerVolumes } from './runtime/container-volumes.ts';

export interface RuntimeOptions {
  /** The runtime of the services; `process` by default. */
  readonly runtime?: RuntimeName | undefined;
  /** Environment whose Docker variables locate the container engine; the host's own by default. */
  readonly engineEnvironment?: EngineEnvironment | undefined;
}

/**
 * Metadata key set before the first container is created. A later host that runs processes only
 * then also stops orphaned containers.
 */
const containersKey = 'containers';

/** Creates the runtime of a host, which starts processes or containers. */
export function createRuntime(
  options: RuntimeOptions,
  parts: {
    readonly storage: Storage;
    readonly dataDir: string;
    /** Unique identity of this host on the machine. */
    readonly identity: string;
    readonly isolation: Isolation;
    /** The first port of this machine that services may have. */
    readonly firstUserPort: number;
    /** Returns true while the files and volumes of a deployment are kept. */
    readonly keepsData: (deployment: string) => boolean;
  },
): SelectingRuntime {
  const { runtime = 'process', engineEnvironment = process.env } = options;
  const { storage, dataDir, identity, isolation, firstUserPort, keepsData } = parts;
  const finder = new EngineFinder(engineEnvironment);
  const ports = new Ports(firstUserPort);
  // On a swarm it runs nothing, and ends what an earlier host of this folder has left here.
  return new SelectingRuntime(runtime === 'swarm' ? 'container' : runtime, {
    processes: new ProcessRuntime(new RunRecords(storage), ports, isolation),
    containers: new ContainerRuntime(
      finder,
      ports,
      identity,
      keepsData,
      () => {
        storage.lendReserve();
      },
      new RestoredVolumes(dataDir),
    ),
    finder,
    mayHaveContainers: () => storage.readMeta(containersKey) !== undefined,
    onContainerStart: () => {
      if (storage.readMeta(containersKey) === undefined) storage.writeMeta(containersKey, 'yes');
    },
  });
}

/** Returns the engine's volumes of a host that does not run, for a backup of its data folder. */
export function volumeSourceOf(identity: string, env: EngineEnvironment): VolumeSource {
  const copies = new VolumeCopies(identity);
  const volumes = new ContainerVolumes({ host: identity, isKept: () => true, copies });
  return new VolumeSource(new EngineFinder(env), volumes, copies);
}

/** Stores the ids of runs that may have processes, so that they survive a killed host. */
class RunRecords implements RunRegister {
  readonly #storage: Storage;

  constructor(storage: Storage) {
    this.#storage = storage;
  }

  add(run: string): void {
    this.#storage.prepare('insert into runs (run) values (?)').run(run);
  }

  remove(run: string): void {
    try {
      this.#storage.prepare('delete from runs where run = ?').run(run);
    } catch {
      // On a full disk the id stays; the next start finds no process for it and removes it.
    }
  }

  list(): readonly string[] {
    return this.#storage
      .prepare('select run from runs')
      .all()
      .map((row) => String(row['run']));
  }
}
